// The land of the board, painted once into a bitmap: a tap then paints what lies on it, never the land itself.

import { h } from "./dom.js";

export const TAGS = { settlement: "⌂", fortification: "▣", mustering: "⚑", stronghold: "♜", city: "⌂", town: "∘" };
const GLYPHS = {
	mountain: "M-14 8 L-5 -8 L2 3 L6 -3 L14 8",
	hill: "M-14 6 Q-7 -8 0 5 Q6 -4 13 6",
	swamp: "M-13 -3 q4 -4 8 0 t8 0 t8 0 M-13 4 q4 -4 8 0 t8 0 t8 0",
	ruins: "M-11 8 V-5 H-5 V0 H0 V-8 H6 V-2 H11 V8",
	forest: "M-8 8 V3 L-14 3 L-8 -9 L-2 3 L-8 3 M7 8 V3 L1 3 L7 -9 L13 3 L7 3",
};
const FORD = "M-3 0 L-19 -11 V11 Z M3 0 L19 -11 V11 Z"; // two triangles that face each other across the river
const RINGS = {
	yellow: "#c9a227",
	red: "#b5483c",
	blue: "#4a7fb5",
	green: "#5e9152",
	brown: "#7a5230",
	lime: "#8fb53a",
	sky: "#7fb3d6",
	orange: "#c97a27",
};
const TERRAIN = ["mountain", "hill", "plain", "swamp", "ruins", "forest", "water"];

/** Lines by kind: [colour of the theme, width, opacity, dashes], in units of a sign on the board. */
const LINES = {
	border: ["--land-ink", 1.6, 0.55, []],
	slope: ["--land-ink", 3, 1, [2, 4]],
	river: ["--river", 9, 1, []],
	coast: ["--river", 3, 1, []],
	wall: ["--land-ink", 6, 1, []],
	black: ["--land-ink", 6, 1, []],
	pass: ["--brass", 5, 1, [7, 6]],
};
const ROOM = [-32, -58, 64, 62]; // of what is printed at a place: left, top, width, height, in units of a sign
const UNDER = 0.35; // opacity of what is printed where figures stand on it

export const path = (points, close) => `M${points.map((p) => `${p[0]} ${p[1]}`).join("L")}${close ? "Z" : ""}`;

/** What is printed at a place: ring of its territory, sign of its terrain, marks; null where there is nothing. */
function printedAt(data, place) {
	const region = place.kind === "region";
	const ring = region ? RINGS[data.territories[place.territory]?.colour] : null;
	const glyph = region && GLYPHS[place.terrain] ? new Path2D(GLYPHS[place.terrain]) : null;
	const text = place.tags
		.map((tag) => TAGS[tag])
		.filter(Boolean)
		.join(" ");
	return place.kind !== "rock" && (ring || glyph || text) ? { ring, glyph, text } : null;
}

export class Land {
	/** `data`: the board as JSON; `unit`: board units of a sign while the whole board is in sight. */
	constructor(data, unit) {
		this.data = data;
		this.unit = unit;
		this.colours = {};
		this.canvas = h("canvas", { class: "boardland", "aria-hidden": "true" });
		this.shapes = Object.values(data.places).map((place) => ({
			kind: place.kind === "region" || place.terrain === "water" ? place.terrain : place.kind,
			shape: new Path2D(path(place.outline, true)),
		}));
		this.lines = data.lines
			.filter((line) => LINES[line.kind] && line.points.length > 1)
			.map((line) => ({ kind: line.kind, shape: new Path2D(path(line.points, false)) }));
		this.fords = data.lines.filter((line) => line.kind === "ford").map((line) => this.ford(line));
		this.printed = Object.fromEntries(
			Object.values(data.places)
				.map((place) => [place.id, printedAt(data, place)])
				.filter(([, printed]) => printed),
		);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.again());
		new MutationObserver(() => this.again()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
	}

	ford(line) {
		const [a, b] = line.between.map((id) => this.data.places[id].label);
		return { at: line.points[Math.floor(line.points.length / 2)], turn: Math.atan2(b[1] - a[1], b[0] - a[0]) };
	}

	again() {
		this.colours = {};
		if (this.last && this.canvas.isConnected) this.draw(...this.last);
	}

	/** A value of the theme, asked of the page once: asking styles the page. */
	theme(name) {
		return (this.colours[name] ??= getComputedStyle(document.documentElement).getPropertyValue(name).trim());
	}

	/**
	 * Paints it, or of it only what is printed at the places `only`. `view`: {x, y, scale} of the part in sight and
	 * `size`: [width, height], in CSS pixels; `mark`: board units of one unit of a sign; `at(place)`: where the signs
	 * of a place stand; `under`: places on which figures stand.
	 */
	draw(view, size, mark, at, under, only = null) {
		this.last = [view, size, mark, at, under];
		const dense = Math.min(3, window.devicePixelRatio || 1);
		const [width, height] = size.map((pixels) => Math.max(1, Math.round(pixels * dense)));
		if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
		const pen = this.canvas.getContext("2d");
		const theme = (name) => this.theme(name);
		const scale = view.scale * dense;
		pen.save();
		pen.setTransform(1, 0, 0, 1, 0, 0);
		if (only)
			this.clip(
				pen,
				only.map((id) => at(this.data.places[id])),
				view,
				scale,
				mark,
			);
		pen.clearRect(0, 0, width, height);
		pen.setTransform(scale, 0, 0, scale, -view.x * scale, -view.y * scale);
		[pen.lineJoin, pen.lineCap] = ["round", "round"];
		this.ground(pen, theme, mark);
		for (const ford of this.fords) this.drawFord(pen, ford);
		for (const [id, printed] of Object.entries(this.printed))
			this.sign(pen, theme, printed, at(this.data.places[id]), mark, under.has(id));
		pen.restore();
	}

	/** Nothing but what is printed at these points is painted: whole pixels, so that no seam shows. */
	clip(pen, points, view, scale, mark) {
		const [left, top, width, height] = ROOM.map((one) => one * mark * scale);
		pen.beginPath();
		for (const [x, y] of points)
			pen.rect(
				Math.floor((x - view.x) * scale + left),
				Math.floor((y - view.y) * scale + top),
				Math.ceil(width) + 1,
				Math.ceil(height) + 1,
			);
		pen.clip();
	}

	ground(pen, theme, mark) {
		const [hair, paper, sunk, line] = ["--hair", "--sheet", "--sunk", "--line"].map(theme);
		const colours = Object.fromEntries([...TERRAIN, "other"].map((kind) => [kind, theme(`--land-${kind}`)]));
		for (const { kind, shape } of this.shapes) {
			const wet = kind === "water" || kind === "river";
			pen.fillStyle =
				kind === "rock" ? sunk : kind === "box" ? paper : wet ? colours.water : colours[kind] || colours.other;
			pen.fill(shape);
			if (kind === "rock") continue;
			pen.strokeStyle = wet ? colours.water : kind === "box" ? line : hair;
			pen.lineWidth = (kind === "box" ? 2 : 1.2) * mark;
			pen.stroke(shape);
		}
		for (const { kind, shape } of this.lines) {
			const [colour, width, opacity, dashes] = LINES[kind];
			pen.strokeStyle = theme(colour);
			pen.lineWidth = width * mark;
			pen.globalAlpha = opacity;
			pen.setLineDash(dashes.map((dash) => dash * mark));
			pen.stroke(shape);
		}
		pen.globalAlpha = 1;
		pen.setLineDash([]);
	}

	drawFord(pen, { at, turn }) {
		pen.save();
		pen.translate(...at);
		pen.rotate(turn);
		pen.scale(this.unit, this.unit);
		const shape = new Path2D(FORD);
		Object.assign(pen, { fillStyle: "#fffaf0", strokeStyle: "#3b2f20", lineWidth: 1.5 });
		pen.fill(shape);
		pen.stroke(shape);
		pen.restore();
	}

	sign(pen, theme, { ring, glyph, text }, [x, y], mark, under) {
		const faint = under ? UNDER : 1;
		pen.save();
		pen.translate(x, y);
		pen.scale(mark, mark);
		if (ring) {
			Object.assign(pen, { strokeStyle: ring, lineWidth: 4, globalAlpha: 0.8 * faint });
			pen.beginPath();
			pen.arc(0, -26, 19, 0, 2 * Math.PI);
			pen.stroke();
		}
		if (glyph) {
			pen.save();
			pen.translate(0, -26);
			Object.assign(pen, { strokeStyle: theme("--land-ink"), lineWidth: 1.6, globalAlpha: 0.45 * faint });
			pen.stroke(glyph);
			pen.restore();
		}
		if (text) {
			Object.assign(pen, {
				fillStyle: theme("--land-ink"),
				font: `700 13px ${theme("--sans")}`,
				textAlign: "center",
				globalAlpha: faint,
			});
			pen.fillText(text, 0, -40);
		}
		pen.restore();
	}
}
