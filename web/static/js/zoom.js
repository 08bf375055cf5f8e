// Zoom and pan of a drawing: two fingers, one finger once it is enlarged, wheel, buttons, keyboard.
// At first the picture is only shifted and stretched as it is, in the very next frame; it is drawn anew after that
// frame, or when fingers and wheel rest.

import { afterPaint } from "./dom.js";

const SLACK = 8; // CSS pixels a finger may move and still tap
export const STEP = 1.6; // of one tap or key
const REST = 140; // ms after the last turn of the wheel

export class Zoom {
	/**
	 * `sheet`: the element that takes the fingers and is stretched, at the top left of its `pane` in `host`; `size`:
	 * [width, height] in units of the drawing; `settled(view)`: draws it anew.
	 */
	constructor(host, pane, sheet, size, settled) {
		this.host = host;
		this.sheet = sheet;
		this.size = size;
		this.settled = settled;
		this.room = [pane.clientWidth, pane.clientHeight]; // asked once; then told
		this.most = 4;
		this.z = 1;
		this.middle = [size[0] / 2, size[1] / 2];
		this.fingers = new Map();
		this.start = null;
		this.moved = false;
		for (const [name, act] of [
			["pointerdown", "down"],
			["pointermove", "move"],
			["pointerup", "up"],
			["pointercancel", "up"],
		]) {
			sheet.addEventListener(name, (event) => this[act](event), { passive: true });
		}
		// a finger that moved the board has not tapped on a place
		sheet.addEventListener(
			"click",
			(event) => {
				if (this.moved) {
					event.stopPropagation();
					event.preventDefault();
				}
			},
			{ capture: true },
		);
		sheet.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
		host.addEventListener("keydown", (event) => this.key(event));
		this.watch = new ResizeObserver(([{ contentRect }]) => {
			this.room = [contentRect.width, contentRect.height];
			this.settle(this.aim?.z, this.aim?.middle); // a zoom that is under way goes on
		});
		this.watch.observe(pane);
	}

	close() {
		this.watch.disconnect();
	}

	/** Where a view lies: scale in CSS pixels a unit, and the board's point at the top left; kept on the board. */
	view(z, middle) {
		const [width, height] = this.size;
		const [across, down] = this.room.map((pixels) => Math.max(1, pixels));
		const scale = Math.min(across / width, down / height) * z;
		const fit = (at, room, whole) =>
			whole <= room ? (whole - room) / 2 : Math.min(Math.max(at - room / 2, 0), whole - room);
		return {
			z,
			scale,
			x: fit(middle[0], across / scale, width),
			y: fit(middle[1], down / scale, height),
			across,
			down,
		};
	}

	get scale() {
		return (this.now || this.view(this.z, this.middle)).scale;
	}

	settle(z = this.z, middle = this.middle) {
		clearTimeout(this.later);
		const view = this.view(Math.min(Math.max(z, 1), this.most), middle);
		this.z = view.z;
		this.middle = [view.x + view.across / view.scale / 2, view.y + view.down / view.scale / 2];
		this.now = view;
		this.aim = null;
		this.sheet.style.transform = "";
		this.sheet.classList.toggle("zoomed", this.z > 1.01);
		this.settled(view);
	}

	/** Shows a view by stretching the picture as it is drawn. */
	stretch(z, middle) {
		this.aim = { z: Math.min(Math.max(z, 1), this.most), middle };
		if (this.frame) return;
		this.frame = requestAnimationFrame(() => {
			this.frame = 0;
			if (!this.aim) return;
			const to = this.view(this.aim.z, this.aim.middle);
			const [right, down] = [(this.now.x - to.x) * to.scale, (this.now.y - to.y) * to.scale];
			this.sheet.style.transform = `translate(${right}px, ${down}px) scale(${to.scale / this.now.scale})`;
			// once that frame is on screen: it is when the next one begins
			if (this.soon) afterPaint(() => this.rest());
			this.soon = false;
		});
	}

	/** Draws anew what is stretched. */
	rest() {
		if (this.aim) this.settle(this.aim.z, this.aim.middle);
	}

	/** Goes to a view: seen in the next frame, drawn anew right after it. */
	go(z, middle) {
		this.soon = true;
		this.stretch(z, middle);
	}

	get from() {
		return this.aim ? this.view(this.aim.z, this.aim.middle) : this.now;
	}

	/** Zoom by `factor` around a point of the screen (the middle where none is given). */
	by(factor, at = null) {
		const { from } = this;
		this.go(...this.around(from.z * factor, at || [from.across / 2, from.down / 2], from));
	}

	/**
	 * The view of scale `z` in which `at` stays where it is.
	 * @returns {[number, [number, number]]}
	 */
	around(z, at, from) {
		const [px, py] = at;
		const wanted = Math.min(Math.max(z, 1), this.most);
		const scale = (from.scale / from.z) * wanted;
		const point = [from.x + px / from.scale, from.y + py / from.scale];
		return [wanted, [point[0] + (from.across / 2 - px) / scale, point[1] + (from.down / 2 - py) / scale]];
	}

	fit() {
		this.go(1, this.middle);
	}

	/** Moves just as far as needed to have a box {x1, y1, x2, y2} in sight; zooms to at least `least`. */
	reveal(box, least = 1) {
		const { z } = this.from;
		if (this.inside(box, this.from) && z >= least) return;
		this.go(Math.max(z, least), [(box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2]);
	}

	/** Whether any of the boxes is in sight as a whole. */
	sees(boxes) {
		return boxes.some((box) => this.inside(box, this.from));
	}

	inside(box, { x, y, scale, across, down }) {
		return box.x1 >= x && box.y1 >= y && box.x2 <= x + across / scale && box.y2 <= y + down / scale;
	}

	// fingers

	point(event) {
		const frame = this.host.getBoundingClientRect();
		return [event.clientX - frame.left, event.clientY - frame.top];
	}

	down(event) {
		if (!this.fingers.size) this.moved = false;
		this.fingers.set(event.pointerId, this.point(event));
		this.begin();
	}

	begin() {
		const points = [...this.fingers.values()];
		this.rest();
		this.start = points.length ? { points, view: this.now } : null;
	}

	move(event) {
		if (!this.start || !this.fingers.has(event.pointerId)) return;
		this.fingers.set(event.pointerId, this.point(event));
		const points = [...this.fingers.values()].slice(0, 2);
		const before = this.start.points;
		if (points.length !== Math.min(before.length, 2)) return;
		const far = points.some(
			(point, index) => Math.hypot(point[0] - before[index][0], point[1] - before[index][1]) > SLACK,
		);
		if (!this.moved && (!far || (points.length === 1 && this.z <= 1.01))) return;
		if (!this.moved) for (const id of this.fingers.keys()) this.capture(id);
		this.moved = true;
		const mean = (list) => {
			const along = (axis) => list.reduce((sum, point) => sum + point[axis], 0) / list.length;
			return [along(0), along(1)];
		};
		const apart = (list) =>
			list.length < 2 ? 1 : Math.max(20, Math.hypot(list[0][0] - list[1][0], list[0][1] - list[1][1]));
		const { view } = this.start;
		const [was, is] = [mean(before.slice(0, 2)), mean(points)];
		const [z, middle] = this.around(view.z * (apart(points) / apart(before)), was, view);
		const scale = (view.scale / view.z) * z;
		this.stretch(z, [middle[0] - (is[0] - was[0]) / scale, middle[1] - (is[1] - was[1]) / scale]);
	}

	capture(id) {
		try {
			this.sheet.setPointerCapture(id);
		} catch {
			/* a finger that is gone already */
		}
	}

	up(event) {
		this.fingers.delete(event.pointerId);
		if (!this.fingers.size)
			setTimeout(() => {
				if (!this.fingers.size) this.moved = false;
			}, 300);
		this.rest();
		this.begin();
	}

	wheel(event) {
		const page = document.documentElement;
		if (!event.ctrlKey && !event.metaKey && page.scrollHeight > page.clientHeight + 1) return; // it scrolls the page
		event.preventDefault();
		const { from } = this;
		this.stretch(
			...this.around(from.z * Math.exp(-Math.max(-300, Math.min(300, event.deltaY)) * 0.002), this.point(event), from),
		);
		clearTimeout(this.later);
		this.later = setTimeout(() => this.rest(), REST);
	}

	key(event) {
		if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
		const pan = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
		if (event.key === "+" || event.key === "=") this.by(STEP);
		else if (event.key === "-") this.by(1 / STEP);
		else if (event.key === "0") this.fit();
		else if (pan && this.z > 1.01)
			this.go(
				this.z,
				[0, 1].map((axis) => (this.aim || this).middle[axis] + (pan[axis] * 80) / this.scale),
			);
		else return;
		event.preventDefault();
	}
}
