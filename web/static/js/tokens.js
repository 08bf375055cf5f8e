// A drawn tile or token beside its name: a disc with a number or an eye, and small signs, or a card of signs. From
// data; knows no game.

import { s } from "./dom.js";
import { signCells } from "./signs.js";

const EYE = "M-15 0 Q0 -13 15 0 Q0 13 -15 0 Z M0 -6 A6 6 0 1 1 -0.01 -6 Z";
const DIE = "M-9 -9 H9 V9 H-9 Z M-1.8 0 a1.8 1.8 0 1 0 3.6 0 a1.8 1.8 0 1 0 -3.6 0 Z";
const SIGNS = {
	reveal: "M-4 -2 a5 5 0 1 1 0.01 0 M0 2 L6 8", // a glass: something is found
	stop: "M-3 -7 H3 L7 -3 V3 L3 7 H-3 L-7 3 V-3 Z M-4 0 H4",
	star: "M0 -8 L2.4 -2.4 L8 -2.4 L3.6 1.6 L5.2 7.6 L0 4 L-5.2 7.6 L-3.6 1.6 L-8 -2.4 L-2.4 -2.4 Z",
};
const SHAPES = { eye: EYE, die: DIE };

/** `{tone, text, shape, signs}` or `{cells}` as a picture; null where there is none. */
export function tokenPicture(token) {
	if (!token) return null;
	if (token.cells) return signCells(token.cells);
	const signs = token.signs || [];
	return s(
		"svg",
		{ class: `token ${token.tone || ""}`, viewBox: "-26 -26 52 52", width: 52, height: 52, "aria-hidden": "true" },
		s("circle", { r: 24 }),
		SHAPES[token.shape]
			? s("path", { class: "shape", d: SHAPES[token.shape], transform: `translate(0 ${signs.length ? -7 : 0})` })
			: s("text", { y: signs.length ? -7 : 1, class: signs.length ? "above" : "" }, token.text || ""),
		signs.map((sign, index) =>
			s("path", {
				class: "sign",
				d: SIGNS[sign],
				transform: `translate(${(index - (signs.length - 1) / 2) * 18} 13) scale(.75)`,
			}),
		),
	);
}
