// Points, polygons and chance: what painting a board and placing its names reckon with. Nothing here touches the page.

/** Numbers from 0 to 1 by chance, the same for the same seed on every device (mulberry32). */
export function chance(seed) {
	let at = seed >>> 0;
	return () => {
		at = (at + 0x6d2b79f5) | 0;
		let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

/** A seed from a text (FNV-1a). */
export function seedOf(text) {
	let seed = 2166136261;
	for (const letter of text) seed = Math.imul(seed ^ letter.charCodeAt(0), 16777619);
	return seed >>> 0;
}

/** Whether a polygon holds a point. */
export function inside(points, x, y) {
	let within = false;
	for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
		const [a, b] = points[i];
		const [c, d] = points[j];
		if (b > y !== d > y && x < ((c - a) * (y - b)) / (d - b) + a) within = !within;
	}
	return within;
}

/** How far a point lies from a line of points; `closed`: from a polygon's edge. */
export function distance(points, x, y, closed = true) {
	let best = Infinity;
	for (let i = closed ? 0 : 1; i < points.length; i += 1) {
		const [a, b] = points[i];
		const [c, d] = points[(i || points.length) - 1];
		const [dx, dy] = [c - a, d - b];
		const t = Math.max(0, Math.min(1, ((x - a) * dx + (y - b) * dy) / (dx * dx + dy * dy || 1)));
		best = Math.min(best, (x - a - t * dx) ** 2 + (y - b - t * dy) ** 2);
	}
	return Math.sqrt(best);
}

/** The box {x1, y1, x2, y2} around points. */
export function boxOf(points) {
	const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
	return { x1: Math.min(...xs), y1: Math.min(...ys), x2: Math.max(...xs), y2: Math.max(...ys) };
}

/** The area that two boxes share, each widened by half of `gap`. */
export function shared(a, b, gap = 0) {
	const across = Math.min(a.x2, b.x2) - Math.max(a.x1, b.x1) + gap;
	const down = Math.min(a.y2, b.y2) - Math.max(a.y1, b.y1) + gap;
	return across > 0 && down > 0 ? across * down : 0;
}

const NEAR = 3; // board units within which ends of lines meet
const meets = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) < NEAR;

/** Two lines as one where they share an end; null where they do not. */
function joined(run, line) {
	const end = run[run.length - 1];
	const last = line[line.length - 1];
	if (meets(end, line[0])) return run.concat(line.slice(1));
	if (meets(end, last)) return run.concat(line.slice(0, -1).reverse());
	if (meets(run[0], last)) return line.slice(0, -1).concat(run);
	if (meets(run[0], line[0])) return line.slice(1).reverse().concat(run);
	return null;
}

/** Lines that share ends become one, so that a river is one stroke. */
export function chains(lines) {
	const left = lines.map((line) => line.map((point) => [...point]));
	const done = [];
	while (left.length) {
		let run = left.pop();
		for (let i = 0; i < left.length; ) {
			const longer = joined(run, left[i]);
			if (longer) {
				run = longer;
				left.splice(i, 1);
				i = 0;
			} else i += 1;
		}
		done.push(run);
	}
	return done;
}

/** Points every `step` along a line: [x, y, direction]. */
export function along(points, step) {
	const found = [];
	let carry = step / 2;
	for (let i = 1; i < points.length; i += 1) {
		const [a, b] = points[i - 1];
		const [c, d] = points[i];
		const length = Math.hypot(c - a, d - b);
		let at = carry;
		for (; at < length; at += step)
			found.push([a + ((c - a) * at) / length, b + ((d - b) * at) / length, Math.atan2(d - b, c - a)]);
		carry = at - length;
	}
	return found;
}

/** Begins a path along points. */
export function trace(pen, points, close = true) {
	pen.beginPath();
	points.forEach((p, i) => (i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1])));
	if (close) pen.closePath();
}

/** Begins a smooth path through points. */
export function smooth(pen, points) {
	pen.beginPath();
	pen.moveTo(points[0][0], points[0][1]);
	for (let i = 1; i < points.length - 1; i += 1) {
		const [[x, y], [a, b]] = [points[i], points[i + 1]];
		pen.quadraticCurveTo(x, y, (x + a) / 2, (y + b) / 2);
	}
	const last = points[points.length - 1];
	pen.lineTo(last[0], last[1]);
}

/** A colour `t` of the way from `a` to `b` (both #rrggbb). */
export function mix(a, b, t) {
	const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
	const [p, q] = [parts(a), parts(b)];
	return `#${p
		.map((value, i) =>
			Math.round(value + (q[i] - value) * t)
				.toString(16)
				.padStart(2, "0"),
		)
		.join("")}`;
}

/** Where something drawn in CSS pixels stands on a drawing in units of its own: at a point in CSS pixels. */
export const placed = (x, y, scale, size = 1) =>
	`translate(${(x / scale).toFixed(2)} ${(y / scale).toFixed(2)}) scale(${(size / scale).toFixed(5)})`;

/** Points as the `d` of an SVG path. */
export const path = (points, close) => `M${points.map((p) => `${p[0]} ${p[1]}`).join("L")}${close ? "Z" : ""}`;
