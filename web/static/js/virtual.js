// The virtual table: the LEDs under the board as the firmware sent them, the tray as its camera sees it, and buttons
// for what may go wrong. The rest of the table, its rules and its record are the real ones.

import { $, h, s, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get, post } from "./net.js";
import { Board } from "./board.js";
import { setLooks } from "./looks.js";

const OFTEN = 125; // ms between two looks at the LEDs: blinking and pulsing are seen as they are
const PICTURE = 500; // ms between two pictures of the camera
const SELDOM = 1500; // ms between two looks at all else
const BEAD = 1 / 60; // of the board's height: a LED
const GLOW = 3.2; // how much wider its light is
// what may go wrong, each drawn in a square of 20
const SIGNS = {
	hand: "M5 11V5h2v5M7 9V3h2v6M9 9V3h2v7M11 9V5h2v7c0 4-2 6-4 6-3 0-4-2-5-4l-2-3 2-1 1 1",
	dark: "M15.5 12.5A7 7 0 1 1 8 3.5a5.6 5.6 0 0 0 7.5 9z",
	glare: "M10 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8M10 1v2M10 17v2M1 10h2M17 10h2M4 4l1 1M15 15l1 1M16 4l-1 1M5 15l-1 1",
	bumped: "M3 7h9l3 8H6zM12 7l4-3M2 3l3 1M2 18h4M17 10l1.5-.4",
	cable: "M2 10h5M13 10h5M7 6v8M13 6v8M9 3l2 4M9 17l2-4",
};

await pageReady();
let known = null;
let board = null;
let beads = []; // for each LED what shows it
let beadsOf = "";
let failed = "";

const field = h("div", { class: "virtualboard" });
const beside = h("ul", { class: "beside", "aria-label": t("virtual.beside") });
const lights = h("p", { class: "soft", role: "status" });
const picture = h("img", { class: "live", alt: t("virtual.picture"), width: 640, height: 480 });
const tray = h("div", { class: "stack", role: "status" });
const wrong = h("div", { class: "options wrongs", role: "group", "aria-label": t("virtual.wrong") });
const devices = h("div", { class: "stack" });

show(
	$("virtual"),
	h(
		"header",
		{ class: "hero" },
		h("div", {}, h("h1", {}, t("virtual.title")), h("p", {}, t("virtual.text"))),
		h("a", { class: "button", href: "/" }, t("menu.start")),
	),
	h(
		"div",
		{ class: "virtualparts" },
		h("section", { class: "panel" }, h("h2", {}, t("virtual.board")), field, beside, lights),
		h(
			"div",
			{ class: "stack" },
			h("section", { class: "panel" }, h("h2", {}, t("virtual.tray")), picture, tray),
			h("section", { class: "panel" }, h("h2", {}, t("virtual.wrong")), wrong, devices),
		),
	),
);

/** The board of the game on the table, dimmed: what shines on it are the LEDs alone. */
async function loadBoard() {
	const [found, state] = await Promise.all([get("/api/board"), get("/api/watch/state")]);
	if (!found.ok || !state.ok || !state.data.table) return;
	if (board?.data.digest === found.data.digest) return place(state.data.table);
	setLooks(state.data.table.looks);
	board?.close();
	board = new Board(field, found.data, () => {}, h("div"));
	field.inert = true;
	beadsOf = "";
	place(state.data.table);
}

function place(table) {
	board.update({ view: table.view, lights: {}, targets: {}, chosen: [] });
}

/** A bead for each LED: on the board in a ring around the middle of its place, all others in a row below. */
function layBeads(strip) {
	const key = JSON.stringify([strip.places, strip.beside, board?.data.digest]);
	if (key === beadsOf) return;
	beadsOf = key;
	beads = Array.from({ length: strip.leds }, () => null);
	field.querySelector(".beads")?.remove();
	const layer = s("g", { class: "beads", "aria-hidden": "true" });
	const others = [];
	for (const [name, leds] of Object.entries(strip.places)) {
		const at = board?.data.places[name]?.label;
		if (!at) {
			others.push([name, leds]);
			continue;
		}
		const r = board.data.height * BEAD;
		leds.forEach((led, n) => {
			const turn = (2 * Math.PI * n) / leds.length;
			const out = leds.length > 1 ? r * 2.4 : 0;
			const [x, y] = [at[0] + out * Math.cos(turn), at[1] + out * Math.sin(turn)];
			const glow = s("circle", { class: "glow", cx: x, cy: y, r: r * GLOW });
			const bead = s("circle", { class: "bead", cx: x, cy: y, r });
			layer.append(glow, bead);
			beads[led] = [glow, bead];
		});
	}
	board?.svg.append(layer);
	show(
		beside,
		others.map(([name, leds]) =>
			h(
				"li",
				{},
				leds.map((led) => {
					const bead = h("span", { class: "ledbead" });
					beads[led] = [bead];
					return bead;
				}),
				strip.beside[name] ?? leds.map((led) => led + 1).join(", "),
			),
		),
	);
}

async function shine() {
	const answer = await get("/api/virtual/strip");
	if (!answer.ok) return;
	answer.data.colours.forEach((colour, led) => {
		for (const node of beads[led] || []) {
			if (node.dataset.sent === colour) continue;
			node.dataset.sent = colour;
			node.style.setProperty("--sent", colour === "#000000" ? "transparent" : colour);
		}
	});
}

async function disturb(kind, on) {
	const answer = await post("/api/virtual/disturb", { kind, on });
	failed = answer.ok ? "" : answer.error.sentence;
	if (answer.ok) known = answer.data;
	draw();
}

async function throwDice() {
	const answer = await post(`/api/seat/${known.throws}/dice/throw`, {});
	failed = answer.ok ? "" : answer.error.sentence;
	draw();
}

function draw() {
	if (!known) return show(devices, failed ? h("p", {}, failed) : null);
	const { strip } = known;
	if (strip) layBeads(strip);
	show(
		lights,
		strip
			? t("virtual.lights", { lit: strip.lit, leds: strip.leds, ma: strip.current_ma }) +
					(strip.runs_in === "python" ? ` ${t("virtual.model")}` : ` ${t("virtual.firmware")}`)
			: t("virtual.no_lights"),
	);
	show(
		tray,
		known.throws
			? h("button", { class: "main", "data-key": "virtual-throw", onclick: throwDice }, t("dice.throw"))
			: null,
		known.tray ? h("p", { class: "soft" }, known.tray) : null,
	);
	show(
		wrong,
		Object.keys(SIGNS).map((kind) => {
			const on = known.disturbed.includes(kind);
			return h(
				"button",
				{
					class: "option",
					"data-key": `wrong-${kind}`,
					"aria-pressed": String(on),
					disabled: kind === "cable" && !strip,
					onclick: () => disturb(kind, !on),
				},
				s("svg", { class: "wrongsign", viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: SIGNS[kind] })),
				t(`virtual.wrong.${kind}`),
			);
		}),
	);
	show(
		devices,
		failed ? h("p", { class: "card why" }, failed) : null,
		known.devices.map((one) =>
			h("p", {}, h("b", {}, `${t(`device.${one.id}`)}: ${t(`health.${one.health}`)}`), h("br"), one.text),
		),
	);
	return null;
}

async function look() {
	const answer = await get("/api/virtual");
	failed = answer.ok ? "" : answer.error.sentence;
	if (answer.ok) known = answer.data;
	if (known?.running) await loadBoard();
	draw();
}

/** Does something again and again while the page is in sight, the next time when the last is done. */
function again(act, pause) {
	const next = async () => {
		if (document.visibilityState === "visible") await act();
		setTimeout(next, pause);
	};
	next();
}

again(look, SELDOM);
again(shine, OFTEN);
again(
	() =>
		new Promise((done) => {
			picture.onload = picture.onerror = done;
			picture.src = `/api/virtual/picture.jpg?${Date.now()}`;
		}),
	PICTURE,
);
