// A captured board as it is drawn: its photograph, areas, what touches what, printed points, doubtful spots.

import { h, s, press } from "./dom.js";
import { where } from "./capturecorners.js";
import { t } from "./words.js";

export const UNIT = 1000; // units of the drawing along each side

const groupName = (cap, id) => cap.form.groups.find((one) => one.id === id)?.name || t("capture.nothing");
export const markOf = (cap, id) => cap.form.marks.find((one) => one.id === id);
const valueName = (cap, mark, id) =>
	mark.values.find((one) => one.id === id)?.name || cap.form.groups.find((one) => one.id === id)?.name || "";

export function areaLabel(cap, area) {
	const marks = area.marks.map((one) => markOf(cap, one).name);
	return [area.name || `${groupName(cap, area.group)} ${area.id}`, ...marks].join(", ");
}

/**
 * `shown`: {tool, picks, lit, flat} (what is chosen and lit, the flattened picture's address); `on`: what happens,
 * {tap(area or null, at), paint(area, path), point(number), doubt(doubt)}.
 */
export function captureBoard(cap, shown, on) {
	const { tool, picks, lit } = shown;
	const svg = s("svg", {
		class: "capture-board",
		viewBox: `0 0 ${UNIT} ${UNIT}`,
		role: "group",
		"aria-label": t("capture.areas"),
	});
	const back = s("image", { href: shown.flat, width: UNIT, height: UNIT });
	back.addEventListener("click", (event) => on.tap(null, where(svg, event)));
	svg.append(back);
	const doubtful = new Set(cap.doubts.flatMap((one) => (one.kind === "area" || one.kind === "group" ? one.areas : [])));
	for (const area of cap.areas) {
		const classes = ["capture-area"];
		if (picks.some((one) => one?.id === area.id) || lit.includes(area.id)) classes.push("picked");
		if (doubtful.has(area.id)) classes.push("doubtful");
		const shape = s("polygon", {
			class: classes.join(" "),
			points: area.outline.map((one) => one.join(",")).join(" "),
			tabindex: "0",
			role: "button",
			"data-key": `area-${area.id}`,
			"aria-label": areaLabel(cap, area),
		});
		press(shape, (event) => on.tap(area, event.type === "click" ? where(svg, event) : area.at));
		if (tool.kind === "paint") dragging(svg, shape, (path) => on.paint(area, path));
		svg.append(shape);
	}
	const middle = Object.fromEntries(cap.areas.map((one) => [one.id, one.at]));
	if (["touch", "doubts"].includes(tool.kind))
		for (const [a, b] of cap.joins)
			svg.append(
				s("line", { class: "capture-join", x1: middle[a][0], y1: middle[a][1], x2: middle[b][0], y2: middle[b][1] }),
			);
	for (const area of cap.areas)
		svg.append(
			s("text", { class: "capture-name", x: area.at[0], y: area.at[1] }, area.name || groupName(cap, area.group)),
			s(
				"text",
				{ class: "capture-name small", x: area.at[0], y: area.at[1] + 26 },
				area.marks.map((one) => markOf(cap, one).name).join(" · "),
			),
		);
	cap.points.forEach((_, number) => svg.append(pointSign(cap, tool, number, middle, on.point)));
	for (const doubt of cap.doubts) svg.append(doubtSign(doubt, on.doubt));
	return h("div", { class: "capture-box" }, svg);
}

/** A border is dragged: what the finger goes over belongs to the area where it began. */
function dragging(svg, shape, paint) {
	shape.addEventListener("pointerdown", (event) => {
		shape.setPointerCapture(event.pointerId);
		const way = [where(svg, event)];
		shape.onpointermove = (moved) => way.push(where(svg, moved));
		shape.onpointerup = () => {
			shape.onpointermove = null;
			const thin = way.filter((_, n) => n % Math.ceil(way.length / 150) === 0);
			const inside = (one) => Math.min(1, Math.max(0, one / UNIT));
			if (way.length > 2) paint(thin.map(([x, y]) => [inside(x), inside(y)]));
		};
	});
}

/** Room for a finger round a sign. */
const hit = ([x, y]) => s("rect", { class: "capture-hit", x: x - 36, y: y - 36, width: 72, height: 72 });

function pointSign(cap, tool, number, middle, choose) {
	const point = cap.points[number];
	const mark = markOf(cap, point.mark);
	const label = [mark.name, valueName(cap, mark, point.value)].filter(Boolean).join(" ");
	const chosen = tool.kind === "beside" && tool.point === number;
	const sign = s("g", {
		class: chosen ? "capture-point picked" : "capture-point",
		tabindex: "0",
		role: "button",
		"aria-label": label,
		"data-key": `point-${number}`,
	});
	if (chosen || tool.mark === point.mark)
		for (const id of point.beside)
			sign.append(s("line", { x1: point.at[0], y1: point.at[1], x2: middle[id][0], y2: middle[id][1] }));
	sign.append(
		hit(point.at),
		s("circle", { cx: point.at[0], cy: point.at[1], r: 20 }),
		s("text", { x: point.at[0], y: point.at[1] }, label.slice(0, 1) + (point.value ? label.slice(-1) : "")),
	);
	press(sign, () => choose(number));
	return sign;
}

function doubtSign(doubt, choose) {
	const sign = s("g", {
		class: "capture-doubt",
		tabindex: "0",
		role: "button",
		"aria-label": doubt.text,
		"data-key": `doubt-${doubt.kind}-${doubt.areas.join("-")}`,
	});
	sign.append(
		hit(doubt.at),
		s("circle", { cx: doubt.at[0], cy: doubt.at[1], r: 18 }),
		s("text", { x: doubt.at[0], y: doubt.at[1] }, "?"),
	);
	press(sign, () => choose(doubt));
	return sign;
}
