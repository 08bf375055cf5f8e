// What happened, in a line: its dice as dice, the other words as they are.

import { h } from "./dom.js";
import { bodyOf, die, isDrawn } from "./signs.js";

/** The line of an event {text, dice, around, seat}; who does not see it hears its text. */
export function eventLine(event, size = 22) {
	const dice = (event.dice || []).filter((one) => isDrawn(one.face));
	if (!dice.length) return event.text;
	const pictures = dice.map((one) => die(one.face, bodyOf(one.type, event.seat), { size }));
	const used = dice.length === 1 && !dice[0].type; // the die that is used stands before its name
	const [before, after] = event.around;
	return [
		h("span", { class: "unseen" }, event.text),
		h("span", { class: "withdice", "aria-hidden": "true" }, used ? [pictures, before] : [before, pictures], after),
	];
}
