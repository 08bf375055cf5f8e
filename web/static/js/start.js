// The start page: who plays where, QR codes, new and saved games, set-up.

import { $, h, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { t, timeText } from "./words.js";
import { get, post, Live } from "./net.js";
import { whenFree } from "./touch.js";
import { close, languageButtons, open, themeButtons } from "./dialogs.js";
import { lookMark } from "./looks.js";
import { codes } from "./code.js";
import { edition, extras, loadHouse, moreForm } from "./house.js";

await pageReady();

let data = null;
let note = "";
let link = null;
let chosen = null;
let shared = null;
const names = {}; // typed so far: they outlast a redraw
const absent = new Set(); // seats that nobody takes, where a game can be played by fewer

async function load() {
	const answer = await get("/api/start");
	if (answer.ok) {
		// what a game asks for is known before its form is shown, so that nothing moves when it comes
		if (answer.data.may_start) await Promise.all(answer.data.games.map(loadHouse));
		data = answer.data;
	} else note = answer.error.sentence;
	whenFree("draw", draw);
}

async function act(path, body) {
	const answer = await post(path, body);
	note = answer.ok ? "" : answer.error.sentence;
	await load();
	return answer;
}

async function sit(seat) {
	const answer = await post("/api/sit", { seat });
	if (!answer.ok) {
		note = answer.error.sentence;
		return draw();
	}
	if (answer.data.state === "taken") return location.assign(`/seat/${seat}`);
	note = t("join.asked");
	draw();
	const timer = setInterval(async () => {
		const wish = await get(`/api/wish/${seat}`);
		if (!wish.ok || wish.data.state === "asked") return null;
		clearInterval(timer);
		if (wish.data.state === "taken") return location.assign(`/seat/${seat}`);
		note = t(`join.${wish.data.state}`);
		return draw();
	}, 1000);
	return null;
}

async function showLink(seat) {
	const answer = await post(`/api/seat/${seat}/link`, {});
	if (answer.ok) link = { seat, ...answer.data };
	else note = answer.error.sentence;
	draw();
}

function seatCard(seat) {
	const state = seat.mine
		? t("start.mine")
		: seat.held
			? t(seat.connected ? "seats.there" : "seats.away")
			: t("seats.free");
	return h(
		"article",
		{ class: `place-card seat-${seat.look.colour}`, "data-start-seat": seat.id },
		h("p", { class: "who" }, lookMark(seat.look), [seat.name, seat.player].filter(Boolean).join(" · ")),
		h("p", { class: "soft" }, state),
		seat.mine
			? h("a", { class: "button main", href: `/seat/${seat.id}`, "data-key": `go-${seat.id}` }, t("start.go_on"))
			: data.open_seats || seat.held
				? h(
						"button",
						{ class: seat.held ? "" : "main", "data-key": `sit-${seat.id}`, onclick: () => sit(seat.id) },
						t(seat.held ? "start.ask_for" : "start.sit"),
					)
				: h("p", {}, t("error.link_only")),
		seat.mine || data.arbiter
			? h("button", { "data-key": `qr-${seat.id}`, onclick: () => showLink(seat.id) }, t("link.title"))
			: null,
		link?.seat === seat.id
			? h("div", { class: "stack" }, ...codes(link, t("link.qr")), h("p", { class: "small soft" }, t("link.secret")))
			: null,
	);
}

function running() {
	if (!data.running) return null;
	const { title, seats, finished, tournament, closed } = data.running;
	return h(
		"section",
		{ class: "panel" },
		h("h2", {}, title),
		tournament
			? h("p", { "data-tournament": "yes" }, h("b", {}, t("tournament.on")), ` · ${t("tournament.text")}`)
			: null,
		finished ? h("p", {}, t(closed ? "error.table_closed" : "start.finished")) : null,
		h(
			"div",
			{ class: "places" },
			seats.map((seat) => seatCard(seat)),
		),
		h(
			"div",
			{ class: "row" },
			h("a", { class: "button", href: "/watch" }, t("start.watch")),
			h("a", { class: "button", href: "/fairness" }, t("menu.fairness")),
			h("a", { class: "button quiet", href: "/arbiter" }, t("start.arbiter")),
		),
	);
}

const taken = (game) => game.seats.filter((seat) => !absent.has(seat.id));

/** Which seats are taken, where a game can be played by fewer than all. */
function whoPlays(game) {
	if (game.least >= game.seats.length) return null;
	const count = taken(game).length;
	const turn = (seat) => () => {
		absent[absent.has(seat.id) ? "delete" : "add"](seat.id);
		draw();
	};
	return h(
		"div",
		{ class: "stack" },
		h("p", {}, t("start.players", { count, most: game.seats.length, least: game.least })),
		h(
			"div",
			{
				class: "options",
				role: "group",
				"aria-label": t("start.players", { count, most: game.seats.length, least: game.least }),
			},
			game.seats.map((seat) =>
				h(
					"button",
					{
						class: "option",
						"data-key": `plays-${seat.id}`,
						"aria-pressed": String(!absent.has(seat.id)),
						disabled: !absent.has(seat.id) && count <= game.least,
						onclick: turn(seat),
					},
					lookMark(seat.look),
					t("start.plays", { seat: seat.name }),
					absent.has(seat.id) ? "" : " ✓",
				),
			),
		),
	);
}

function newGame() {
	if (!data.may_start) return null;
	const game = data.games.find((one) => one.id === chosen) || (data.games.length === 1 ? data.games[0] : null);
	const body = () => ({
		game: game.id,
		players: Object.fromEntries(game.seats.map((seat) => [seat.id, names[seat.id] || ""])),
		seats: taken(game).map((seat) => seat.id),
		...extras(game),
	});
	return h(
		"section",
		{ class: "panel" },
		h("h2", {}, t("start.new")),
		data.games.length > 1
			? h(
					"div",
					{ class: "options roomy" },
					data.games.map((one) =>
						h(
							"button",
							{
								class: "option",
								"aria-pressed": String(one === game),
								"data-key": `game-${one.id}`,
								onclick: () => {
									chosen = one.id;
									draw();
								},
							},
							one.title,
						),
					),
				)
			: null,
		game
			? [
					data.games.length > 1 ? null : h("h3", {}, game.title),
					edition(game, draw),
					whoPlays(game),
					h(
						"div",
						{ class: "places" },
						taken(game).map((seat) =>
							h(
								"label",
								{},
								t("start.name", { seat: seat.name }),
								h("input", {
									type: "text",
									maxlength: "40",
									autocomplete: "off",
									value: names[seat.id] || "",
									"data-key": `name-${seat.id}`,
									oninput: (event) => {
										names[seat.id] = event.target.value;
									},
								}),
							),
						),
					),
					moreForm(game, data, draw),
					data.running && !data.running.finished ? h("p", { class: "card note" }, t("start.replaces")) : null,
					h(
						"button",
						{ class: "main", "data-key": "new-game", onclick: () => act("/api/games/new", body()) },
						t("start.begin"),
					),
				]
			: null,
	);
}

const when = (began) => (began ? timeText(began, { dateStyle: "medium", timeStyle: "short" }) : "");

/** Where a saved game stands: over, or its turn and who is to act. */
function standing({ finished, stand }) {
	const asked = stand?.asked.join(", ");
	const said = finished ? [t("start.over")] : [stand?.turn, asked && t("start.to_act", { names: asked })];
	const line = said.filter(Boolean).join(" · ");
	return line ? [line, h("br")] : null;
}

/** A saved game comes onto the table; the one that runs there is put away only where that is wanted. */
function resume(one) {
	const go = () => act("/api/games/resume", { id: one.id });
	const here = data.running;
	if (!here || here.finished) return go();
	return open(
		t("start.resume", { game: one.title }),
		h("p", {}, t("start.put_away", { game: here.title })),
		h(
			"div",
			{ class: "row" },
			h(
				"button",
				{
					class: "main",
					"data-key": "resume-yes",
					onclick: () => {
						close();
						return go();
					},
				},
				t("start.resume_yes"),
			),
			h("button", { "data-key": "resume-no", onclick: close }, t("start.resume_no")),
		),
	);
}

function saved() {
	if (!data.may_start || !data.saved.length) return null;
	return h(
		"section",
		{ class: "panel" },
		h("h2", {}, t("start.saved")),
		h(
			"div",
			{ class: "options long" },
			data.saved.map((one) =>
				h(
					"button",
					{
						class: "option",
						"data-key": `resume-${one.id}`,
						onclick: () => resume(one),
					},
					h(
						"span",
						{},
						[one.title, one.players.join(" – "), one.table_name].filter(Boolean).join(" · "),
						h("br"),
						standing(one),
						h(
							"span",
							{ class: "small soft" },
							[when(one.began), t("start.events", { count: one.revision })].filter(Boolean).join(" · "),
						),
					),
				),
			),
		),
	);
}

/** The address of this table for the next device to scan. */
async function showAddress() {
	const answer = shared ? null : await get("/api/address");
	if (answer && !answer.ok) note = answer.error.sentence;
	shared = answer?.ok ? answer.data : null;
	draw();
}

const addressButton = () =>
	h(
		"button",
		{ "data-key": "address", "aria-expanded": String(Boolean(shared)), onclick: showAddress },
		t("start.address"),
	);

const addressCode = () =>
	shared
		? h(
				"div",
				{ class: "stack", "data-address": shared.url },
				...codes(shared, t("start.address_qr")),
				h("p", { class: "small soft" }, t("start.address_text")),
			)
		: null;

function draw() {
	if (!data) return show($("start"), h("p", { class: "panel" }, note || t("start.loading")));
	return show(
		$("start"),
		h(
			"header",
			{ class: "hero" },
			h("div", {}, h("h1", {}, t("app.title")), h("p", { class: "soft" }, t("start.lead"))),
			languageButtons(""),
		),
		note ? h("p", { class: "card note", role: "alert" }, note) : null,
		data.virtual ? virtualTable() : null,
		data.running ? [running(), newGameFolded(), saved()] : [newGame(), saved()],
		h(
			"section",
			{ class: "panel" },
			h("h2", {}, t("start.more")),
			h(
				"div",
				{ class: "row" },
				h("a", { class: "button", href: "/setup" }, t("setup.title")),
				h("a", { class: "button", href: "/health" }, t("menu.health")),
				addressButton(),
			),
			addressCode(),
			h("h3", {}, t("menu.theme")),
			themeButtons(),
		),
	);
}

/** What this table is without hardware, and that one person may play all seats here. */
const virtualTable = () =>
	h(
		"section",
		{ class: "panel", "data-key": "virtual-table" },
		h("p", {}, t("start.virtual")),
		h("p", {}, h("a", { class: "button", href: "/virtual" }, t("start.virtual_show"))),
	);

let unfolded = false;
function newGameFolded() {
	if (!data.may_start) return null;
	return unfolded
		? newGame()
		: h(
				"p",
				{},
				h(
					"button",
					{
						class: "quiet",
						"data-key": "unfold",
						onclick: () => {
							unfolded = true;
							draw();
						},
					},
					t("start.new"),
				),
			);
}

await load();
new Live(
	"watch",
	() => {
		if (!$("start").contains(document.activeElement) || document.activeElement.tagName !== "INPUT") load();
	},
	() => {},
);
