// Always in sight: phase, turn, scores, devices, the seats with dice and counters, tracks, the last events.

import { $, h, show } from "./dom.js";
import { open, openNotes, openSeat } from "./dialogs.js";
import { openMoment } from "./moment.js";
import { explains } from "./help.js";
import { lookOf, seatClass } from "./looks.js";
import { eventLine } from "./eventline.js";
import { oddsButton } from "./odds.js";
import { bodyOf, die, figurePicture } from "./signs.js";
import { t } from "./words.js";

const FIRST = 2; // counters always in sight; the others are a tap away
const DIE = 34; // CSS pixels of a die beside its seat
const ROOMY = 2; // kinds of figures of one side in a fight that stand there large
const MOST_ROWS = 5; // of tracks that the page has heights for

/** All devices well: one quiet sign.  Otherwise each that is not, by name. */
function deviceButton(health, name, game) {
	return h(
		"button",
		{ class: `dev ${health}`, "data-key": `dev-${name}`, "data-health": health, onclick: () => game.openDevices() },
		name,
		h("span", { class: "unseen" }, `: ${t(`health.${health}`)}`),
	);
}

export function drawBar(host, game) {
	const { state } = game;
	const table = state.table;
	const view = table?.view || {};
	const ill = state.devices.filter((device) => device.health !== "ok");
	const devices = ill.length
		? ill.map((device) => deviceButton(device.health, t(`device.${device.id}`), game))
		: [deviceButton("ok", t("devices.title"), game)];
	show(
		host,
		table ? h("span", { class: "turn" }, view.turn ? view.turn_title || t("bar.turn", { turn: view.turn }) : "") : null,
		table
			? h(
					"button",
					{ class: "quiet phase", "data-key": "phase", onclick: () => game.openPhase() },
					view.phase?.title || table.title,
				)
			: h("span", { class: "phase" }, t("app.title")),
		h("span", { class: "scores" }, table?.tournament ? strictSign() : null, scoresOf(view.scores || [], game)),
		h(
			"span",
			{ class: "lights-row" },
			devices,
			h(
				"span",
				{ class: `dev ${game.linkUp ? "ok" : "away"}`, "data-link": game.linkUp ? "up" : "down" },
				t("device.link"),
				h("span", { class: "unseen" }, `: ${t(game.linkUp ? "health.ok" : "health.away")}`),
			),
			h(
				"button",
				{ "data-key": "menu", "aria-haspopup": "dialog", "aria-label": t("menu.open"), onclick: () => game.openMenu() },
				"☰",
				h("span", { class: "menu-word" }, t("menu.open")),
			),
		),
	);
}

/** Each score with its name; where more than `apart` seats have the same, the name stands once. */
export function scoresOf(list, game, apart = 1) {
	const same = list.length > apart && list.every((one) => one.name === list[0].name);
	return list.map((score, index) =>
		h(
			"span",
			{ class: "score" },
			same && index ? h("span", { class: "unseen" }, score.name) : explains("score", score.id, score.name),
			game.seatMark(score.seat),
			score.seat ? h("span", { class: "unseen" }, game.seatName(score.seat)) : null,
			h("b", {}, score.value),
			score.target ? h("span", { class: "soft" }, `/ ${score.target}`) : null,
		),
	);
}

const strictSign = () =>
	h(
		"button",
		{
			class: "quiet strict",
			"data-key": "tournament",
			onclick: () => open(t("tournament.on"), h("p", {}, t("tournament.text"))),
		},
		t("tournament.on"),
	);

function seatState(game, seat) {
	const { table } = game.state;
	const person = table.people[seat];
	if (table.standing.left.includes(seat)) return [t("seats.left"), "gone"];
	if (!person.held) return [t("seats.free"), "gone"];
	if (!person.connected) return [t("seats.away"), "gone"];
	if (table.halted) return [t("seats.halted"), ""];
	if (table.waiting?.seats.includes(seat)) return [t(`doing.${table.waiting.doing}`), ""];
	return [t("seats.watching"), ""];
}

/** The place of a seat in the order of turns, where the game tells it. */
function turnSign(turn) {
	const words = t("seats.turn", { n: turn });
	return turn ? h("span", { class: "order", role: "img", "aria-label": words, title: words }, turn) : null;
}

export function drawSeats(host, game) {
	const table = game.state.table;
	if (!table) return show(host);
	const view = game.view();
	const many = table.seats.length > 2; // narrower cards: a line each for seat, player and what it does
	host.classList.toggle("many", many);
	$("table").classList.toggle("many", many);
	// numbers that are always in sight take a line of their own
	const short = table.seats.some((seat) => view.seats?.[seat]?.counters.some((one) => one.short));
	$("table").classList.toggle("counted", short);
	const cards = table.seats.map((seat) => {
		const info = view.seats?.[seat] || { name: seat, dice: [], counters: [] };
		const [text, kind] = seatState(game, seat);
		const acting = !table.halted && table.waiting?.seats.includes(seat);
		const counters = info.counters || [];
		const { player } = table.people[seat];
		const you = seat === game.seat ? h("span", { class: "small" }, ` (${t("seats.you")})`) : null;
		const turn = many ? (view.order || []).indexOf(seat) + 1 : 0;
		return h(
			"article",
			{ class: `seatcard ${seatClass(seat)} ${acting ? "acting" : ""}`, "data-seatcard": seat },
			h(
				"div",
				{ class: "top" },
				game.seatMark(seat),
				h(
					"span",
					{ class: "name" },
					info.name,
					many ? turnSign(turn) : h("span", {}, player ? ` · ${player}` : "", you),
				),
				many ? h("span", { class: "player" }, player, you) : null,
				h("span", { class: `state ${kind}` }, text),
				h(
					"button",
					{
						class: "quiet more",
						"data-key": `more-${seat}`,
						"aria-label": t("seats.more", { name: info.name }),
						onclick: () => openSeat(info),
					},
					"⋯",
				),
			),
			h(
				"div",
				{ class: "has" },
				info.dice?.length ? diceLeft(info.dice, seat) : null,
				h("div", { class: "counters" }, counters.filter((one, n) => n < FIRST || one.short).map(counterSign)),
			),
		);
	});
	return show(host, cards);
}

/** A counter of a seat: cards in hand as a card with the initial of their name, others in words. */
function counterSign(counter) {
	const value = h("b", {}, counter.value);
	if (!counter.id.startsWith("hand_"))
		return h(
			"span",
			counter.short ? { role: "img", title: counter.name, "aria-label": `${counter.name} ${counter.value}` } : {},
			`${counter.short || counter.name} `,
			value,
		);
	return h(
		"span",
		{ class: "hand", role: "img", title: counter.name, "aria-label": `${counter.name} ${counter.value}` },
		h("span", { class: "cardsign", "aria-hidden": "true" }, counter.name[0]),
		value,
	);
}

/** Notes of one kind ("In play: A", "In play: B") as one: so all that is in effect has room. */
function together(notes) {
	const kinds = new Map();
	for (const note of notes) {
		const [, kind, what] = note.match(/^([^:·]+): (.+)$/) || [null, note, null];
		kinds.set(kind, [...(kinds.get(kind) || []), what]);
	}
	return [...kinds].flatMap(([kind, whats]) => (whats.includes(null) ? [kind] : [`${kind}: ${whats.join(", ")}`]));
}

/** Tracks and what is in effect. The rows of the page are as high as their number needs, whatever stands on them. */
export function drawTracks(host, game) {
	const table = game.state.table;
	const view = table ? game.view() : {};
	const tracks = (view.tracks || []).map((track) => drawTrack(track, game));
	const notes = together([...(view.tracks || []).map(marksOf), ...(view.notes || [])].filter(Boolean));
	const paired = tracks.length > 3; // two beside each other, so that all have room
	host.classList.toggle("paired", paired);
	$("table").classList.toggle("pairs", paired);
	$("table").dataset.tracks = String(Math.min(MOST_ROWS, paired ? Math.ceil(tracks.length / 2) : tracks.length));
	show(
		host,
		tracks,
		notes.length
			? h(
					"button",
					{ class: "quiet notes", "data-key": "notes", onclick: () => openNotes(notes) },
					h("span", {}, notes.join(" — ")),
				)
			: null,
	);
}

/** The dice still to be used, then those used up, hollow. */
function diceLeft(dice, seat) {
	const left = dice.filter((one) => !one.used);
	const groups = new Map();
	for (const { name } of left) groups.set(name, (groups.get(name) || 0) + 1);
	const words = [...groups].map(([name, count]) => (count > 1 ? `${count} × ${name}` : name));
	return h(
		"div",
		{
			class: `dice-left ${seatClass(seat)}`,
			role: "img",
			"aria-label": `${t("seats.dice", { count: left.length })}: ${words.join(", ")}`,
		},
		[...left, ...dice.filter((one) => one.used)].map((one) =>
			die(one.face, bodyOf("", seat), { size: DIE, state: one.used ? "used" : "" }),
		),
	);
}

/** All markers of a track; the short form with one nameless `marker` counts as one. */
const markersOf = (track) =>
	track.markers ||
	(track.marker === undefined || track.marker === null ? [] : [{ name: "", at: track.marker, seat: null }]);
const spaceName = (track, at) => track.spaces?.[at] ?? String(at);

/** What stands where on a track, in words: "2: Elves, Dwarves · 3: North". */
function trackWords(track) {
	const spaces = new Map();
	for (const one of markersOf(track)) spaces.set(one.at, [...(spaces.get(one.at) || []), one.name || t("track.here")]);
	return [...spaces]
		.sort(([a], [b]) => a - b)
		.map(([at, names]) => `${spaceName(track, at)}: ${names.join(", ")}`)
		.join(" · ");
}

function drawTrack(track, game) {
	const marks = Object.fromEntries((track.marks || []).map((mark) => [mark.at, mark]));
	const markers = markersOf(track);
	const single = markers.length === 1 && !markers[0].name ? markers[0].at : null;
	const cells = Array.from({ length: track.length }, (_, at) => {
		const here = single === null ? markers.filter((one) => one.at === at) : [];
		const kind = single === at ? "here" : single !== null && at < single ? "past" : "";
		return h(
			"span",
			{
				class: `space ${kind} ${marks[at] ? "mark" : ""} ${track.spaces ? "named" : ""} ${here.length ? "held" : ""}`,
				title: marks[at]?.name || track.spaces?.[at] || "",
			},
			single === at ? at : null,
			here.map(trackMarker),
			single === at || here.length
				? null
				: track.spaces
					? track.spaces[at]
					: marks[at]
						? marks[at].short || marks[at].name[0]
						: single === null
							? at
							: "",
		);
	});
	const words = [trackWords(track), marksOf(track)].filter(Boolean).join(". ");
	return h(
		"div",
		{ class: "trackline" },
		explains("track", track.id, h("b", {}, track.name)),
		h(
			"button",
			{
				class: "quiet track grow",
				"data-key": `track-${track.id}`,
				"aria-label": `${track.name}: ${words}`,
				onclick: () => openTrack(track, game),
			},
			cells,
		),
	);
}

/** A marker on its space: two letters in its seat's colour and shape; pale where it is not active. */
function trackMarker(one) {
	const shape = lookOf(one.seat)?.shape;
	return h(
		"span",
		{ class: `pawn ${seatClass(one.seat, "of-seat")} ${shape === "round" ? "round" : ""} ${one.dim ? "dim" : ""}` },
		one.short || one.name.slice(0, 2),
	);
}

/** A track space by space. */
function openTrack(track, game) {
	const rows = Array.from({ length: track.length }, (_, at) => {
		const here = markersOf(track).filter((one) => one.at === at);
		const mark = (track.marks || []).find((one) => one.at === at);
		if (!here.length && !mark && !track.spaces) return null;
		return h(
			"p",
			{},
			h("b", {}, spaceName(track, at)),
			": ",
			mark ? `${mark.name} ` : "",
			here.map((one, index) => [
				index ? ", " : "",
				game.seatMark(one.seat),
				one.seat ? " " : "",
				one.name || t("track.here"),
				one.dim ? ` (${t("track.dim")})` : "",
			]),
		);
	});
	return open(track.name, rows);
}

const marksOf = (track) => (track.marks || []).map((mark) => `${mark.at}: ${mark.name}`).join(" · ");

export function drawLog(host, game) {
	const table = game.state.table;
	if (!table) return show(host);
	const lines = table.log.map((event) =>
		h(
			"li",
			{},
			game.seatMark(event.seat) || h("b", {}, game.seatName(event.seat)),
			h(
				"span",
				{ class: "said" },
				game.seatMark(event.seat) ? h("span", { class: "unseen" }, game.seatName(event.seat), " ") : null,
				eventLine(event),
			),
		),
	);
	const title = h("h2", {}, t("log.title"));
	if (!lines.length) return show(host, title, h("p", { class: "small soft" }, t("log.empty")));
	show(
		host,
		h(
			"div",
			{ class: "row spread" },
			title,
			h("button", { class: "quiet", "data-key": "log-open", onclick: () => openEvents(game) }, t("log.open")),
		),
		h("ol", {}, lines),
	);
}

/** The last events, each a way to its moment: two taps from the table. */
function openEvents(game) {
	open(
		t("log.title"),
		game.state.table.log.map((event) =>
			h(
				"button",
				{ class: "option", "data-key": `event-${event.number}`, onclick: () => openMoment(game, event.number) },
				game.seatMark(event.seat),
				" ",
				h("b", {}, game.seatName(event.seat)),
				" ",
				h("span", { class: "said" }, eventLine(event, 28)),
			),
		),
	);
}

/** A fight has the whole field: who, where, terrain, threshold and why, dice with hits, damage. */
export function drawFocus(focus, game, close) {
	const sides = Object.entries(focus.sides || {}).map(([seat, side]) => {
		return h(
			"section",
			{ class: `combatant ${seatClass(seat)}`, "data-side": seat },
			h(
				"h3",
				{},
				game.seatMark(seat),
				" ",
				game.seatName(seat),
				h("span", { class: "small soft" }, ` · ${t(`focus.${side.role}`)}`),
			),
			h(
				"div",
				{ class: `figures ${side.pieces?.length > ROOMY ? "many" : ""}` },
				(side.pieces || []).map((piece) =>
					h("span", { class: "chip row" }, figurePicture(piece, 34), `${piece.count} × ${piece.name}`),
				),
			),
			h(
				"div",
				{ class: "facts" },
				fact(t("focus.strength"), side.strength),
				fact(t("focus.leadership"), side.leadership),
				fact(t("focus.damage"), side.damage),
				fact(t("focus.dice"), side.dice),
				fact(t("focus.hits"), side.hits),
			),
			side.target
				? h(
						"p",
						{},
						h("b", {}, t("focus.target", { target: side.target })),
						side.target_why?.text ? ` ${side.target_why.text}` : "",
					)
				: null,
			side.why?.length ? h("p", {}, side.why.join(" · ")) : null,
			side.card ? h("p", {}, t("focus.card", { name: side.card.name })) : null,
			rolled(side, seat),
		);
	});
	return h(
		"div",
		{ class: "focus", "data-focus": focus.kind },
		h(
			"div",
			{ class: "row spread" },
			h(
				"div",
				{},
				h("h2", {}, focus.title),
				h(
					"p",
					{ class: "soft" },
					[focus.terrain?.name, focus.round ? t("focus.round", { round: focus.round }) : null]
						.filter(Boolean)
						.join(" · "),
				),
			),
			h(
				"div",
				{ class: "row" },
				oddsButton(game, game.hasOdds),
				h("button", { "data-key": "show-board", onclick: close }, t("focus.board")),
			),
		),
		h("div", { class: "sides" }, sides),
	);
}

/** The dice of a side: as they fell, or hollow as long as they are to be thrown. */
function rolled({ rolled: dice = [], dice: count = 0 }, seat) {
	if (!dice.length && !count) return null;
	const thrown = dice.map((one) =>
		die(one.face, bodyOf(one.type, seat), {
			size: 52,
			state: one.hit ? "hit" : one.rerolled ? "again" : "",
			name: `${one.text || one.face}${one.hit ? `, ${t("focus.hit")}` : ""}`,
		}),
	);
	const hollow = () => Array.from({ length: count }, () => die("", "", { size: 52, state: "used" }));
	return h("div", { class: "rolled" }, thrown.length ? thrown : hollow());
}

const fact = (name, value) =>
	value === undefined || value === null ? null : h("span", {}, `${name} `, h("b", {}, value));
