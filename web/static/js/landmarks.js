// Small buildings of towns, cities and strongholds, with roofs in the colour of their nation.

import { s } from "./dom.js";
import { tintOf } from "./landcolours.js";

const KINDS = ["stronghold", "fortification", "city", "settlement", "town", "mustering"];
/** What makes a place important on any board. */
export const IMPORTANT = KINDS.filter((kind) => kind !== "mustering");
const AREA = { left: -36, top: -58, right: 36, bottom: 4 }; // of the largest, around the middle of its foot

const box = (x, y, w, h) => [
	s("rect", { class: "stone", x, y, width: w, height: h }),
	s("rect", { class: "stoneshade", x: x + w * 0.62, y, width: w * 0.38, height: h }),
	s("rect", { class: "edge", x, y, width: w, height: h }),
];
const roof = (x, y, w, h) => [
	s("path", { class: "roof", d: `M${x - 2} ${y}L${x + w / 2} ${y - h}L${x + w + 2} ${y}Z` }),
	s("path", { class: "roofshade", d: `M${x + w / 2} ${y}V${y - h}L${x + w + 2} ${y}Z` }),
];
const house = (x, w, h, top) => [box(x, -h, w, h), roof(x, -h, w, top)];
const crenels = (x, y, w, count) => {
	const step = w / (2 * count - 1);
	return Array.from({ length: count }, (_, i) =>
		s("rect", { class: "stone edge", x: x + i * 2 * step, y: y - 5, width: step, height: 5 }),
	);
};
const door = (x, y, w, h) =>
	s("path", {
		class: "door",
		d: `M${x - w / 2} ${y}V${y - h * 0.55}A${w / 2} ${w / 2} 0 0 1 ${x + w / 2} ${y - h * 0.55}V${y}Z`,
	});
const banner = (x, y, h) => [
	s("path", { class: "edge", d: `M${x} ${y}V${y - h}` }),
	s("path", { class: "roof", d: `M${x} ${y - h}L${x + 13} ${y - h + 4}L${x} ${y - h + 8}Z` }),
];

const DRAWN = {
	stronghold: () => [
		box(-12, -34, 24, 34),
		crenels(-12, -34, 24, 3),
		house(-30, 17, 23, 15),
		house(13, 17, 23, 15),
		door(0, 0, 11, 17),
		banner(0, -39, 17),
	],
	fortification: () => [
		box(-30, -19, 60, 19),
		crenels(-30, -19, 60, 6),
		box(-34, -28, 15, 28),
		crenels(-34, -28, 15, 2),
		box(19, -28, 15, 28),
		crenels(19, -28, 15, 2),
		door(0, 0, 15, 18),
	],
	city: () => [
		house(-9, 18, 22, 16),
		house(-29, 19, 13, 11),
		house(10, 19, 13, 11),
		door(0, 0, 8, 12),
		box(-34, -5, 68, 8),
	],
	settlement: () => [house(-9, 18, 22, 16), house(-29, 19, 13, 11), house(10, 19, 13, 11), door(0, 0, 8, 12)],
	town: () => [house(-20, 18, 12, 11), house(3, 16, 10, 9)],
	mustering: () => [banner(-14, 0, 30), banner(2, -2, 36), banner(18, 0, 30)],
};

/** The kind of building at a place; null where none stands. */
export const landmarkOf = (place) =>
	place.kind === "rock" ? null : KINDS.find((kind) => place.tags?.includes(kind)) || null;

/** The buildings of these kinds, the middle of their foot at (0, 0), to be used by `landmark`. */
export const landmarkShapes = (kinds) =>
	KINDS.filter((kind) => kinds.has(kind)).map((kind) =>
		s(
			"g",
			{ id: `landmark-${kind}`, class: "building" },
			s("ellipse", { class: "around", cx: 0, cy: -8, rx: 44, ry: 22 }),
			DRAWN[kind](),
		),
	);

/** The building of a place, in the colours of its nation. */
export function landmark(board, place, kind) {
	const node = s("use", { class: "landmark", href: `#landmark-${kind}`, "data-place": place.id });
	for (const theme of ["light", "dark"]) {
		const tint = tintOf(board, place, theme);
		if (tint) node.style.setProperty(`--roof-${theme}`, tint);
	}
	return node;
}

/** What a building covers, in pixels around the middle of its foot. */
export const landmarkBox = (scale) => Object.fromEntries(Object.entries(AREA).map(([side, at]) => [side, at * scale]));
