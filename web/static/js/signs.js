// Silhouettes of figures and faces of dice: from the data of the board on the table, drawn wherever they are named.

import { s } from "./dom.js";
import { isBright, lookOf, seatClass } from "./looks.js";

const DIE_BOX = "-4 -6 130 132";
const BOX = 512; // silhouettes are drawn in a square of this size
const PIPS = { 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "adgcfi" }; // of nine spots from left to right
let known = { figures: {}, silhouettes: {}, dice: {} };
let sheet = null;

/** The signs of the game on the table. `board`: {figures, silhouettes, dice} of the board as JSON. */
export function setSigns(board) {
	known = { figures: board.figures || {}, silhouettes: board.silhouettes || {}, dice: board.dice || {} };
	sheet?.remove();
	const shapes = Object.entries(known.silhouettes).map(([name, d]) => s("path", { id: `sign-${name}`, d }));
	sheet = s(
		"svg",
		{ class: "signs", width: 0, height: 0, "aria-hidden": "true" },
		s("defs", {}, shapes, diceSymbols(), sheen()),
	);
	document.body.append(sheet);
}

/** Light from above, on plates. */
const sheen = () =>
	s(
		"linearGradient",
		{ id: "sheen", x1: 0, y1: 0, x2: 0, y2: 1 },
		[
			[0, "#fff", 0.2],
			[0.5, "#fff", 0],
			[1, "#000", 0.16],
		].map(([offset, colour, opacity]) => s("stop", { offset, "stop-color": colour, "stop-opacity": opacity })),
	);

/** How a piece or marker is drawn: {sign, elite}; null where it has no silhouette. */
export const figureOf = (id) => known.figures[id] || null;

/** A silhouette around a point, in the current colour. */
export const silhouette = (sign, x, y, size) =>
	s("use", { href: `#sign-${sign}`, transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / BOX})` });

/** A letter or two in the place of a silhouette. */
export const letters = (text, x, y, size) =>
	s("text", { x, y: y + size * 0.24, class: "letters", "font-size": 16 }, text);

/** How wide what stands for a piece is, in a row of silhouettes of a size. */
export const signWidth = (piece, size) =>
	figureOf(piece.id) ? size : Math.max(size, 9.5 * (piece.short || piece.name.slice(0, 2)).length + 2);

/** Banners: each colour has a cut of its own. */
const BANNERS = { green: "M0 0L14 5 0 10Z", blue: "M0 0H13V10H0Z", red: "M0 0H15L10 5 15 10H0Z" };

/** What stands for a piece around a point: its silhouette, with its banner where it bears one, or its short name. */
export function pieceSign(piece, x, y, size) {
	const figure = figureOf(piece.id);
	if (!figure) return letters(piece.short || piece.name.slice(0, 2), x, y, size);
	const sign = silhouette(figure.sign, x, y, size);
	if (!figure.banner) return sign;
	const at = `translate(${x - size / 2 - 3} ${y - size / 2 - 4})`;
	return [sign, s("path", { class: `banner banner-${figure.banner}`, d: BANNERS[figure.banner], transform: at })];
}

/** The outline of a plate, w wide and h high around (0, at): each seat of a game has another, besides its colour. */
export function outline(shape, w, h, at = 0) {
	const x = w / 2;
	const [top, low] = [at - h / 2, at + h / 2];
	const c = Math.min(x, h / 2);
	if (shape === "pointed") {
		const k = Math.min(9, c * 0.55);
		return `M${k - x} ${top}H${x - k}L${x} ${top + k}V${low - k}L${x - k} ${low}H${k - x}L${-x} ${low - k}V${top + k}Z`;
	}
	if (shape === "square") return `M${-x} ${top}H${x}V${low}H${-x}Z`;
	if (shape === "slanted") return `M${6 - x} ${top}H${x + 4}L${x - 6} ${low}H${-x - 4}Z`;
	if (shape === "house") return `M${-x} ${top + 3}L0 ${top - 6}L${x} ${top + 3}V${low}H${-x}Z`;
	const r = Math.min(13, c);
	const arc = `A${r} ${r} 0 0 1`;
	const right = `H${x - r}${arc} ${x} ${top + r}V${low - r}${arc} ${x - r} ${low}`;
	return `M${r - x} ${top}${right}H${r - x}${arc} ${-x} ${low - r}V${top + r}${arc} ${r - x} ${top}Z`;
}

/** The ground of a plate or coin in a seat's colour and outline. */
export function plate(seat, w, h, kind = "") {
	const shape = lookOf(seat)?.shape || "square";
	return [
		s("path", { class: "cast", d: outline(shape, w + 3, h + 3, 2.5) }),
		s("path", {
			class: `plate ${kind} ${seatClass(seat, "plate") || "plate-none"}`,
			d: outline(shape, w, h),
		}),
		s("path", { fill: "url(#sheen)", d: outline(shape, w, h) }),
	];
}

/** Whether letters on a seat's plates are dark. */
export const inkClass = (seat) => (isBright(seat) ? "ink-dark" : "ink-light");

/** A figure on its base as a picture of its own, for lists and cards. */
export function figurePicture(piece, size = 40) {
	const coin = piece.kind === "character" || piece.kind === "special";
	const elite = figureOf(piece.id)?.elite;
	return s(
		"svg",
		{
			class: `figure ${inkClass(piece.seat)}`,
			viewBox: "-22 -22 44 44",
			width: size,
			height: size,
			"aria-hidden": "true",
		},
		plate(piece.seat, 36, 34, coin ? "coin" : ""),
		pieceSign(piece, 0, 0, 26),
		elite ? s("path", { class: "elite", d: "M-9 14h18" }) : null,
	);
}

/** Signs in rows of at most two, each a silhouette by the id of a figure with a number beside it: a card's cells. */
export function signCells(cells, size = 26) {
	const columns = Math.min(2, cells.length);
	const rows = Math.ceil(cells.length / columns);
	return s(
		"svg",
		{
			class: "sign-cells",
			viewBox: `0 0 ${30 * columns} ${30 * rows}`,
			width: columns * size,
			height: rows * size,
			"aria-hidden": "true",
		},
		cells.map(([id, text], at) => {
			const [x, y] = [30 * (at % columns) + 15, 30 * Math.floor(at / columns) + 15];
			return s(
				"g",
				{},
				s("rect", { x: x - 14, y: y - 14, width: 28, height: 28, rx: 3 }),
				figureOf(id) ? silhouette(figureOf(id).sign, text ? x - 4 : x, y, text ? 18 : 22) : null,
				text ? s("text", { x: figureOf(id) ? x + 9 : x, y: y + 6, "font-size": 17 }, text) : null,
			);
		}),
	);
}

// dice

/** The symbol of a face, in a box of 100; what is cut out shows the body. */
function symbol(face) {
	const drawn = known.dice.symbols?.[face];
	if (PIPS[face])
		return [...PIPS[face]].map((letter) => {
			const spot = letter.charCodeAt(0) - 97;
			return s("circle", { cx: 50 + 34 * ((spot % 3) - 1), cy: 50 + 34 * (Math.floor(spot / 3) - 1), r: 14 });
		});
	if (drawn.both)
		return [
			s("g", { transform: "translate(-6 -6) scale(.6)" }, symbol(drawn.both[0])),
			s("g", { transform: "translate(46 44) scale(.6)" }, symbol(drawn.both[1])),
			s("path", { d: "M98 2 2 98", class: "parting" }),
		];
	return drawn.paths.map(([d, cut]) => s("path", { d, class: cut ? "cut" : "" }));
}

const OVER = {
	hit: "M95 16l7 7 12-13",
	again: "M112 17a8.5 8.5 0 1 1-4-8.5m1-6v8h-8",
};
const ring = () => s("rect", { class: "ring", x: 1, y: 0, width: 118, height: 116, rx: 28 });

/** Bodies, faces and signs of dice, each drawn once. */
function diceSymbols() {
	const dotted = (face) => {
		const { dots = 0, both } = known.dice.symbols?.[face] || {};
		const scale = PIPS[face] ? 0.86 : dots ? 0.66 : both ? 0.84 : 0.8;
		const off = 60 - 50 * scale;
		return [
			s(
				"g",
				{ class: "symbol", transform: `translate(${off} ${off - (dots ? 10 : 3)}) scale(${scale})` },
				symbol(face),
			),
			Array.from({ length: dots }, (_, i) =>
				s("circle", { class: "symbol", cx: 60 + (i - (dots - 1) / 2) * 15, cy: 100, r: 5 }),
			),
		];
	};
	const one = (name, ...parts) => s("symbol", { id: `die-${name}`, viewBox: DIE_BOX, overflow: "visible" }, parts);
	return [
		one(
			"solid",
			s("rect", { class: "cast", x: 5, y: 9, width: 110, height: 110, rx: 25 }),
			s("rect", { class: "rim", x: 4, y: 4, width: 112, height: 112, rx: 25 }),
			s("rect", { class: "body", x: 4, y: 3, width: 112, height: 107, rx: 25 }),
		),
		one("used", s("rect", { class: "hollow", x: 6, y: 6, width: 108, height: 108, rx: 24 })),
		one("asked", ring()),
		...Object.entries(OVER).map(([state, d]) =>
			one(
				state,
				state === "hit" ? ring() : null,
				s("circle", { class: "tick", cx: 104, cy: 16, r: 19 }),
				s("path", { class: "tickmark", d }),
			),
		),
		...[...Object.keys(PIPS), ...Object.keys(known.dice.symbols || {})].map((face) =>
			one(`face-${face}`, dotted(face)),
		),
	];
}

/** Whether a face of a die can be drawn. */
export const isDrawn = (face) => Boolean(PIPS[face] || known.dice.symbols?.[face]);

/** The body of a type of dice; `seat`: of the action dice of a seat, which have its colour. */
export const bodyOf = (type, seat) => known.dice.bodies?.[type] || lookOf(seat)?.colour || "white";

/**
 * A die, showing `face`. `body`: its colour; `state`: "" or "used" (hollow), "hit", "again" (rolled again), "asked" (in
 * question). Its name is for who does not see it; without one it stands beside words that say it.
 */
export function die(face, body, { size = 36, state = "", name = "" } = {}) {
	const ink = known.dice.symbols?.[face]?.ink;
	const use = (one) => s("use", { href: `#die-${one}` });
	return s(
		"svg",
		{
			class: `dieface body-${body} ${state} ${ink ? `face-${ink}` : ""}`,
			viewBox: DIE_BOX,
			width: size,
			height: size,
			...(name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" }),
		},
		use(state === "used" ? "used" : "solid"),
		isDrawn(face)
			? use(`face-${face}`)
			: s("text", { class: "symbol", x: 60, y: 72, "font-size": 44 }, String(face ?? "?").slice(0, 2)),
		state && state !== "used" ? use(state) : null,
	);
}
