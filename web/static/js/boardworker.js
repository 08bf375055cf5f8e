// Beside the page: paints the land and finds places for names. Told a board once, it answers job by job.

import { placeNames } from "./boardnames.js";
import { Painter } from "./landpainter.js";

/** @type {Painter | null} */
let painter = null;
let places = {};

// the page asks a worker only where there is one
// eslint-disable-next-line compat/compat
const canvasOf = (width, height) => new OffscreenCanvas(width, height);

self.onmessage = ({ data: { number, board, names, view, size, theme } }) => {
	if (board) {
		places = board.places;
		painter = new Painter(board, canvasOf);
		self.postMessage({ number, found: true });
		return;
	}
	if (names) {
		self.postMessage({ number, found: placeNames(names, places) });
		return;
	}
	const canvas = canvasOf(size[0], size[1]);
	painter.paint(canvas, view, theme);
	const found = canvas.transferToImageBitmap();
	self.postMessage({ number, found }, { transfer: [found] });
};
