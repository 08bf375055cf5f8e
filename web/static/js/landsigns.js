// Peaks, hills, trees, reeds: what stands on the land, each drawn by one function of pen, colours, size and stamp.
// A stamp is {kind, x, y, r, v, rock, ridge, pine}: its foot, how large it is (0 to 1), and a number to vary by.

import { trace } from "./geometry.js";

const part = (v, n) => ((v >> n) & 15) / 15 - 0.5; // -0.5 to 0.5, from four bits

const lines = (pen, parts) => {
	pen.beginPath();
	for (const points of parts) points.forEach((p, i) => (i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1])));
	pen.stroke();
};

/** A mountain, lit from the left; a high one of rock bears snow. */
export function peak(pen, C, s, { x, y, r, v, rock, ridge }) {
	const w = (rock ? 58 + 38 * r : 40 + 26 * r) * s * (ridge ? 0.62 : 1);
	const h = w * (0.72 + 0.34 * r) * (rock ? 1.06 : 0.8);
	const [px, top] = [x + part(v, 0) * w * 0.2, y - h];
	const left = [
		[x - w / 2, y],
		[x - w * 0.33 + part(v, 2) * 5 * s, y - h * 0.36],
		[x - w * 0.17, y - h * (0.66 + part(v, 4) * 0.12)],
		[px, top],
	];
	const right = [
		[px, top],
		[x + w * 0.13, y - h * (0.74 + part(v, 6) * 0.1)],
		[x + w * 0.3, y - h * (0.4 + part(v, 8) * 0.12)],
		[x + w / 2, y],
	];
	const crest = [
		[px + w * 0.07, y - h * 0.72],
		[px - w * 0.05, y - h * 0.5],
		[px + w * 0.08, y - h * 0.27],
		[px - w * 0.01 + part(v, 5) * 4 * s, y],
	];
	trace(pen, [...left, ...crest]);
	pen.fillStyle = rock ? C.rockLit : C.lit;
	pen.fill();
	trace(pen, [...right, ...[...crest].reverse()]);
	pen.fillStyle = rock ? C.rockShade : C.shade;
	pen.fill();
	if (h > 52 * s && rock && !ridge) {
		const edge = [
			[x + w * 0.06, y - h * 0.62],
			[px + w * 0.02, y - h * 0.7],
			[px - w * 0.05, y - h * 0.6],
		];
		trace(pen, [[px, top], right[1], ...edge, left[2]]);
		pen.fillStyle = C.snow;
		pen.fill();
	}
	pen.strokeStyle = C.ink;
	pen.globalAlpha = rock ? 0.8 : 0.62;
	pen.lineWidth = 1.8 * s;
	lines(pen, [[...left, ...right.slice(1)]]);
	pen.lineWidth = 1.1 * s;
	pen.globalAlpha *= 0.7;
	const strokes = [1, 2, 3].map((i) => {
		const [ax, ay] = [px + ((x + w * 0.5 - px) * i) / 4, top + (h * i) / 4];
		return [
			[ax - w * 0.03, ay + h * 0.02],
			[ax - w * 0.16 + part(v, i) * 3 * s, ay + h * 0.18 * (1 - i * 0.1)],
		];
	});
	lines(pen, strokes);
	pen.globalAlpha = 1;
}

/** A hill with strokes on its far side. */
export function hill(pen, C, s, { x, y, r, v }) {
	const w = (44 + 40 * r) * s;
	const h = w * (0.27 + 0.12 * ((v & 7) / 7));
	const dome = () => {
		pen.beginPath();
		pen.moveTo(x - w / 2, y);
		pen.bezierCurveTo(x - w * 0.34, y - h * 1.25, x + w * 0.16, y - h * 1.4, x + w / 2, y);
	};
	dome();
	const light = pen.createLinearGradient(x - w / 2, y - h, x + w / 2, y);
	light.addColorStop(0, C.hillLit);
	light.addColorStop(0.55, C.hillLit);
	light.addColorStop(1, C.hillShade);
	pen.fillStyle = light;
	pen.globalAlpha = 0.9;
	pen.fill();
	pen.globalAlpha = 0.62;
	pen.strokeStyle = C.ink;
	pen.lineWidth = 1.6 * s;
	dome();
	pen.stroke();
	pen.globalAlpha = 0.4;
	pen.lineWidth = 1.1 * s;
	pen.beginPath();
	for (let i = 0; i < 4; i += 1) {
		const t = 0.52 + i * 0.12;
		const [ax, ay] = [x - w / 2 + w * t, y - h * (1.06 - (t - 0.4) ** 2 * 2.6)];
		pen.moveTo(ax, ay + 3 * s);
		pen.quadraticCurveTo(ax + 3 * s, ay + h * 0.25, ax + 2 * s, Math.min(y - 2 * s, ay + h * 0.5));
	}
	pen.stroke();
	pen.globalAlpha = 1;
}

/** A tree: a pine in the cold, a round crown elsewhere. */
export function tree(pen, C, s, stamp) {
	const { x, y, r, v } = stamp;
	const a = (13 + 6 * r) * s;
	pen.lineWidth = 1.2 * s;
	pen.strokeStyle = C.ink;
	pen.globalAlpha = 0.6;
	lines(pen, [
		[
			[x, stamp.pine ? y : y - 2 * s],
			[x, y + 4 * s],
		],
	]);
	pen.globalAlpha = 1;
	if (stamp.pine) return pine(pen, C, x, y, a, v);
	const crown = () => {
		pen.beginPath();
		for (let i = 0; i < 6; i += 1) {
			const t = -Math.PI / 2 + (i / 6) * 2 * Math.PI;
			pen.arc(x + Math.cos(t) * a * 0.42, y - a * 0.62 + Math.sin(t) * a * 0.36, a * 0.42, t - 1.25, t + 1.25);
		}
		pen.closePath();
	};
	crown();
	pen.fillStyle = C.leaf[v % 3];
	pen.fill();
	pen.globalAlpha = 0.5;
	pen.fillStyle = C.leafShade;
	pen.beginPath();
	pen.ellipse(x + a * 0.24, y - a * 0.42, a * 0.44, a * 0.4, 0, 0, 7);
	pen.fill();
	pen.globalAlpha = 0.55;
	crown();
	pen.stroke();
	pen.globalAlpha = 1;
	return undefined;
}

function pine(pen, C, x, y, a, v) {
	const h = a * 2.1;
	for (const [w, low, high] of [
		[a * 0.72, y, y - h * 0.62],
		[a * 0.52, y - h * 0.36, y - h],
	]) {
		const shape = [
			[x - w, low],
			[x, high],
			[x + w, low],
		];
		trace(pen, shape);
		pen.fillStyle = C.pine[v % 2];
		pen.fill();
		trace(pen, [[x, low], ...shape.slice(1)]);
		pen.fillStyle = C.pineShade;
		pen.globalAlpha = 0.65;
		pen.fill();
		pen.globalAlpha = 0.55;
		trace(pen, shape, false);
		pen.stroke();
		pen.globalAlpha = 1;
	}
}

/** Reeds over two or three lines of water. */
export function reed(pen, C, s, { x, y, r, v }) {
	pen.strokeStyle = C.river;
	pen.globalAlpha = 0.75;
	pen.lineWidth = 2.2 * s;
	lines(
		pen,
		[0, 1, 2].map((i) => {
			const [w, off] = [(26 - i * 6) * s, ((v >> (i * 3)) % 8) * s];
			return [
				[x - w / 2 + off, y + (3 + i * 6) * s],
				[x + w / 2 + off, y + (3 + i * 6) * s],
			];
		}),
	);
	pen.strokeStyle = C.reed;
	pen.globalAlpha = 0.95;
	pen.lineWidth = 1.9 * s;
	pen.beginPath();
	for (let i = -2; i <= 2; i += 1) {
		pen.moveTo(x + i * 3 * s, y);
		pen.quadraticCurveTo(x + i * 4 * s, y - 10 * s, x + i * 7 * s, y - (17 - Math.abs(i) * 3 + r * 4) * s);
	}
	pen.stroke();
	pen.globalAlpha = 1;
}

/** A tuft of grass. */
export function grass(pen, C, s, { x, y, r }) {
	pen.strokeStyle = C.grass;
	pen.lineWidth = 1.4 * s;
	lines(
		pen,
		[-1, 0, 1].map((i) => [
			[x + i * 3.4 * s, y],
			[x + i * 6 * s, y - (7 + r * 3 - Math.abs(i) * 2) * s],
		]),
	);
}

/** What is left of a wall. */
export function rubble(pen, C, s, { x, y, r }) {
	const w = (18 + 8 * r) * s;
	trace(pen, [
		[x - w, y],
		[x - w, y - 14 * s],
		[x - w * 0.6, y - 14 * s],
		[x - w * 0.6, y - 20 * s],
		[x - w * 0.2, y - 17 * s],
		[x - w * 0.1, y - 8 * s],
		[x + w * 0.3, y - 9 * s],
		[x + w * 0.5, y - 3 * s],
		[x + w, y],
	]);
	pen.globalAlpha = 0.9;
	pen.fillStyle = C.stone;
	pen.fill();
	pen.strokeStyle = C.ink;
	pen.lineWidth = 1.3 * s;
	pen.stroke();
	pen.globalAlpha = 1;
}

/** A facet of the rock that caves are hewn into: a lit side and a shaded one. */
export function facet(pen, C, s, { x, y, r, v }) {
	const w = (46 + r * 74) * s;
	const off = (n, by) => part(v, n) * w * 0.5 * by;
	const crest = [x + off(4, 0.4), y - w * 0.42];
	const foot = [x + off(2, 0.3), y + w * 0.3];
	trace(pen, [[x - w / 2, y + off(0, 0.4)], crest, foot]);
	pen.fillStyle = C.rockLit;
	pen.globalAlpha = 0.35 + r * 0.3;
	pen.fill();
	trace(pen, [crest, [x + w / 2, y + off(8, 0.4)], foot]);
	pen.fillStyle = C.rockShade;
	pen.globalAlpha = 0.35;
	pen.fill();
	pen.globalAlpha = 1;
}

export const SIGNS = { peak, hill, tree, reed, grass, rubble, facet };
