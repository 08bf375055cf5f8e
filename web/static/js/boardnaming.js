// The names on the board: which are wanted from where one looks, measured here, placed beside the page, written here.

import { s } from "./dom.js";
import { breaks } from "./boardnames.js";
import { placed } from "./geometry.js";
import { IMPORTANT } from "./landmarks.js";

const LARGE = 18; // CSS pixels of a name of a settlement
const SMALL = 16; // of the others: nothing on a tablet is smaller
const EVERY = 60; // CSS pixels across a place, in the mean, from which places without figures bear names too
const CROWDED = 34; // under which names are small and none stands apart with a line to its place
const FONT = '"Table Serif"';

const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

function widthOf(text, size, weight) {
	const key = `${size} ${weight} ${text}`;
	if (!widths.has(key)) {
		pen.font = `italic ${weight} ${size}px ${FONT}, Georgia, serif`;
		widths.set(key, pen.measureText(text).width);
	}
	return widths.get(key);
}

/** Points along rivers, near enough to each other that a name cannot lie between two. */
const dotted = (lines, scale) =>
	lines.flatMap((line) =>
		line.slice(1).flatMap(([x, y], i) => {
			const [a, b] = line[i];
			const count = Math.max(1, Math.ceil((Math.hypot(x - a, y - b) * scale) / 12));
			return Array.from({ length: count }, (_, n) => [
				(a + ((x - a) * n) / count) * scale,
				(b + ((y - b) * n) / count) * scale,
			]);
		}),
	);

export class NameLayer {
	/** `side`: places them; `rivers`: lines in board units; `list`: the places. */
	constructor(side, rivers, list) {
		const mean = Math.sqrt(list.reduce((sum, place) => sum + areaOf(place.outline), 0) / Math.max(1, list.length));
		this.side = side;
		this.rivers = rivers;
		this.layer = s("g", { class: "names", "aria-hidden": "true" });
		this.written = new Map(); // place -> {key, node}
		this.asked = ""; // the job that is under way or done, and how many names it placed
		this.known = "";
		this.scale = 0;
		/** @type {number[][]} */
		this.water = []; // points along the rivers at this scale
		this.mean = mean; // the mean width of a place, in board units
	}

	/** How dear a name is: up to 1 it has to be there, 2 may; null: it is not wanted. */
	rank({ place, stands, asked }, across) {
		if (place.tags?.includes("siege") && !stands) return null;
		const important = place.tags?.some((tag) => IMPORTANT.includes(tag));
		// where places are too small for their names those come that find room beside the figures, the dearest first
		if (across < CROWDED) return asked ? 0.2 : important && stands ? 0.5 : important || stands ? 1 : null;
		if (important) return 0;
		if (asked || stands || place.kind === "box") return 1;
		return across >= EVERY ? 2 : null;
	}

	/** Writes the names of `wanted` [{place, at, top, bottom, left, right, stands, asked}] around `taken`. */
	async write(wanted, taken, view) {
		const { scale, x, y } = view;
		const across = this.mean * scale;
		const seen = [x * scale, y * scale, x * scale + view.across, y * scale + view.down];
		const names = wanted.flatMap((one) => {
			const rank = this.rank(one, across);
			const [ax, ay] = one.at;
			if (rank === null || ax < seen[0] || ax > seen[2] || ay < seen[1] || ay > seen[3]) return [];
			const { top, bottom, left, right, place } = one;
			const [size, weight] = rank ? [SMALL, 600] : [LARGE, 700];
			const ways = breaks(place.name).map((text) => ({
				text,
				width: Math.max(...text.map((line) => widthOf(line, size, weight))),
			}));
			return [{ id: place.id, ways, at: one.at, top, bottom, left, right, rank, size, lead: rank < 1 || one.asked }];
		});
		if (this.scale !== scale) [this.scale, this.water] = [scale, dotted(this.rivers, scale)];
		const job = { wanted: names, taken, water: this.water, view: seen, scale };
		const key = JSON.stringify([
			names.map((one) => [one.id, one.at, one.rank, one.top, one.bottom]),
			taken,
			seen,
			scale,
		]);
		if (key === this.asked && this.known) this.layer.setAttribute("data-placed", this.known);
		if (key === this.asked) return;
		this.asked = key;
		this.known = "";
		const found = await this.side.ask({ names: job });
		if (found && this.asked === key) this.put(found, scale);
	}

	put(found, scale) {
		const before = this.written;
		this.written = new Map();
		for (const name of found) {
			// what is written is the same wherever it stands: then it is only moved
			const { x, y, lead } = name;
			const key = JSON.stringify([name.text, name.size, lead ? [lead[0] - x, lead[1] - y] : null]);
			const known = before.get(name.id);
			if (known?.key === key) before.delete(name.id);
			const node = known?.key === key ? known.node : this.layer.appendChild(drawn(name));
			const at = placed(x, y, scale);
			if (node.getAttribute("transform") !== at) node.setAttribute("transform", at);
			this.written.set(name.id, { key, node });
		}
		for (const { node } of before.values()) node.remove();
		this.known = String(found.length);
		this.layer.setAttribute("data-placed", this.known);
	}
}

/** The area of a polygon. */
function areaOf(points) {
	let sum = 0;
	for (const [i, [x, y]] of points.entries()) {
		const [a, b] = points[(i + 1) % points.length];
		sum += x * b - a * y;
	}
	return Math.abs(sum) / 2;
}

/** A name around (0, 0), in CSS pixels. */
function drawn({ id, text, size, x, y, box, lead }) {
	const from = lead ? [clamp(lead[0], box.x1, box.x2) - x, clamp(lead[1], box.y1, box.y2) - y] : [];
	const leading = (box.y2 - box.y1 + size * 0.08) / text.length;
	return s(
		"g",
		{
			"data-name": id,
			"data-place": id,
		},
		lead ? s("path", { class: "lead", d: `M${from[0]} ${from[1]}L${lead[0] - x} ${lead[1] - y}` }) : null,
		s("rect", { class: "back", x: box.x1 - x, y: box.y1 - y, width: box.x2 - box.x1, height: box.y2 - box.y1 }),
		s(
			"text",
			{ class: `place-name ${size === LARGE ? "large" : ""}`, "font-size": size },
			text.map((line, i) =>
				s("tspan", { x: 0, y: (-(text.length * leading) / 2 + leading * i + size * 0.76).toFixed(1) }, line),
			),
		),
	);
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
