// Figures and markers on the board, in CSS pixels around (0, 0). Drawn from data; nothing here knows a game.

import { s } from "./dom.js";
import { figureOf, inkClass, letters, pieceSign, plate, signWidth, silhouette } from "./signs.js";
import { lookOf, seatClass } from "./looks.js";

/** Of a silhouette, and of a number: from near by, and smaller where many have to stand beside each other. */
const SIZES = { full: [25, 19], sketch: [22, 17], number: [22, 17] };
const WIDE = 0.56; // of a digit, in heights
const GAP = 3; // between parts
const COINS = 2; // characters that a sketch still shows

const DROP = "M0 -17C8 -6 12 -1 12 5A12 12 0 0 1 -12 5C-12 -1 -8 -6 0 -17Z";
const STAR = "M0 -17.5L5.2 -6.2 17.5 -5 8.3 3.7 11 15.8 0 9.6 -11 15.8 -8.3 3.7 -17.5 -5 -5.2 -6.2Z";
const POLE = "M-7 16V-15";
const FLAGS = { round: "M-6 -15H13Q17 -8 13 -1H-6Z", other: "M-6 -15H15L9 -8 15 -1H-6Z" };
const FORMS = { damage: [DROP, 4.5], leadership: [STAR, 0.5] };

const number = (text, x, y, size, start = true) =>
	s("text", { x, y: y + size * 0.345, class: `num ${start ? "start" : ""}`, "font-size": size }, text);

/** A marker: damage as a drop, leadership as a star, control as its holder's flag, others as a tile. */
function marker(one, x, y) {
	const at = `translate(${x} ${y})`;
	if (one.id === "control") {
		const flag = FLAGS[lookOf(one.seat)?.shape] || FLAGS.other;
		return s(
			"g",
			{ class: "flag", transform: at },
			s("path", { class: "pole", d: POLE }),
			s("path", { class: seatClass(one.seat, "plate") || "plate-none", d: flag }),
		);
	}
	const form = FORMS[one.id];
	const sign = figureOf(one.id)?.sign;
	const two = one.count > 1;
	return s(
		"g",
		{ class: `marker ${form ? one.id : "tile"} ${seatClass(one.seat, "edge")}`, transform: at },
		form
			? [s("path", { d: form[0] }), number(one.count, 0, form[1], 16, false)]
			: [
					s("rect", { x: -14, y: -12, width: 28, height: 24, rx: 4 }),
					sign ? silhouette(sign, two ? -5 : 0, 0, 18) : letters(one.name[0], two ? -6 : 0, 0, 18),
					two ? number(one.count, 7.5, 0, 16, false) : null,
				],
	);
}

/** A marker as a picture of its own, for lists and cards. */
export const markerPicture = (one, size) =>
	s(
		"svg",
		{ class: "figure", viewBox: "-22 -22 44 44", width: size, height: size, "aria-hidden": "true" },
		marker(one, 0, 0),
	);

/** Cells in as few rows as have room, each row about equally wide. */
function rowsOf(cells, room) {
	const total = cells.reduce((sum, cell) => sum + cell.w, 0);
	if (total <= room || cells.length < 2) return [cells];
	const wide = (row) => row.reduce((sum, cell) => sum + cell.w, 0);
	let best = { most: Infinity, all: [cells] };
	const cut = (from, left, done) => {
		if (left === 1) {
			const all = [...done, cells.slice(from)];
			const most = Math.max(...all.map(wide));
			if (most < best.most) best = { most, all };
			return;
		}
		for (let to = from + 1; to <= cells.length - left + 1; to += 1) cut(to, left - 1, [...done, cells.slice(from, to)]);
	};
	cut(0, Math.min(3, Math.ceil(total / room), cells.length), []);
	return best.all;
}

/** What a plate shows from so near: every piece; the commonest with the total and a few characters; the total. */
function cellsOf(units, characters, near) {
	const [icon, digit] = SIZES[near];
	const coins = characters.map((piece) => ({ piece, coin: true, w: icon + 7 }));
	const cell = (piece, count, always) => {
		const shown = count > 1 || always ? count : 0;
		const sign = signWidth(piece, icon);
		const w = sign + (shown ? 8 + digit * WIDE * String(shown).length : 6);
		return { piece, count: shown, elite: !always && figureOf(piece.id)?.elite, sign, w };
	};
	if (near === "full") return [...units.map((piece) => cell(piece, piece.count, false)), ...coins];
	const total = units.reduce((sum, piece) => sum + piece.count, 0);
	const commonest = [...units].sort((a, b) => b.count - a.count)[0];
	if (near === "number" && total)
		return [{ count: total, bare: true, w: 6 + digit * WIDE * String(total).length, elite: false }];
	return [...(commonest ? [cell(commonest, total, true)] : []), ...coins.slice(0, near === "number" ? 1 : COINS)];
}

function drawCell(cell, x, y, seat, [icon, digit]) {
	const middle = x + (cell.sign || icon) / 2 + 3;
	if (cell.coin)
		return s(
			"g",
			{ class: "coinmark" },
			s("circle", { cx: middle, cy: y, r: icon / 2 + 2 }),
			pieceSign(cell.piece, middle, y, icon - 3),
		);
	if (cell.bare) return number(cell.count, x + 3, y, digit);
	return [
		pieceSign({ ...cell.piece, seat }, middle, y, icon),
		cell.elite ? s("path", { class: "elite", d: `M${middle - 9} ${y + icon / 2 + 1.2}h18` }) : null,
		cell.count ? number(cell.count, middle + cell.sign / 2 + 3, y, digit) : null,
	];
}

/** The army of one seat at a place: one plate in its colour and outline, a cell a kind of unit. */
function army(seat, units, characters, near, room) {
	const high = SIZES[near][0] + 7;
	const rows = rowsOf(cellsOf(units, characters, near), room);
	const wide = (row) => row.reduce((sum, cell) => sum + cell.w, 0);
	const w = Math.max(...rows.map(wide)) + 8;
	const h = rows.length * high + 4;
	const nodes = plate(seat, w, h, units.length ? "" : "coin");
	rows.forEach((row, at) => {
		let x = -wide(row) / 2;
		const y = -h / 2 + 2 + high * (at + 0.5);
		row.forEach((cell, i) => {
			nodes.push(drawCell(cell, x, y, seat, SIZES[near]));
			x += cell.w;
			if (i < row.length - 1 && !cell.coin && !row[i + 1].coin)
				nodes.push(s("path", { class: "part", d: `M${x} ${y - high * 0.32}v${high * 0.64}` }));
		});
	});
	return { node: s("g", { class: `army ${inkClass(seat)}` }, nodes), w, h };
}

/** A piece that stands apart from armies: a coin. */
function coin(piece) {
	const w = piece.count > 1 ? 46 : 34;
	const node = s(
		"g",
		{ class: `army ${inkClass(piece.seat)}` },
		plate(piece.seat, w, 32, "coin"),
		pieceSign(piece, piece.count > 1 ? -8 : 0, 0, 24),
		piece.count > 1 ? number(piece.count, 8, 0, 17) : null,
	);
	return { node, w, h: 32 };
}

/** Each seat's pieces at a place: units, characters, those that stand apart. */
function sidesOf(pieces) {
	const sides = new Map();
	for (const piece of pieces) {
		const side = sides.get(piece.seat) || { units: [], characters: [], apart: [] };
		side[piece.kind === "character" ? "characters" : piece.kind === "special" ? "apart" : "units"].push(piece);
		sides.set(piece.seat, side);
	}
	return sides;
}

/**
 * What stands at a place: {nodes, w, top, bottom} in CSS pixels around (0, 0). `near`: "full", "sketch" or "number";
 * `room`: how wide a plate may be before it gets a second row.
 */
export function figures({ pieces = [], markers = [] }, near, room) {
	const parts = [];
	for (const [seat, { units, characters, apart }] of sidesOf(pieces)) {
		if (units.length || characters.length) parts.push(army(seat, units, characters, near, room));
		for (const piece of near === "number" && units.length ? [] : apart) parts.push(coin(piece));
	}
	const control = markers.filter((one) => one.id === "control");
	const hanging = markers.filter((one) => one.id !== "control");
	const w = parts.reduce((sum, part) => sum + part.w, 0) + GAP * Math.max(0, parts.length - 1);
	const h = Math.max(0, ...parts.map((part) => part.h));
	const nodes = [];
	let x = -w / 2;
	for (const part of parts) {
		// a part of its own stands in the middle already
		if (parts.length > 1) part.node.setAttribute("transform", `translate(${x + part.w / 2} 0)`);
		nodes.push(part.node);
		x += part.w + GAP;
	}
	const shown = near === "number" && parts.length ? [] : hanging;
	const step = 31;
	shown.forEach((one, i) => nodes.push(marker(one, (i - (shown.length - 1) / 2) * step, parts.length ? h / 2 + 9 : 0)));
	let [left, right] = [Math.max(w, shown.length * step) / 2, Math.max(w, shown.length * step) / 2];
	if (control.length) {
		const bare = !parts.length && !shown.length;
		nodes.push(marker(control[0], bare ? 0 : right + 10, bare ? 0 : -4));
		if (bare) left = right = 12;
		else right += 26;
	}
	const low = parts.length ? h / 2 + (shown.length ? 26 : 3) : shown.length || control.length ? 17 : 0;
	const top = parts.length ? -h / 2 - 2 : low ? -17 : 0;
	// what is between the parts belongs to the place as they do
	if (nodes.length)
		nodes.unshift(s("rect", { class: "back", x: -left, y: top, width: left + right, height: low - top }));
	return { nodes, left, right, top, bottom: low };
}
