// Figures and markers on the board. Drawn from data; nothing here knows a game.

import { s } from "./dom.js";
import { isBright, lookOf, seatClass } from "./looks.js";

const DROP = "M0 -12 C7 -3 10 1 10 5 A10 10 0 0 1 -10 5 C-10 1 -7 -3 0 -12 Z";
const STAR = "M0 -13 L4 -4 L13 -4 L6 2 L8.5 12 L0 6 L-8.5 12 L-6 2 L-13 -4 L-4 -4 Z";
const FLAG = "M-8 12 V-12 L10 -7 L-6 -1 V12 Z";
const SQUARE = "M-10 -10 H10 V10 H-10 Z";

/** An outline for each seat of a game: they are told apart not by colour alone. */
const SHAPES = {
	round: "M-12 -14 H12 A14 14 0 0 1 12 14 H-12 A14 14 0 0 1 -12 -14 Z",
	pointed: "M-14 -13 H14 L22 0 L14 13 H-14 L-22 0 Z",
	square: "M-21 -13 H21 V13 H-21 Z",
	slanted: "M-15 -13 H22 L15 13 H-22 Z",
	house: "M-20 -8 L0 -17 L20 -8 V13 H-20 Z",
};
const NARROW = ["pointed", "slanted"]; // outlines with less room for letters
const ROUND = [19, 19, 19, 18, 16, 14, 12]; // size of the letters by their number
const POINTED = [19, 19, 19, 15, 13, 11, 10];

const fill = (seat) => seatClass(seat, "fill-seat") || "fill-none";

function chip(seat, text, x, y, character) {
	const shape = lookOf(seat)?.shape || "round";
	const size = (NARROW.includes(shape) ? POINTED : ROUND)[Math.min(String(text).length, 6)];
	return s(
		"g",
		{
			class: `piece ${character ? "character" : "unit"} ${isBright(seat) ? "bright" : ""}`,
			transform: `translate(${x} ${y})`,
		},
		s("path", { d: SHAPES[shape], class: `stack-shape ${fill(seat)}` }),
		s("text", { "font-size": size }, text),
	);
}

function marker(one, x, y) {
	const known = { damage: DROP, leadership: STAR, control: FLAG }[one.id];
	const kind = one.id === "damage" || one.id === "leadership" ? one.id : "other";
	const group = s("g", { class: `marker ${kind}`, transform: `translate(${x} ${y})` });
	const shape = s("path", { d: known || SQUARE });
	if (one.id === "control") shape.setAttribute("class", fill(one.seat));
	group.append(shape);
	if (one.id !== "control") {
		const text = kind !== "other" ? one.count : one.count > 1 ? `${one.name[0]}${one.count}` : one.name[0];
		group.append(s("text", { y: 1 }, text));
	}
	return group;
}

const inRow = (pieces) => (pieces.length > 4 ? 3 : 2);

/** Half the width of what stands at a place, drawn in full. */
export const halfOf = ({ pieces = [], markers = [] }) =>
	Math.max(Math.min(inRow(pieces), pieces.length) * 25, markers.length * 14);

/** Figures and markers around (0, 0): {nodes, top, bottom, half}; `half` is half their width. */
export function stack(content) {
	const pieces = content.pieces || [];
	const markers = content.markers || [];
	const perRow = inRow(pieces);
	const rows = Math.ceil(pieces.length / perRow);
	const nodes = pieces.map((piece, index) => {
		const row = Math.floor(index / perRow);
		const here = Math.min(perRow, pieces.length - row * perRow);
		const character = piece.kind === "character";
		const text = character || piece.count === 1 ? piece.short : `${piece.count}${piece.short}`;
		return chip(piece.seat, text, ((index % perRow) - (here - 1) / 2) * 50, (row - (rows - 1) / 2) * 30, character);
	});
	let bottom = rows * 15;
	const top = markers.length && !rows ? -13 : -bottom;
	markers.forEach((one, index) =>
		nodes.push(marker(one, (index - (markers.length - 1) / 2) * 27, rows ? bottom + 12 : 0)),
	);
	if (markers.length) bottom += rows ? 25 : 13;
	return { nodes, top, bottom, half: halfOf(content) };
}

/** From afar: one figure a side with the number of its units; a gold rim where a character is among them. */
export function sketch(content) {
	const sides = new Map();
	for (const piece of content.pieces || []) {
		const side = sides.get(piece.seat) || { units: 0, characters: 0 };
		side[piece.kind === "character" ? "characters" : "units"] += piece.count;
		sides.set(piece.seat, side);
	}
	const list = [...sides];
	const nodes = list.map(([seat, side], index) =>
		chip(seat, side.units || "★", 0, (index - (list.length - 1) / 2) * 30, side.characters > 0),
	);
	const control = (content.markers || [])
		.filter((one) => one.id === "control" || (!list.length && one.id !== "control"))
		.slice(0, 1);
	for (const one of control) nodes.push(marker(one, list.length ? 26 : 0, 0));
	const rows = list.length || (control.length ? 1 : 0);
	return { nodes, top: -15 * rows, bottom: 15 * rows, half: nodes.length ? 22 : 0 };
}
