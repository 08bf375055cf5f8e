// Work for the board beside the page: in a worker where the browser has canvases there, or on the page in a moment.

import { placeNames } from "./boardnames.js";
import { Painter } from "./landpainter.js";

const canvasOf = (width, height) => Object.assign(document.createElement("canvas"), { width, height });

/** One job at a time: of those that wait meanwhile the newest of each kind is done, older ones are stale. */
export class BoardSide {
	/** `board`: the board as JSON. */
	constructor(board) {
		this.board = board;
		/** @type {{number: number, job: any, resolve: (found: any) => void} | null} */
		this.doing = null;
		this.waiting = new Map(); // kind of a job -> {number, job, resolve}
		this.number = 0;
		this.worker = null;
		/** @type {Painter | null} */
		this.painter = null;
		if (typeof OffscreenCanvas === "undefined") return;
		this.worker = new Worker(new URL("./boardworker.js", import.meta.url), { type: "module" });
		this.worker.onmessage = ({ data }) => this.done(data.number, data.found);
		this.worker.onerror = () => this.without();
		const { width, height, places, lines, territories } = board;
		// it answers once it runs; by then the page mostly knows better what it wants
		this.ask({ board: { width, height, places, lines, territories } });
	}

	/** The worker does not start here: what waits is done on the page. */
	without() {
		this.worker = null;
		if (this.doing) this.here(this.doing);
	}

	here({ number, job }) {
		setTimeout(async () => {
			let found = null; // what fails keeps nobody waiting
			try {
				found = await this.made(job);
			} finally {
				this.done(number, found);
			}
		}, 0);
	}

	/** A job's answer, made on the page. */
	made(job) {
		if (job.board) return true;
		if (job.names) return placeNames(job.names, this.board.places);
		this.painter ||= new Painter(this.board, canvasOf);
		const picture = canvasOf(job.size[0], job.size[1]);
		this.painter.paint(picture, job.view, job.theme);
		return createImageBitmap(picture);
	}

	done(number, found) {
		if (this.doing?.number !== number) return;
		const { resolve } = this.doing;
		this.doing = null;
		resolve(found);
		this.go();
	}

	go() {
		const [kind] = this.waiting.keys();
		if (this.doing || !kind) return;
		this.doing = this.waiting.get(kind);
		this.waiting.delete(kind);
		const { number, job } = this.doing;
		if (this.worker) this.worker.postMessage({ number, ...job });
		else this.here(this.doing);
	}

	/**
	 * Does a job: {view, size, theme} gives a picture of the land, {names} the places of names; null where another
	 * of its kind was asked for before it was begun.
	 */
	ask(job) {
		const kind = Object.keys(job).find((key) => key === "board" || key === "names") || "land";
		this.waiting.get(kind)?.resolve(null);
		const number = (this.number += 1);
		return new Promise((resolve) => {
			this.waiting.set(kind, { number, job, resolve });
			this.go();
		});
	}

	close() {
		this.worker?.terminate();
		this.waiting.clear();
		this.doing = null;
	}
}
