// The corners of a captured board, dragged in its photograph until they lie on the printed ones.

import { h, s } from "./dom.js";
import { t } from "./words.js";

/** Where an event lies in an SVG, in its own units. */
export function where(svg, event) {
	const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
	return [point.x, point.y];
}

/** `cap` as the table tells it, `photo` the picture's address; `done(corners, moved)` has them as shares of it. */
export function corners(cap, photo, done) {
	const [width, height] = cap.photo;
	const size = Math.max(width, height);
	const quad = s("polygon", { class: "capture-quad" });
	const svg = s("svg", {
		class: "capture-photo",
		viewBox: `0 0 ${width} ${height}`,
		role: "img",
		"aria-label": t("capture.photo"),
	});
	svg.append(s("image", { href: photo, width, height }), quad);
	const now = cap.corners.map(([x, y]) => [x * width, y * height]);
	const outline = () => quad.setAttribute("points", now.map((one) => one.join(",")).join(" "));
	now.forEach(([x, y], number) => {
		const handle = s("circle", {
			class: "capture-corner",
			cx: x,
			cy: y,
			r: size * 0.028,
			tabindex: "0",
			role: "button",
			"data-key": `corner-${number}`,
			"aria-label": t("capture.corner", { number: number + 1 }),
		});
		const move = (to) => {
			const [px, py] = to;
			now[number] = [Math.min(width, Math.max(0, px)), Math.min(height, Math.max(0, py))];
			handle.setAttribute("cx", now[number][0]);
			handle.setAttribute("cy", now[number][1]);
			outline();
		};
		handle.addEventListener("pointerdown", (event) => {
			handle.setPointerCapture(event.pointerId);
			handle.onpointermove = (moved) => move(where(svg, moved));
			handle.onpointerup = () => {
				handle.onpointermove = null;
			};
		});
		handle.addEventListener("keydown", (event) => {
			const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
			if (!by) return;
			event.preventDefault();
			move([now[number][0] + by[0] * size * 0.004, now[number][1] + by[1] * size * 0.004]);
		});
		svg.append(handle);
	});
	outline();
	return h(
		"section",
		{ class: "panel" },
		h("h2", {}, t("capture.corners")),
		h("p", {}, t("capture.corners_text")),
		h("div", { class: "capture-box" }, svg),
		h(
			"button",
			{
				class: "main",
				"data-key": "corners-right",
				onclick: () => {
					const told = now.map(([x, y]) => [x / width, y / height]);
					const moved = told.some(([x, y], n) => Math.hypot(x - cap.corners[n][0], y - cap.corners[n][1]) >= 0.001);
					return done(told, moved);
				},
			},
			t("capture.corners_right"),
		),
	);
}
