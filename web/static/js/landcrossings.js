// How a land is crossed where a line parts it: fords as sandbanks with stepping stones, bridges as planks, passes as
// trails.

import { trace } from "./geometry.js";

/** Kinds of lines that are drawn here. */
export const CROSSINGS = ["ford", "pass", "bridge"];

function ford(pen, C, s) {
	[pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [C.sand, C.riverEdge, 1.6 * s];
	pen.beginPath();
	pen.ellipse(0, 0, 27 * s, 13 * s, 0, 0, 7);
	pen.fill();
	pen.stroke();
	pen.fillStyle = C.steppingStone;
	for (const [x, y, r] of [
		[-17, 2, 4.6],
		[-6, -3, 5.2],
		[6, 3, 5.2],
		[17, -2, 4.6],
	]) {
		pen.beginPath();
		pen.ellipse(x * s, y * s, r * s, r * 0.8 * s, 0.4, 0, 7);
		pen.fill();
	}
}

function bridge(pen, C, s) {
	[pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [C.trail, C.ink, 1.6 * s];
	pen.fillRect(-26 * s, -13 * s, 52 * s, 26 * s);
	pen.strokeRect(-26 * s, -13 * s, 52 * s, 26 * s);
	pen.beginPath();
	for (let x = -19; x < 26; x += 8) {
		pen.moveTo(x * s, -13 * s);
		pen.lineTo(x * s, 13 * s);
	}
	pen.stroke();
}

/** Draws a line of one of `CROSSINGS` between the places `between`, with signs of size `s`. */
export function crossing(pen, C, s, line, [a, b]) {
	if (line.kind === "pass") {
		[pen.strokeStyle, pen.lineWidth] = [C.trail, 6 * s];
		pen.setLineDash([11 * s, 9 * s]);
		trace(pen, line.points, false);
		pen.stroke();
		pen.setLineDash([]);
		return;
	}
	if (!a || !b) return;
	const [x, y] = line.points[Math.floor(line.points.length / 2)];
	pen.save();
	pen.translate(x, y);
	pen.rotate(Math.atan2(b.label[1] - a.label[1], b.label[0] - a.label[0]));
	if (line.kind === "ford") ford(pen, C, s);
	else bridge(pen, C, s);
	pen.restore();
}
