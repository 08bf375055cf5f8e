// The board: its land is a picture; on it lie lights, the ground that may be tapped, and over that, in a drawing of its
// own, buildings, figures and names, so that a press is painted on the ground alone. A tap on a figure or a name is a
// tap on its place.

import { h, s, show } from "./dom.js";
import { t } from "./words.js";
import { figures } from "./boardfigures.js";
import { Land } from "./boardland.js";
import { BoardLights } from "./boardlights.js";
import { BoardSide } from "./boardside.js";
import { boxOf, chains, path, placed } from "./geometry.js";
import { nextPlace, wayOf } from "./boardkeys.js";
import { landmark, landmarkBox, landmarkOf, landmarkShapes } from "./landmarks.js";
import { NameLayer } from "./boardnaming.js";
import { setSigns } from "./signs.js";
import { openFind, sorted } from "./findplace.js";
import { STEP, Zoom } from "./zoom.js";

const FULL = 84; // CSS pixels across a place, in the mean, from which armies are drawn piece by piece
const SKETCH = 42; // from which the commonest figure is shown with the number
const ROOM = [98, 132]; // CSS pixels that a plate may be wide, at least and at most, before it gets another row
const EDGE = 6; // CSS pixels that figures keep from the edge of the board
const APART = [6, 4]; // CSS pixels between figures of neighbours
const PUSHES = 40;
const BUILDING = 1.3; // size of a building, in units of a sign
const SMALLEST = 0.4; // pixels of one unit of a building, at least
const SMALL = matchMedia("(max-width: 44.99em)");
const TOOLS = [170, 60]; // CSS pixels of the board's buttons, where they lie on it
const LATER = 3000; // ms until what is not needed at first is reckoned
const EMPTY = {}; // a place where nothing stands
// signs that fonts rarely have: four corners of a frame, a magnifying glass
const WHOLE = "M2 7V2h5M13 2h5v5M18 13v5h-5M7 18H2v-5";
const GLASS = "M13.5 8a5.5 5.5 0 1 1-11 0a5.5 5.5 0 0 1 11 0ZM12 12l6 6";

const icon = (drawn) => s("svg", { class: "icon", viewBox: "0 0 20 20" }, s("path", { d: drawn }));

export class Board {
	/** `data`: the board as JSON; `tap(place)`: called for every place tapped; `tools`: where its buttons go. */
	constructor(host, data, tap, tools) {
		this.host = host;
		this.data = data;
		this.tap = tap;
		setSigns(data);
		this.list = Object.values(data.places).filter((place) => place.kind !== "rock");
		this.boxes = Object.fromEntries(this.list.map((place) => [place.id, boxOf(place.outline)]));
		/** The mean width of a place, in board units. */
		this.spread = Math.sqrt((data.width * data.height) / Math.max(1, this.list.length));
		this.side = new BoardSide(data);
		this.land = new Land(this.side);
		this.lights = new BoardLights(data.places);
		this.stacked = {}; // what is drawn at each place
		this.hit = {};
		this.said = {};
		/** CSS pixels of a board unit; how near one is: "full", "sketch" or "number". */
		this.scale = 0;
		this.near = "";
		this.build();
		show(host, this.frame);
		show(tools, this.controls());
		const size = [data.width, data.height];
		this.zoom = new Zoom(host, this.frame, this.sheet, size, (view) => this.arrange(view));
		tools.onkeydown = (event) => this.zoom.key(event);
		this.zoom.settle();
		setTimeout(() => sorted(this), LATER);
	}

	build() {
		const { data } = this;
		document.body.style.setProperty("--board-ratio", (data.width / data.height).toFixed(4));
		const label = { role: "group", "aria-label": t("board.label") };
		const fitted = { preserveAspectRatio: "xMinYMin meet" };
		this.ground = s("svg", { class: "ground", ...fitted, ...label });
		this.svg = s("svg", { class: "board", ...fitted, "aria-hidden": "true" });
		this.marks = s("g", {});
		this.stacks = s("g", {});
		const rivers = chains(data.lines.filter((line) => line.kind === "river").map((line) => line.points));
		this.names = new NameLayer(this.side, rivers, this.list);
		const kinds = new Set(this.list.map(landmarkOf));
		this.svg.append(s("defs", {}, landmarkShapes(kinds)), this.marks, this.stacks, this.names.layer);
		this.sheet = h("div", { class: "boardsheet" }, this.land.nodes, this.lights.nodes, this.ground, this.svg);
		this.frame = h("div", { class: "boardbox" }, this.sheet);
		for (const place of this.list) this.addPlace(place);
		this.sheet.addEventListener("click", (event) => this.pressed(event));
		this.sheet.addEventListener("keydown", (event) => this.key(event));
	}

	close() {
		this.zoom.close();
		this.side.close();
	}

	/** Figures, names and the ground itself: each belongs to its place. */
	pressed(event) {
		const { place } = event.target.closest("[data-place]")?.dataset || {};
		if (place) this.tap(place);
	}

	/** Enter and space tap a place; arrows go to the next one, among those that are asked for where some are. */
	key(event) {
		const place = this.data.places[event.target.dataset?.place];
		const way = wayOf(event.key);
		if (!place || !(way || event.key === "Enter" || event.key === " ")) return;
		event.preventDefault();
		event.stopPropagation();
		if (!way) return this.tap(place.id);
		const { targets = {} } = this.last || {};
		const asked = this.list.filter((one) => targets[one.id] && !targets[one.id].refused);
		const next = nextPlace(place, asked, way) || nextPlace(place, this.list, way);
		if (!next) return;
		this.stopAt(next.id);
		this.hit[next.id].focus({ preventScroll: true });
	}

	/** The board is one stop of the tabulator: a place that is asked for, or where the arrows went. */
	stopAt(id) {
		if (id === this.stop) return;
		this.hit[this.stop]?.setAttribute("tabindex", "-1");
		this.hit[id].setAttribute("tabindex", "0");
		this.stop = id;
	}

	addPlace(place) {
		const node = s("path", {
			d: path(place.outline, true),
			class: "hit",
			tabindex: "-1",
			role: "button",
			"aria-label": place.name,
			"data-place": place.id,
			"data-key": `p-${place.id}`,
		});
		node.addEventListener("focus", () => node.matches(":focus-visible") && this.zoom.reveal(this.boxes[place.id]));
		this.hit[place.id] = node;
		this.ground.append(node);
		const kind = landmarkOf(place);
		this.stacked[place.id] = { kind, mark: kind ? this.marks.appendChild(landmark(this.data, place, kind)) : null };
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
		this.more = h("span", { class: "more-tools" });
		const bar = { class: "zoombar", role: "group", "aria-label": t("board.view") };
		return h("div", bar, this.in, this.out, this.whole, find, this.more);
	}

	name(place) {
		return this.data.places[place]?.name || place;
	}

	/** Zooms to a place and marks it. */
	show(id) {
		const wide = this.boxes[id];
		if (!wide) return;
		const whole = (this.spread * this.zoom.scale) / this.zoom.z;
		this.zoom.reveal(wide, Math.min(this.zoom.most, Math.max(1, 120 / whole)));
		const node = this.hit[id];
		this.stopAt(id);
		node.classList.add("found");
		node.focus({ preventScroll: true });
		node.addEventListener("blur", () => node.classList.remove("found"), { once: true });
	}

	/** After each zoom and each change of size: what is in sight, and how much of the figures is drawn. */
	arrange(view) {
		const { zoom } = this;
		const seen = `${view.x} ${view.y} ${view.across / view.scale} ${view.down / view.scale}`;
		for (const layer of [this.ground, this.svg, ...this.lights.nodes]) layer.setAttribute("viewBox", seen);
		zoom.most = Math.max(3, Math.min(10, 240 / ((this.spread * view.scale) / view.z)));
		this.in.disabled = zoom.z >= zoom.most - 0.01;
		this.out.disabled = this.whole.disabled = zoom.z <= 1.01;
		this.land.draw(view);
		this.view = view;
		const across = this.spread * view.scale;
		const near = across >= FULL ? "full" : across >= SKETCH ? "sketch" : "number";
		const same = Math.abs(view.scale / (this.scale || 1) - 1) < 0.001 && near === this.near;
		[this.scale, this.near] = [view.scale, near];
		// on the layers that use it alone: a property of the whole board would style all that stands on it
		if (!same)
			for (const layer of [this.ground, ...this.lights.nodes]) layer.style.setProperty("--u", `${1 / view.scale}px`);
		if (this.last && !same) this.update(this.last);
		else if (this.last) this.writeSoon();
	}

	/** Puts the position on the board. `targets`: {place: {refused, text}}; `chosen`: places of the draft. */
	update(shown) {
		this.last = shown;
		if (!this.scale) return;
		const { view, lights, targets, chosen } = shown;
		let changed = false;
		for (const place of this.list) changed = this.stack(place, view.places?.[place.id] || EMPTY) || changed;
		if (changed) this.spreadOut();
		this.writeSoon();
		this.lights.show(lights);
		for (const [id, node] of Object.entries(this.hit)) {
			const target = targets[id];
			const state = chosen.includes(id) ? "chosen" : target ? (target.refused ? "cannot" : "can") : "";
			const label = this.label(id, view.places?.[id], target, lights[id]);
			const key = `${state}|${Boolean(target)}|${label}`;
			if (this.said[id] === key) continue;
			this.said[id] = key;
			node.setAttribute("class", `hit ${state}`);
			node.setAttribute("aria-label", label);
		}
		const open = this.list.filter(({ id }) => targets[id] && !targets[id].refused);
		if (!open.some(({ id }) => id === this.stop) && document.activeElement !== this.hit[this.stop])
			this.stopAt((open[0] || this.list[0]).id);
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

	/** Draws what stands at a place, where that or the distance has changed; says whether it has. */
	stack(place, content) {
		const known = this.stacked[place.id];
		const key = known.content === content ? known.key : JSON.stringify([content.pieces, content.markers]);
		known.content = content;
		if (known.key === key && known.near === this.near && known.scale === this.scale) return false;
		const drawn = known.key === key && known.near === this.near;
		const { x1, x2 } = this.boxes[place.id];
		const room = Math.max(ROOM[0], Math.min(ROOM[1], (x2 - x1) * this.scale * 0.86));
		Object.assign(known, { key, near: this.near, scale: this.scale });
		if (drawn && known.room === room) return true;
		known.room = room;
		known.node?.remove();
		known.drawn = figures(content, this.near, room);
		const { nodes } = known.drawn;
		known.node = nodes.length
			? this.stacks.appendChild(s("g", { "data-stack": place.id, "data-place": place.id }, nodes))
			: null;
		return true;
	}

	/** Figures make room for each other, in small steps, and stay on the board. */
	spreadOut() {
		const { width, height } = this.data;
		const [right, bottom] = [width * this.scale, height * this.scale];
		const all = this.list.map((place) => {
			const { drawn, kind } = this.stacked[place.id];
			const one = { place, drawn, x: place.label[0] * this.scale, y: place.label[1] * this.scale };
			const roof = kind && drawn.nodes.length ? 12 : 0;
			return Object.assign(one, { above: roof - drawn.top, below: drawn.bottom, stands: drawn.nodes.length > 0 });
		});
		const standing = all.filter((one) => one.stands);
		const keep = (one) => {
			one.x = Math.min(Math.max(one.x, one.drawn.left + EDGE), right - one.drawn.right - EDGE);
			one.y = Math.min(Math.max(one.y, one.above + EDGE), bottom - one.below - EDGE);
		};
		standing.forEach(keep);
		for (let n = 0; n < PUSHES && pushed(standing); n += 1) standing.forEach(keep);
		for (const { place, x, y } of all) Object.assign(this.stacked[place.id], { x, y });
		this.settle();
	}

	/** Moves figures and buildings to where they stand. */
	settle() {
		const size = Math.min(1, Math.max(0.2, this.spread / 225));
		const scale = Math.max(SMALLEST, Math.min(1.3, BUILDING * size * this.scale));
		for (const place of this.list) {
			const known = this.stacked[place.id];
			known.node?.setAttribute("transform", placed(known.x, known.y, this.scale));
			if (!known.mark) continue;
			const y = known.node ? known.y + known.drawn.top + 7 : Math.max(known.y + 8 * scale, 62 * scale);
			known.foot = [known.x, y];
			known.building = scale;
			known.mark.setAttribute("transform", placed(known.x, y, this.scale, scale));
		}
	}

	/** Names are written after the paint that answers a tap. */
	writeSoon() {
		if (this.writing) return;
		this.names.layer.removeAttribute("data-placed");
		this.writing = requestAnimationFrame(() =>
			setTimeout(() => {
				this.writing = 0;
				this.write();
			}, 0),
		);
	}

	/** Has the names placed; they give way to figures, buildings and each other. */
	write() {
		const { targets, chosen } = this.last;
		const wanted = [];
		const taken = [];
		for (const place of this.list) {
			const { drawn, x, y, mark, foot, building, node } = this.stacked[place.id];
			if (x === undefined) continue;
			const box = (x1, y1, x2, y2) => taken.push({ id: place.id, x1, y1, x2, y2, hard: true });
			const area = { top: node ? drawn.top : -9, bottom: node ? drawn.bottom : -8, left: 20, right: 20 };
			if (node) {
				box(x - drawn.left - 2, y + drawn.top, x + drawn.right + 2, y + drawn.bottom);
				Object.assign(area, { left: drawn.left, right: drawn.right });
			}
			if (mark) {
				const covered = landmarkBox(building);
				box(foot[0] + covered.left, foot[1] + covered.top, foot[0] + covered.right, foot[1] + covered.bottom);
				area.top = Math.min(area.top, foot[1] - y + covered.top);
				if (!node) area.bottom = foot[1] - y + covered.bottom;
			}
			const asked = Boolean(targets[place.id] && !targets[place.id].refused) || chosen.includes(place.id);
			wanted.push({ place, at: [x, y], ...area, stands: Boolean(node), asked });
		}
		const { x: left, y: top, scale, across, down } = this.view;
		const [right, bottom] = [left * scale + across, top * scale + down];
		// on a small screen the board's own buttons lie in its corner
		if (SMALL.matches) taken.push({ x1: right - TOOLS[0], y1: bottom - TOOLS[1], x2: right, y2: bottom, hard: true });
		this.names.write(wanted, taken, this.view);
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

/** One round in which figures that overlap push each other apart; whether any did. */
function pushed(standing) {
	let moved = false;
	for (const [i, a] of standing.entries())
		for (const b of standing.slice(i + 1)) {
			const wide = a.x < b.x ? a.drawn.right + b.drawn.left : a.drawn.left + b.drawn.right;
			const across = wide + APART[0] - Math.abs(a.x - b.x);
			if (across <= 0) continue;
			const high = a.y < b.y ? a.below + b.above : a.above + b.below;
			const down = high + APART[1] - Math.abs(a.y - b.y);
			if (down <= 0) continue;
			moved = true;
			const axis = across < down ? "x" : "y";
			const step = (Math.sign(a[axis] - b[axis]) || 1) * (Math.min(across, down) / 4 + 0.2);
			a[axis] += step;
			b[axis] -= step;
		}
	return moved;
}
