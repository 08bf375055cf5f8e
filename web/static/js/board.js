// The board: its land is painted once; then only what changed is drawn anew: stacks, names, lights, what may be tapped.

import { h, s, show, press } from "./dom.js";
import { t } from "./words.js";
import { halfOf, sketch, stack } from "./boarddraw.js";
import { Land, path } from "./boardland.js";
import { placeNames } from "./boardnames.js";
import { openFind } from "./findplace.js";
import { STEP, Zoom } from "./zoom.js";

const CLOSE = 50; // CSS pixels across a place, in the mean, from which stacks are drawn in full
const WIDER = 1.3; // so much wider than its place a stack may be; a wider one is sketched
const LARGE = 150; // from which every place bears its name
const READABLE = 13 / 19; // CSS pixels of one unit of text that can be read at arm's length
const MANY = 80; // of a board with more places, names that would cover others wait until one zooms in
const IMPORTANT = ["settlement", "fortification", "stronghold", "city", "town"];
const EMPTY = {}; // a place where nothing stands
// signs that fonts rarely have: four corners of a frame, a magnifying glass
const WHOLE = "M2 7V2h5M13 2h5v5M18 13v5h-5M7 18H2v-5";
const GLASS = "M13.5 8a5.5 5.5 0 1 1-11 0a5.5 5.5 0 0 1 11 0ZM12 12l6 6";
const PATTERNS = ["steady", "pulse", "breathe", "blink", "chase"];

const boxOf = (outline) => {
	const [xs, ys] = [outline.map((p) => p[0]), outline.map((p) => p[1])];
	return { x1: Math.min(...xs), y1: Math.min(...ys), x2: Math.max(...xs), y2: Math.max(...ys) };
};

const icon = (drawn) => s("svg", { class: "icon", viewBox: "0 0 20 20" }, s("path", { d: drawn }));

export class Board {
	/** `data`: the board as JSON; `tap(place)`: called for every place tapped; `tools`: where its buttons go. */
	constructor(host, data, tap, tools) {
		this.host = host;
		this.data = data;
		this.unit = data.width / 1000;
		this.list = Object.values(data.places).filter((place) => place.kind !== "rock");
		this.boxes = Object.fromEntries(this.list.map((place) => [place.id, boxOf(place.outline)]));
		this.svg = s("svg", {
			class: "board",
			preserveAspectRatio: "xMinYMin meet",
			role: "group",
			"aria-label": t("board.label"),
		});
		document.body.style.setProperty("--board-ratio", (data.width / data.height).toFixed(4));
		this.stacks = s("g", { "aria-hidden": "true" });
		this.names = s("g", { "aria-hidden": "true" });
		this.hits = s("g", {});
		this.svg.append(this.hits, this.stacks, this.names);
		this.land = new Land(data, this.unit);
		// each rhythm of lights is a sheet of its own, so that what moves in it paints nothing else
		this.lights = Object.fromEntries(
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
		this.sheet = h("div", { class: "boardsheet" }, this.land.canvas, Object.values(this.lights), this.svg);
		this.frame = h("div", { class: "boardbox" }, this.sheet);
		this.stacked = {};
		this.lit = {};
		this.hit = {};
		this.said = {};
		this.named = new Map();
		/** How large names and marks are on screen, whether stacks are sketched, and whether every name is written. */
		this.mark = 0;
		this.sketched = false;
		this.everyName = false;
		this.moved = true; // since the last zoom, names are to be written anew
		for (const place of this.list) this.addPlace(place, tap);
		show(host, this.frame);
		show(tools, this.controls());
		// the mean width of a place, in board units
		this.spread = Math.sqrt((data.width * data.height) / Math.max(1, this.list.length));
		this.zoom = new Zoom(host, this.frame, this.sheet, this.svg, [data.width, data.height], (view) =>
			this.arrange(view),
		);
		tools.onkeydown = (event) => this.zoom.key(event);
		this.zoom.settle();
	}

	addPlace(place, tap) {
		const node = s("path", {
			d: path(place.outline, true),
			class: "hit",
			tabindex: "-1",
			role: "button",
			"aria-label": place.name,
			"data-place": place.id,
			"data-key": `p-${place.id}`,
		});
		press(node, () => tap(place.id));
		node.addEventListener("focus", () => node.matches(":focus-visible") && this.zoom.reveal(this.boxes[place.id]));
		this.hit[place.id] = node;
		this.hits.append(node);
	}

	controls() {
		const button = (key, sign, words, act) =>
			h(
				"button",
				{ "data-key": key, "aria-label": words, title: words, onclick: act },
				h("span", { "aria-hidden": "true" }, sign),
			);
		this.in = button("zoom-in", "+", t("board.zoom_in"), () => this.zoom.by(STEP));
		this.out = button("zoom-out", "−", t("board.zoom_out"), () => this.zoom.by(1 / STEP));
		this.whole = button("zoom-fit", icon(WHOLE), t("board.zoom_fit"), () => this.zoom.fit());
		const find = button("find-place", icon(GLASS), t("board.find"), () => openFind(this));
		return h(
			"div",
			{ class: "zoombar", role: "group", "aria-label": t("board.view") },
			this.in,
			this.out,
			this.whole,
			find,
			(this.more = h("span", { class: "more-tools" })),
		);
	}

	/** The middle of a place, moved in from the board's edge so that nothing there is cut off. */
	middle(place) {
		const u = this.mark || this.unit;
		const [x, y] = place.label;
		return [
			Math.min(Math.max(x, 56 * u), this.data.width - 56 * u),
			Math.min(Math.max(y, 58 * u), this.data.height - 66 * u),
		];
	}

	isNamed(place) {
		return (place.kind === "box" && !place.tags.includes("siege")) || place.tags.some((tag) => IMPORTANT.includes(tag));
	}

	name(place) {
		return this.data.places[place]?.name || place;
	}

	/** Zooms to a place and marks it. */
	show(id) {
		const wide = this.boxes[id];
		if (!wide) return;
		this.zoom.reveal(
			wide,
			Math.min(this.zoom.most, Math.max(1, 120 / ((this.spread * this.zoom.scale) / this.zoom.z))),
		);
		const node = this.hit[id];
		node.setAttribute("tabindex", "0");
		node.classList.add("found");
		node.focus({ preventScroll: true });
		node.addEventListener("blur", () => node.classList.remove("found"), { once: true });
	}

	/** After each zoom and each change of size: how large signs and letters are, and what is sketched only. */
	arrange(view) {
		const { zoom } = this;
		const seen = `${view.x} ${view.y} ${view.across / view.scale} ${view.down / view.scale}`;
		for (const layer of [this.svg, ...Object.values(this.lights)]) layer.setAttribute("viewBox", seen);
		const fit = zoom.scale / zoom.z; // CSS pixels of a board unit while the whole board is in sight
		zoom.most = Math.max(3, Math.min(10, 240 / (this.spread * fit)));
		const shown = Math.max(this.unit * fit * Math.sqrt(zoom.z), Math.min(READABLE, (this.spread * zoom.scale) / 75));
		const mark = shown / zoom.scale;
		const across = this.spread * zoom.scale;
		const sketched = across < CLOSE;
		const everyName = across > LARGE;
		this.in.disabled = zoom.z >= zoom.most - 0.01;
		this.out.disabled = this.whole.disabled = zoom.z <= 1.01;
		const same =
			Math.abs(mark / (this.mark || 1) - 1) < 0.001 && sketched === this.sketched && everyName === this.everyName;
		[this.mark, this.sketched, this.everyName] = [mark, sketched, everyName];
		this.paintLand();
		if (same) return;
		// on the layers that use it alone: a property of the whole board would style all that stands on it
		for (const layer of [this.hits, ...Object.values(this.lights)]) layer.style.setProperty("--u", `${mark}px`);
		this.moved = true;
		if (this.last) this.update(this.last);
	}

	/** Paints the land, fainter where figures stand on what is printed; or of it only where that has changed. */
	paintLand(changes = false) {
		const view = this.zoom.now;
		const under = new Set(this.covered());
		const only = changes
			? [...under].filter((id) => !this.under.has(id)).concat([...this.under].filter((id) => !under.has(id)))
			: null;
		this.under = under;
		if (!only || only.length)
			this.land.draw(view, [view.across, view.down], this.mark, (place) => this.middle(place), under, only);
	}

	/** Places on whose printed signs figures stand. */
	covered() {
		return Object.keys(this.stacked).filter((id) => this.stacked[id].drawn?.nodes.length && this.land.printed[id]);
	}

	at(place) {
		const [x, y] = this.middle(place);
		return `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${this.mark.toFixed(4)})`;
	}

	/** Puts the position on the board. `targets`: {place: {refused, text}}; `chosen`: places of the draft. */
	update(shown) {
		this.last = shown;
		if (!this.mark) return;
		const { view, lights, targets, chosen } = shown;
		let changed = false;
		for (const place of this.list) changed = this.stack(place, view.places?.[place.id] || EMPTY) || changed;
		if (changed || this.moved) this.write();
		this.moved = false;
		if (changed) this.paintLand(true);
		this.light(lights);
		for (const [id, node] of Object.entries(this.hit)) {
			const target = targets[id];
			const state = chosen.includes(id) ? "chosen" : target ? (target.refused ? "cannot" : "can") : "";
			const label = this.label(id, view.places?.[id], target, lights[id]);
			const key = `${state}|${Boolean(target)}|${label}`;
			if (this.said[id] === key) continue;
			this.said[id] = key;
			node.setAttribute("class", `hit ${state}`);
			node.setAttribute("tabindex", target ? "0" : "-1");
			node.setAttribute("aria-label", label);
		}
		this.bringIntoSight(targets);
	}

	/** A question whose places all lie outside of what is in sight brings them into it. */
	bringIntoSight(targets) {
		const open = Object.entries(targets)
			.filter(([id, target]) => !target.refused && id in this.boxes)
			.map(([id]) => id);
		const key = open.join();
		if (key === this.asked) return;
		this.asked = key;
		const boxes = open.map((id) => this.boxes[id]);
		if (boxes.length && this.zoom.z > 1.01 && !this.zoom.sees(boxes)) this.zoom.fit();
	}

	/**
	 * Puts what stands at a place there; whether it is drawn otherwise than before. What is drawn is only moved by a
	 * zoom.
	 */
	stack(place, content) {
		const known = (this.stacked[place.id] ||= { content: null, key: null, node: null });
		const at = this.at(place);
		const room = (this.boxes[place.id].x2 - this.boxes[place.id].x1) / this.mark;
		const far = this.sketched || halfOf(content) * 2 > Math.max(60, room * WIDER);
		const key = known.content === content ? known.key : JSON.stringify([content.pieces, content.markers]);
		const changed = known.key !== key || known.far !== far;
		if (changed) {
			known.node?.remove();
			known.drawn = (far ? sketch : stack)(content);
			known.node = known.drawn.nodes.length
				? this.stacks.appendChild(s("g", { "data-stack": place.id }, known.drawn.nodes))
				: null;
		}
		if (changed || known.at !== at) known.node?.setAttribute("transform", at);
		Object.assign(known, { content, key, far, at });
		return changed;
	}

	/** Writes the names; they give way to stacks and to each other. */
	write() {
		const taken = [];
		const wanted = [];
		for (const place of this.list) {
			const at = this.middle(place);
			const { top, bottom, half } = this.stacked[place.id].drawn;
			const u = this.mark;
			if (half)
				taken.push({
					id: place.id,
					x1: at[0] - half * u,
					x2: at[0] + half * u,
					y1: at[1] + top * u,
					y2: at[1] + bottom * u,
				});
			const must = this.isNamed(place);
			if (must || this.everyName)
				wanted.push({
					id: place.id,
					name: place.name,
					at,
					top: (half ? top : this.land.printed[place.id] ? -48 : 0) * u,
					bottom: bottom * u,
					half: half * u,
					must: must && !this.sketched && this.list.length < MANY,
					small: place.kind === "box",
					rank: must ? (place.kind === "box" ? 1 : 0) : 2,
				});
		}
		wanted.sort((a, b) => a.rank - b.rank);
		const before = this.named;
		this.named = new Map();
		for (const { id, key, at, draw } of placeNames(wanted, taken, this.mark, [this.data.width, this.data.height])) {
			const same = before.get(id)?.key === key ? before.get(id) : null;
			if (same) before.delete(id);
			const name = same || { key, node: this.names.appendChild(draw()) };
			if (name.at !== at) name.node.setAttribute("transform", at);
			name.at = at;
			this.named.set(id, name);
		}
		for (const { node } of before.values()) node.remove();
	}

	light(lights) {
		for (const [id, known] of Object.entries(this.lit)) {
			if (lights[id] && known.key === `${lights[id].pattern}${lights[id].colour}`) continue;
			known.node.remove();
			delete this.lit[id];
		}
		for (const [id, { pattern, colour }] of Object.entries(lights)) {
			const place = this.data.places[id];
			if (!place || this.lit[id] || !this.lights[pattern]) continue;
			const node = s("path", { d: path(place.outline, true), stroke: colour, "data-light": id });
			this.lit[id] = { key: `${pattern}${colour}`, node };
			this.lights[pattern].append(node);
		}
		for (const layer of Object.values(this.lights)) layer.toggleAttribute("hidden", !layer.childNodes.length);
	}

	label(id, content, target, light) {
		const parts = [this.name(id)];
		for (const piece of content?.pieces || []) parts.push(`${piece.count} ${piece.name}`);
		for (const marker of content?.markers || []) parts.push(`${marker.count} ${marker.name}`);
		if (target) parts.push(target.refused ? t("board.cannot") : t("board.can"));
		if (light?.text) parts.push(light.text);
		return parts.join(", ");
	}
}
