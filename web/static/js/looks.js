// How seats are drawn: each has a colour and an outline, so that neither is the only sign. The game says which.

import { h } from "./dom.js";

let looks = {};

/** The looks of the game on the table: {seat: {colour, shape}}. */
export function setLooks(known) {
	looks = known || {};
}

export const lookOf = (seat) => looks[seat] || null;

const BRIGHT = ["yellow", "white"]; // letters on these are dark

export const isBright = (seat) => BRIGHT.includes(looks[seat]?.colour);

/** The class that colours text and rims: `seat-green`; none for what belongs to nobody. */
export const seatClass = (seat, prefix = "seat") => (looks[seat] ? `${prefix}-${looks[seat].colour}` : "");

/** A small sign in the colour and the outline of a look. */
export const lookMark = (look) =>
	h("span", { class: look ? `seatmark seat-${look.colour} shape-${look.shape}` : "seatmark", "aria-hidden": "true" });

export const seatMark = (seat) => lookMark(looks[seat]);
