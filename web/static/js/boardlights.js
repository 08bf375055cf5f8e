// The lights under the board as the LEDs show them: their colour, and their pattern twice, as rhythm and as the drawing
// of the rim, so that calm screens and stills tell it too.

import { s } from "./dom.js";
import { path } from "./geometry.js";

export const PATTERNS = ["steady", "pulse", "breathe", "blink", "chase"];

const CHASE = [0, 1, 2, 3]; // its steps

const FAINT = 190; // of 255: light below it is a rim alone
const DARK_SEEN = 205; // in the evening a faint LED is drawn as bright as it looks in a dark room

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** The nodes of a light at a place: what lies still, and what moves with its rhythm; all in board units. */
function lightNodes(place, { colour, pattern }) {
	const d = path(place.outline, true);
	const parts = channels(colour);
	const most = Math.max(...parts, 1);
	const faint = most < FAINT;
	const seen = `rgb(${parts.map((part) => Math.round((part * DARK_SEEN) / most)).join()})`;
	const group = (...nodes) => {
		const node = s(
			"g",
			{ class: `lit ${faint ? "faint" : ""}`, "data-light": place.id, "clip-path": `url(#in-${place.id})` },
			nodes,
		);
		node.style.setProperty("--seen", seen);
		return node;
	};
	const still = faint ? [] : [s("path", { class: "glow", d, fill: colour }), s("path", { class: "case", d })];
	const rim = () => s("path", { class: `rim rim-${pattern}`, d, stroke: colour });
	if (pattern === "chase") return [group(still), ...CHASE.map(() => group(rim()))];
	return [group(still, rim(), pattern === "pulse" && !faint ? s("path", { class: "core", d }) : null)];
}

const sheet = (kind) =>
	s("svg", { class: `light ${kind}`, preserveAspectRatio: "xMinYMin meet", "aria-hidden": "true", hidden: true });

export class BoardLights {
	/** `places`: of the board, by id. */
	constructor(places) {
		this.places = places;
		this.lit = {};
		// each rhythm is a sheet of its own, so that what moves in it paints nothing else; of a chase each step is one, and
		// what lies still under it is with the steady lights: sheets that come and go cost the page's thread nothing
		this.layers = Object.fromEntries(PATTERNS.map((pattern) => [pattern, [sheet(pattern)]]));
		this.layers.chase = [...this.layers.steady, ...CHASE.map((step) => sheet(`chase step-${step}`))];
	}

	get nodes() {
		return [...new Set(Object.values(this.layers).flat())];
	}

	/** Shows `lights`, {place: {pattern, colour}}; what shines on as before is left alone. */
	show(lights) {
		for (const [id, known] of Object.entries(this.lit)) {
			if (lights[id] && known.key === `${lights[id].pattern}${lights[id].colour}`) continue;
			for (const node of known.nodes) node.remove();
			delete this.lit[id];
		}
		for (const [id, light] of Object.entries(lights)) {
			const place = this.places[id];
			const layers = this.layers[light.pattern];
			if (!place || this.lit[id] || !layers) continue;
			const clip = s("clipPath", { id: `in-${id}` }, s("path", { d: path(place.outline, true) }));
			const nodes = lightNodes(place, light);
			layers[0].append(clip);
			nodes.forEach((node, index) => layers[index].append(node));
			this.lit[id] = { key: `${light.pattern}${light.colour}`, nodes: [clip, ...nodes] };
		}
		for (const layer of this.nodes) layer.toggleAttribute("hidden", !layer.childNodes.length);
	}
}
