// The LED map: one LED shines, a tap says under which place; the board is the same as in play.

import { h } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get, post } from "./net.js";
import { Board } from "./board.js";
import { gameButtons, overview, page } from "./sheet.js";

await pageReady();
const setup = await overview();
let game = setup.game || setup.games[0]?.id || null;
let note = setup.note || "";
let mapping = null;
let data = null;
let lit = []; // all that may have LEDs: {id, name, board}
let board = null;
let count = "";
let busy = false; // a second tap would speak of the next LED, which nobody has seen yet
const field = h("div", { class: "ledboard" });
const tools = h("div", {});

async function load() {
	const answer = await get(`/api/setup/board/${game}`);
	if (!answer.ok) {
		note = answer.error.sentence;
		return;
	}
	data = answer.data;
	const found = await get(`/api/setup/lit/${game}`);
	if (!found.ok) {
		note = found.error.sentence;
		return;
	}
	lit = found.data.lit;
	board = new Board(field, data, (place) => mapping && act("assign", { place }), tools);
}

async function act(step, body = {}) {
	if (busy) return;
	busy = true;
	const answer = await post(`/api/setup/leds/${step}`, body);
	note = answer.ok ? (step === "save" ? t("leds.saved") : "") : answer.error.sentence;
	if (answer.ok) mapping = answer.data.mapping;
	busy = false;
	draw();
}

function begin() {
	const places = lit.length;
	const wanted = () => Number.parseInt(count, 10) || places;
	return h(
		"section",
		{ class: "panel" },
		gameButtons(setup.games, game, async (id) => {
			game = id;
			await load();
			draw();
		}),
		h(
			"label",
			{},
			t("leds.count"),
			h("input", {
				type: "text",
				inputmode: "numeric",
				maxlength: "3",
				autocomplete: "off",
				value: count || String(places),
				"data-key": "led-count",
				oninput: (event) => {
					count = event.target.value;
				},
			}),
		),
		h(
			"button",
			{
				class: "main",
				"data-key": "leds-begin",
				disabled: !places,
				onclick: () => act("begin", { game, leds: wanted() }),
			},
			t("leds.begin"),
		),
	);
}

function mark() {
	const chosen = mapping.choices.filter((one) => one in data.places);
	const targets = Object.fromEntries(Object.keys(data.places).map((place) => [place, { refused: null, text: "" }]));
	board.update({ view: { places: {} }, lights: {}, targets, chosen });
}

/** What has lights but is no place of the board: tray, seats, tracks. */
function beside() {
	const others = lit.filter((one) => !one.board);
	if (!others.length) return null;
	return h(
		"div",
		{ class: "options", role: "group", "aria-label": t("leds.beside") },
		others.map((one) =>
			h(
				"button",
				{
					class: "option",
					"data-key": `beside-${one.id}`,
					"aria-pressed": String(mapping.choices.includes(one.id)),
					disabled: mapping.current === null,
					onclick: () => act("assign", { place: one.id }),
				},
				one.name,
			),
		),
	);
}

/** Names of what has no LED yet, in full. */
function missing() {
	const names = Object.fromEntries(lit.map((one) => [one.id, one.name]));
	if (!mapping.missing.length) return h("p", { class: "small soft" }, t("leds.complete"));
	return h(
		"details",
		{ class: "no" },
		h("summary", { "data-key": "leds-missing" }, t("leds.missing", { count: mapping.missing.length })),
		h("p", { class: "small" }, mapping.missing.map((one) => names[one] || one).join(" · ")),
	);
}

function open() {
	mark();
	const done = mapping.current === null;
	return h(
		"section",
		{ class: "panel" },
		h(
			"h2",
			{ id: "led-now" },
			done ? t("leds.all_done") : t("leds.now", { number: mapping.current + 1, count: mapping.leds }),
		),
		h("p", {}, t("leds.tap")),
		field,
		tools,
		h("h3", {}, t("leds.beside")),
		beside(),
		h(
			"div",
			{ class: "row" },
			h(
				"button",
				{ "data-key": "leds-undo", disabled: !mapping.choices.length, onclick: () => act("undo") },
				t("ask.back"),
			),
			h("button", { "data-key": "leds-skip", disabled: done, onclick: () => act("skip") }, t("leds.skip")),
			h(
				"button",
				{
					class: done ? "main" : "",
					"data-key": "leds-save",
					disabled: !mapping.choices.length,
					onclick: () => act("save"),
				},
				t("leds.save"),
			),
			h("button", { class: "danger", "data-key": "leds-stop", onclick: () => act("stop") }, t("leds.stop")),
		),
		missing(),
	);
}

function draw() {
	page(t("leds.title"), t("leds.lead"), note, game ? (mapping ? open() : begin()) : null);
}

if (game) await load();
const first = await get("/api/setup/leds");
if (first.ok) mapping = first.data.mapping;
else note = first.error.sentence;
draw();
