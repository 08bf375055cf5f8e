// The editor of battles: hexes and stacks are tapped, the table answers with the battle as it stands.

import { $, h, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get, post } from "./net.js";
import { Board } from "./board.js";
import { setLooks } from "./looks.js";
import { gameButtons, overview, page } from "./sheet.js";

const ASK_EVERY = 700; // milliseconds between two looks at play-outs that run
const ASKED_AT = { keep: "files", open: "files", throw_away: "files", take_in: "files", play_out: "odds" };
const SIGNS = { wrong: "✖", mind: "!", unknown: "?" };

await pageReady();
const WEIGHTS = { wrong: t("battles.wrong"), mind: t("battles.mind"), unknown: t("battles.unknown") };
const setup = await overview();
const offered = await get("/api/setup/battles");
const games = offered.ok ? offered.data.games : [];
let game = games[0]?.id || null;
let note = setup.note || "";
let noteAt = "board";
let battle = null;
let board = null;
let digest = "";
let line = Promise.resolve(true); // what is under way, and all that waits for it
let brush = { do: "hand" };
let side = "";
let weapon = "sword";
let race = "";
let held = ""; // the hex whose unit is in the hand
let count = "1000";
let beside = false; // whether what stands beside the map is unfolded
const field = h("div", { class: "ledboard battlefield" });
const tools = h("div", {});
const file = h("input", {
	type: "file",
	hidden: true,
	accept: ".yaml,.yml,text/plain",
	"data-key": "battle-file",
	onchange: async () => {
		if (file.files[0]) await act("take_in", { text: await file.files[0].text() });
		file.value = "";
	},
});

const at = (path) => `/api/setup/battles/${game}${path}`;

function take(data) {
	battle = data;
	setLooks(data.looks);
	side = side || data.seats[0].id;
	if (data.board) {
		digest = data.board.digest;
		board?.close();
		board = new Board(field, data.board, tap, tools);
	}
}

async function load() {
	digest = "";
	const answer = await get(at(""));
	if (answer.ok) take(answer.data);
	else note = answer.error.sentence;
}

/** One thing after the other: a tap while another is under way waits for it. */
function act(doing, body = {}, said = "") {
	line = line.then(() => send(doing, body, said));
	return line;
}

async function send(doing, body, said) {
	const answer = await post(at(`/${doing}`), { ...body, number: battle.number, board: digest });
	note = answer.ok ? said : answer.error.sentence;
	noteAt = ASKED_AT[doing] || "board";
	if (answer.ok) take(answer.data);
	else if (answer.error.code === "stale") await load();
	draw();
	return answer.ok;
}

const step = (what) => act("step", { step: what });

function tap(place) {
	if (!setup.may_change) return;
	const there = battle.places[place]?.pieces?.[0];
	if (brush.do === "terrain") step({ do: "paint", place, terrain: brush.id });
	else if (brush.do === "unit")
		step({ do: "put", place, seat: side, unit: [brush.id, ...(brush.plain ? [] : [weapon, race])].join(" ").trim() });
	else if (brush.do === "clear") step({ do: "clear", place });
	else if (held && held !== place) {
		const from = held;
		held = "";
		step({ do: "move", place: from, to: place });
	} else {
		held = there && held !== place ? place : "";
		draw();
	}
}

function choose(next) {
	brush = next;
	held = "";
	draw();
}

const button = (key, text, pressed, onclick, more = {}) =>
	h("button", { class: "option", "data-key": key, "aria-pressed": String(pressed), onclick, ...more }, text);

function stackButtons(kind) {
	return battle.stacks
		.filter((one) => one.kind === kind)
		.map((one) =>
			button(`stack-${one.id}`, one.name, brush.do === kind && brush.id === one.id, () =>
				choose({ do: kind, id: one.id, plain: one.id.split(" ").length > 2 }),
			),
		);
}

const group = (label, ...children) =>
	h(
		"div",
		{ class: "stack" },
		h("b", {}, label),
		h("div", { class: "options", role: "group", "aria-label": label }, children),
	);

function stacks() {
	const tagged = brush.do === "unit" && !brush.plain;
	return h(
		"section",
		{ class: "panel stacks" },
		group(
			t("battles.hand"),
			button("hand", t("battles.move"), brush.do === "hand", () => choose({ do: "hand" })),
			button("clear", t("battles.clear"), brush.do === "clear", () => choose({ do: "clear" })),
		),
		held ? figures() : null,
		group(t("battles.tiles"), stackButtons("terrain")),
		group(
			t("battles.units"),
			battle.seats.map((seat) =>
				button(`side-${seat.id}`, [seat.name, seat.id === side ? " ✓" : ""], seat.id === side, () => {
					side = seat.id;
					draw();
				}),
			),
		),
		h("div", { class: "options", role: "group", "aria-label": t("battles.units") }, stackButtons("unit")),
		tagged
			? [
					group(
						t("battles.weapon"),
						tags("weapon", weapon, (id) => {
							weapon = id;
						}),
					),
					group(
						t("battles.race"),
						button("race-none", t("battles.men"), race === "", () => {
							race = "";
							draw();
						}),
						tags("race", race, (id) => {
							race = id;
						}),
					),
				]
			: null,
	);
}

const tags = (kind, now, set) =>
	battle.stacks
		.filter((one) => one.kind === kind)
		.map((one) =>
			button(`${kind}-${one.id}`, one.name, one.id === now, () => {
				set(one.id);
				draw();
			}),
		);

/** The unit in the hand: with how many figures it begins. */
function figures() {
	const piece = battle.places[held]?.pieces?.[0];
	if (!piece) return null;
	const fewer = (number) => () => step({ do: "figures", place: held, count: piece.count + number });
	return h(
		"div",
		{ class: "card stack", "data-held": held },
		h("b", {}, t("battles.held", { unit: piece.name, count: piece.count })),
		h("p", { class: "small soft" }, t("battles.held_text")),
		h(
			"div",
			{ class: "row" },
			h(
				"button",
				{ "data-key": "fewer", "aria-label": t("battles.fewer"), disabled: piece.count < 2, onclick: fewer(-1) },
				"−",
			),
			h("button", { "data-key": "more-figures", "aria-label": t("battles.more"), onclick: fewer(1) }, "+"),
		),
	);
}

function setting(one) {
	const set = (event) => step({ do: "set", key: one.key, value: event.target.value });
	return h(
		"label",
		{},
		one.label,
		h(
			"select",
			{ "data-key": `set-${one.key}`, disabled: !setup.may_change, onchange: set },
			one.options.map((way) => h("option", { value: way.value, selected: way.value === one.value }, way.text)),
		),
	);
}

function besideTheMap() {
	return h(
		"details",
		{
			class: "no panel",
			open: beside,
			ontoggle: (event) => {
				beside = event.target.open;
			},
		},
		h("summary", { "data-key": "beside" }, h("b", {}, t("battles.beside"))),
		h("div", { class: "fields" }, battle.settings.map(setting)),
	);
}

function findings() {
	const good = !battle.findings.some((one) => one.weight !== "unknown");
	return h(
		"section",
		{ class: "panel", role: "status", "aria-live": "polite" },
		h("h2", {}, t("battles.checks")),
		good ? h("p", { "data-finding": "good" }, `✓ ${t("battles.good")}`) : null,
		battle.findings.map((one) =>
			h(
				"div",
				{
					class: `device ${one.weight === "wrong" ? "fail" : one.weight === "mind" ? "warn" : ""}`,
					"data-finding": one.weight,
				},
				h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[one.weight]),
				h("p", {}, h("b", {}, `${WEIGHTS[one.weight]} `), one.text),
			),
		),
	);
}

const wrong = () => battle.findings.some((one) => one.weight === "wrong");

function playouts() {
	const now = battle.playouts;
	return h(
		"section",
		{ class: "panel" },
		h("h2", {}, t("battles.odds")),
		h("p", { class: "small soft" }, t("battles.odds_text")),
		h("div", { id: "playouts", class: "stack" }, progress(now)),
		answerLine("odds"),
		h(
			"div",
			{ class: "row" },
			h(
				"label",
				{},
				t("battles.how_many"),
				h("input", {
					type: "text",
					inputmode: "numeric",
					maxlength: "4",
					autocomplete: "off",
					value: count,
					"data-key": "playouts-count",
					oninput: (event) => {
						count = event.target.value;
					},
				}),
			),
			h(
				"button",
				{
					class: "main",
					"data-key": "play-out",
					disabled: wrong() || !setup.may_change,
					onclick: () => act("play_out", { games: Number.parseInt(count, 10) || 1000 }),
				},
				t("battles.play_out"),
			),
			now?.running
				? h("button", { class: "danger", "data-key": "stop", onclick: () => act("stop") }, t("battles.stop"))
				: null,
		),
	);
}

const progress = (now) =>
	now
		? [
				h("progress", { max: String(now.wanted), value: String(now.games), "aria-label": t("battles.odds") }),
				h("p", { "data-playouts": now.running ? "running" : "done" }, now.text),
				now.old ? h("p", { class: "small soft" }, t("battles.old")) : null,
			]
		: [];

/** Looks at play-outs while they run; only their own lines change. */
async function watch() {
	if (battle?.playouts?.running) {
		const answer = await get(at("/playouts"));
		if (answer.ok && battle) {
			const ended = !answer.data.playouts?.running;
			battle.playouts = answer.data.playouts;
			if (ended) draw();
			else if ($("playouts")) show($("playouts"), ...progress(battle.playouts));
		}
	}
	setTimeout(watch, ASK_EVERY);
}

function shelf() {
	return h(
		"section",
		{ class: "panel" },
		h("h2", {}, t("battles.file")),
		h(
			"label",
			{},
			t("battles.name"),
			h("input", {
				type: "text",
				maxlength: "60",
				autocomplete: "off",
				value: battle.name,
				"data-key": "battle-name",
				onchange: (event) => step({ do: "name", value: event.target.value }),
			}),
		),
		h(
			"div",
			{ class: "row" },
			h(
				"button",
				{
					class: "main",
					"data-key": "keep",
					disabled: wrong() || !setup.may_change,
					onclick: () => act("keep", {}, t("battles.kept_now")),
				},
				t("battles.keep"),
			),
			h("a", { class: "button", href: at("/file"), download: "", "data-key": "download" }, t("battles.download")),
			h(
				"button",
				{ "data-key": "upload", disabled: !setup.may_change, onclick: () => file.click() },
				t("battles.upload"),
			),
			file,
			h("a", { class: "button", href: `/setup/battles/${game}/sheet`, "data-key": "print" }, t("battles.print")),
		),
		answerLine("files"),
		h("p", { class: "small soft" }, t("battles.play_text")),
		battle.kept.length ? h("h3", {}, t("battles.kept")) : null,
		battle.kept.map((one) =>
			h(
				"div",
				{ class: "row spread", "data-kept": one.id },
				h("b", {}, one.name),
				h(
					"div",
					{ class: "row" },
					h(
						"button",
						{ "data-key": `open-${one.id}`, disabled: !setup.may_change, onclick: () => act("open", { id: one.id }) },
						t("battles.open"),
					),
					h(
						"button",
						{
							class: "danger",
							"data-key": `away-${one.id}`,
							disabled: !setup.may_change,
							onclick: () => act("throw_away", { id: one.id }, t("battles.away_now")),
						},
						t("battles.away"),
					),
				),
			),
		),
	);
}

function bar() {
	const small = (key, text, enabled, onclick) =>
		h("button", { "data-key": key, disabled: !enabled || !setup.may_change, onclick }, text);
	return h(
		"div",
		{ class: "row keep" },
		small("undo", t("battles.undo"), battle.undo, () => act("undo")),
		small("redo", t("battles.redo"), battle.redo, () => act("redo")),
		small("mirror-turn", t("battles.turn"), true, () => step({ do: "mirror", how: "turn" })),
		small("mirror-flip", t("battles.flip"), true, () => step({ do: "mirror", how: "flip" })),
		small("new", t("battles.new"), true, () => act("new")),
		small("chance", t("battles.chance"), true, () => act("chance", { seed: Math.floor(Math.random() * 2 ** 31) })),
	);
}

function mark() {
	const targets = {};
	for (const one of battle.findings)
		if (one.weight === "wrong") for (const place of one.places) targets[place] = { refused: true, text: one.text };
	board.update({ view: { places: battle.places }, lights: {}, targets, chosen: held ? [held] : [] });
}

/** What the table answered, where it was asked: beside the buttons of the board, at the play-outs, at the files. */
function answerLine(where) {
	const said = where === noteAt ? note : "";
	if (!said && where !== "board") return null;
	return h("p", { class: said ? "card note" : "noteroom", role: "status", "aria-live": "polite" }, said);
}

function draw() {
	if (!battle) return page(t("battles.title"), t("battles.lead"), note);
	page(
		t("battles.title"),
		t("battles.lead"),
		null,
		gameButtons(games, game, async (id) => {
			game = id;
			await load();
			draw();
		}),
		h(
			"div",
			{ class: "battledesk" },
			h("div", { class: "stack" }, field, h("div", { class: "row said" }, tools, answerLine("board")), bar()),
			stacks(),
		),
		findings(),
		besideTheMap(),
		playouts(),
		shelf(),
	);
	board.zoom.settle();
	mark();
}

if (game) await load();
draw();
watch();
