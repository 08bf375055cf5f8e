// The lights under the board as the LEDs show them: their colour, and their pattern twice, as rhythm and as the drawing
// of the rim, so that calm screens and stills tell it too.

import { s } from "./dom.js";
import { path } from "./geometry.js";

export const PATTERNS = ["steady", "pulse", "breathe", "blink", "chase"];

const FAINT = 190; // of 255: light below it is a rim alone
const DARK_SEEN = 205; // in the evening a faint LED is drawn as bright as it looks in a dark room

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** The nodes of a light at a place, and of the glow under it; all in board units. */
function lightNodes(place, { colour, pattern }) {
	const d = path(place.outline, true);
	const parts = channels(colour);
	const most = Math.max(...parts, 1);
	const faint = most < FAINT;
	const seen = `rgb(${parts.map((part) => Math.round((part * DARK_SEEN) / most)).join()})`;
	const node = s(
		"g",
		{ class: `lit ${faint ? "faint" : ""}`, "data-light": place.id, "clip-path": `url(#in-${place.id})` },
		faint ? null : s("path", { class: "glow", d, fill: colour }),
		faint ? null : s("path", { class: "case", d }),
		s("path", { class: `rim rim-${pattern}`, d, stroke: colour }),
		pattern === "pulse" && !faint ? s("path", { class: "core", d }) : null,
	);
	node.style.setProperty("--seen", seen);
	return node;
}

export class BoardLights {
	/** `places`: of the board, by id. */
	constructor(places) {
		this.places = places;
		this.lit = {};
		// each rhythm is a sheet of its own, so that what moves in it paints nothing else
		this.layers = Object.fromEntries(
			PATTERNS.map((pattern) => [
				pattern,
				s("svg", {
					class: `light ${pattern}`,
					preserveAspectRatio: "xMinYMin meet",
					"aria-hidden": "true",
					hidden: true,
				}),
			]),
		);
	}

	get nodes() {
		return Object.values(this.layers);
	}

	/** Shows `lights`, {place: {pattern, colour}}; what shines on as before is left alone. */
	show(lights) {
		for (const [id, known] of Object.entries(this.lit)) {
			if (lights[id] && known.key === `${lights[id].pattern}${lights[id].colour}`) continue;
			known.node.remove();
			known.clip.remove();
			delete this.lit[id];
		}
		for (const [id, light] of Object.entries(lights)) {
			const place = this.places[id];
			const layer = this.layers[light.pattern];
			if (!place || this.lit[id] || !layer) continue;
			const clip = s("clipPath", { id: `in-${id}` }, s("path", { d: path(place.outline, true) }));
			const node = lightNodes(place, light);
			layer.append(clip, node);
			this.lit[id] = { key: `${light.pattern}${light.colour}`, node, clip };
		}
		for (const layer of this.nodes) layer.toggleAttribute("hidden", !layer.childNodes.length);
	}
}
