// Work for the board beside the page: in a worker where the browser has canvases there, or on the page in a moment.

import { placeNames } from "./boardnames.js";
import { Painter } from "./landpainter.js";

const canvasOf = (width, height) => Object.assign(document.createElement("canvas"), { width, height });

export class BoardSide {
	/** `board`: the board as JSON. */
	constructor(board) {
		this.board = board;
		this.waiting = new Map(); // number of a job -> {job, resolve}
		this.number = 0;
		this.worker = null;
		/** @type {Painter | null} */
		this.painter = null;
		if (typeof OffscreenCanvas === "undefined") return;
		this.worker = new Worker(new URL("./boardworker.js", import.meta.url), { type: "module" });
		this.worker.onmessage = ({ data }) => this.done(data.number, data.found);
		this.worker.onerror = () => this.without();
		const { width, height, places, lines, territories } = board;
		this.worker.postMessage({ board: { width, height, places, lines, territories } });
	}

	/** The worker does not start here: what waits is done on the page. */
	without() {
		this.worker = null;
		for (const [number, { job }] of this.waiting) this.here(number, job);
	}

	here(number, job) {
		setTimeout(() => {
			if (job.names) {
				this.done(number, placeNames(job.names, this.board.places));
				return;
			}
			this.painter ||= new Painter(this.board, canvasOf);
			const picture = canvasOf(job.size[0], job.size[1]);
			this.painter.paint(picture, job.view, job.theme);
			createImageBitmap(picture).then((found) => this.done(number, found));
		}, 0);
	}

	done(number, found) {
		const { resolve } = this.waiting.get(number) || {};
		this.waiting.delete(number);
		resolve?.(found);
	}

	/** Does a job: {view, size, theme} gives a picture of the land, {names} the places of names. */
	ask(job) {
		const number = (this.number += 1);
		return new Promise((resolve) => {
			this.waiting.set(number, { job, resolve });
			if (this.worker) this.worker.postMessage({ number, ...job });
			else this.here(number, job);
		});
	}

	close() {
		this.worker?.terminate();
		this.waiting.clear();
	}
}
