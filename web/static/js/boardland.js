// The land on the page: two pictures that are painted beside the page and kept, the whole board and over it the part in
// sight. A tap never paints them; a zoom stretches the whole one until the part in sight is painted sharp.

import { h } from "./dom.js";

const DENSE = 2; // pixels a CSS pixel, at most
const EVENING = matchMedia("(prefers-color-scheme: dark)");

/** A canvas that shows finished pictures: unlike one that is drawn on, it costs nothing while it stays as it is. */
class Picture {
	constructor() {
		this.node = h("canvas", { class: "boardland", "aria-hidden": "true", hidden: true });
		this.pen = /** @type {ImageBitmapRenderingContext} */ (this.node.getContext("bitmaprenderer"));
		/** @type {{key: string, view: any} | null} */
		this.shown = null;
	}

	put(picture, shown) {
		this.shown = shown;
		this.node.width = picture.width;
		this.node.height = picture.height;
		this.pen.transferFromImageBitmap(picture);
		this.node.dataset.painted = String(Number(this.node.dataset.painted || 0) + 1);
	}
}

export class Land {
	/** `side`: paints it beside the page. */
	constructor(side) {
		this.side = side;
		this.whole = new Picture();
		this.part = new Picture();
		this.nodes = [this.whole.node, this.part.node];
		this.wanted = ""; // what is to be seen
		EVENING.addEventListener("change", () => this.again());
		new MutationObserver(() => this.again()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
	}

	get theme() {
		const { theme } = document.documentElement.dataset;
		return theme === "light" || theme === "dark" ? theme : EVENING.matches ? "dark" : "light";
	}

	again() {
		if (this.view && this.whole.node.isConnected) this.draw(this.view);
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
		this.stretch(key, view);
		const picture = view.z <= 1.01 ? this.whole : this.part;
		// the whole board is kept: the way back from a zoom paints nothing
		if (picture.shown?.key === key) return;
		const found = await this.side.ask({ view: part, size, theme });
		if (!found || this.wanted !== key) return;
		picture.put(found, { key, view });
		this.stretch(key, view);
	}

	/** The part in sight where it is painted; else the whole board, shifted and enlarged to lie where the part does. */
	stretch(key, view) {
		const { whole, part } = this;
		part.node.hidden = part.shown?.key !== key;
		whole.node.hidden = !part.node.hidden || !whole.shown;
		if (whole.node.hidden) return;
		const was = whole.shown.view;
		const moved = [was.x - view.x, was.y - view.y].map((units) => `${units * view.scale}px`);
		whole.node.style.transform = whole.shown.key === key ? "" : `translate(${moved}) scale(${view.scale / was.scale})`;
	}
}
