// The land on the page: a picture that is painted beside the page and kept. A tap never paints it; a zoom stretches
// what is there and has the part in sight painted sharp.

import { h } from "./dom.js";

const DENSE = 2; // pixels a CSS pixel, at most
const EVENING = matchMedia("(prefers-color-scheme: dark)");

export class Land {
	/** `side`: paints it beside the page. */
	constructor(side) {
		this.side = side;
		this.canvas = h("canvas", { class: "boardland", "aria-hidden": "true" });
		this.wanted = ""; // what is to be seen
		EVENING.addEventListener("change", () => this.again());
		new MutationObserver(() => this.again()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
	}

	get theme() {
		const { theme } = document.documentElement.dataset;
		return theme === "light" || theme === "dark" ? theme : EVENING.matches ? "dark" : "light";
	}

	again() {
		if (this.view && this.canvas.isConnected) this.draw(this.view);
	}

	/** Shows the part `view` {x, y, scale, across, down} (CSS pixels): at once as it is, sharp when that is painted. */
	async draw(view) {
		this.view = view;
		const { theme } = this;
		const enlarged = Number(document.body.dataset.near || 1); // by the big screen
		const dense = Math.min(DENSE, (window.devicePixelRatio || 1) * enlarged);
		const size = [view.across, view.down].map((pixels) => Math.max(1, Math.round(pixels * dense)));
		const part = { x: view.x, y: view.y, scale: view.scale * dense };
		const key = JSON.stringify([part, size, theme]);
		if (this.wanted === key) return;
		this.wanted = key;
		this.stretched(part, size, theme);
		const kept = this.whole?.key === key ? this.whole.picture : null;
		const picture = kept || (await this.side.ask({ view: part, size, theme }));
		// the whole board is kept: the way back from a zoom paints nothing
		if (view.z <= 1.01) this.whole = { key, picture, part, theme };
		if (this.wanted !== key) return;
		this.put(picture, size);
		this.canvas.dataset.painted = String(Number(this.canvas.dataset.painted || 0) + 1);
	}

	put(picture, size) {
		const [width, height] = size;
		if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
		const pen = this.canvas.getContext("2d");
		pen.clearRect(0, 0, width, height);
		pen.drawImage(picture, 0, 0);
	}

	/** The whole board's picture, enlarged to a part of it, until that is painted. */
	stretched(part, size, theme) {
		const { whole } = this;
		if (!whole || whole.theme !== theme) return;
		const picture = /** @type {ImageBitmap} */ (whole.picture);
		const [width, height] = size;
		if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
		const pen = this.canvas.getContext("2d");
		const scale = part.scale / whole.part.scale;
		pen.clearRect(0, 0, width, height);
		pen.imageSmoothingEnabled = true;
		pen.drawImage(
			picture,
			(whole.part.x - part.x) * part.scale,
			(whole.part.y - part.y) * part.scale,
			picture.width * scale,
			picture.height * scale,
		);
	}
}
