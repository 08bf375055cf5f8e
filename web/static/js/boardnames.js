// Names on the board: in lines, beside what stands there, without covering each other.

import { s } from "./dom.js";

const LETTER = 8.6; // mean width of a letter, in the units of a text of 18
const LINE = 18;
const LONGEST = 12;

/** Lines of a name: broken at spaces and after hyphens, balanced. */
export function lines(name) {
	const parts = name.match(/[^\s-]*-|[^\s-]+/g) ?? [name];
	if (name.length <= LONGEST || parts.length < 2) return [name];
	const join = (list) =>
		list.reduce((text, part) => (text === "" || text.endsWith("-") ? text + part : `${text} ${part}`), "");
	const count = Math.min(parts.length, name.length > 24 ? 3 : 2);
	let best = null;
	const cuts = (from, left, done) => {
		if (left === 1) {
			const all = [...done, join(parts.slice(from))];
			const width = Math.max(...all.map((line) => line.length));
			if (!best || width < best.width) best = { width, all };
			return;
		}
		for (let to = from + 1; to <= parts.length - left + 1; to += 1)
			cuts(to, left - 1, [...done, join(parts.slice(from, to))]);
	};
	cuts(0, count, []);
	return /** @type {{ width: number, all: string[] }} */ (/** @type {unknown} */ (best)).all;
}

const overlap = (a, b) =>
	Math.max(0, Math.min(a.x2, b.x2) - Math.max(a.x1, b.x1)) * Math.max(0, Math.min(a.y2, b.y2) - Math.max(a.y1, b.y1));

/**
 * Where the names go. `wanted`: [{id, name, at: [x, y], top, bottom, half, must, small}] in board units, the most
 * important first; `taken`: rectangles of what stands on the board; `mark`: board units of one unit of text;
 * `size`: [width, height] of the board. Gives {id, key, at, draw} of each name: `draw()` makes its SVG text, `at` is
 * where that goes, `key` the same as long as it looks the same; one that need not be there is left out where it would
 * cover another.
 */
export function placeNames(wanted, taken, mark, size) {
	const placed = [];
	const nodes = [];
	for (const one of wanted) {
		const text = lines(one.name);
		const scale = mark * (one.small ? 15 / 18 : 1);
		const half = (Math.max(...text.map((line) => line.length)) * LETTER * scale) / 2;
		const height = text.length * LINE * scale;
		let best = null;
		for (const [dx, y, dear] of candidates(one, half, height, mark)) {
			const x = Math.min(Math.max(one.at[0] + dx, half + 2 * mark), size[0] - half - 2 * mark);
			const top = Math.min(Math.max(y, 0), size[1] - height);
			const box = { x1: x - half, x2: x + half, y1: top, y2: top + height };
			const names = placed.reduce((sum, other) => sum + overlap(box, other), 0);
			const cost =
				dear * mark * mark +
				3 * names +
				taken.reduce((sum, other) => sum + (other.id === one.id ? overlap(box, other) * 2 : overlap(box, other)), 0);
			if (!best || cost < best.cost) best = { cost, names, box, x, top };
		}
		if (!one.must && best.cost > half * height) continue;
		placed.push(best.box);
		const at = `translate(${best.x.toFixed(1)} ${best.top.toFixed(1)}) scale(${mark.toFixed(4)})`;
		nodes.push({
			id: one.id,
			key: `${one.small}${text.join("|")}`,
			at,
			draw: () =>
				s(
					"text",
					{ class: `place-name ${one.small ? "box" : ""}`, "data-name": one.id },
					text.map((line, index) => s("tspan", { x: 0, y: ((index + 0.78) * LINE * scale) / mark }, line)),
				),
		});
	}
	return nodes;
}

/** [dx, top edge, how much worse than the best] around the stack. */
function candidates(one, half, height, mark) {
	const [, y] = one.at;
	const below = y + one.bottom + 2 * mark;
	const above = y + one.top - height - 4 * mark;
	const side = one.half + half + 4 * mark;
	const shift = 30 * mark;
	return [
		[0, below, 0],
		[-shift, below, 40],
		[shift, below, 40],
		[0, above, 250],
		[-shift, above, 290],
		[shift, above, 290],
		[0, below + height * 0.6, 300],
		[side, y - height / 2, 350],
		[-side, y - height / 2, 350],
	];
}
