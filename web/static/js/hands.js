// On the table now: what hands have to do, line by line, for every seat until it is done.

import { h, show } from "./dom.js";
import { t } from "./words.js";

const LISTED = "listed";
const LINE = "line";

const done = (game) => () => game.act("hands/done");

/** Prompt, parts and foot while the game waits for hands; null where it does not. */
export function handsParts(game) {
	const { hands } = game.state.table;
	if (!hands?.hold) return null;
	const line = (deed) =>
		h(
			"button",
			{
				class: "option wide deed",
				"data-key": `deed-${deed.key}`,
				"data-deed": deed.key,
				"aria-pressed": String(deed.done),
				onclick: () => game.act("hands/tick", { key: deed.key }),
			},
			h("span", { class: "tick", "aria-hidden": "true" }, deed.done ? "✓" : ""),
			h("span", {}, deed.text),
		);
	const told = (deed) => h("li", { "data-deed": deed.key }, deed.done ? h("s", {}, deed.text) : deed.text);
	return {
		prompt: t("hands.title"),
		parts: [
			game.seat
				? h("div", { class: "options long" }, hands.deeds.map(line))
				: h("ul", { class: "card stack" }, hands.deeds.map(told)),
			h("p", { class: "hint" }, t(hands.deeds.some((deed) => deed.places.length) ? "hands.lit" : "hands.tick")),
		],
		foot: game.seat
			? [h("button", { class: "main", "data-key": "hands-done", onclick: done(game) }, t("hands.done"))]
			: [],
	};
}

/** The same in one line, for who looks on, and where nobody waits: while dice are rolled, or as a table wishes. */
export function handsLine(game) {
	const { hands } = game.state.table;
	if (!hands?.deeds.length || (hands.hold && game.who !== "arbiter")) return null;
	return h(
		"p",
		{ class: "card note hands", "data-hands": "line" },
		h("b", {}, t("hands.title"), ": "),
		hands.deeds.map((deed) => deed.text).join(" · "),
	);
}

/** For the menu: a list that is waited for, or one line. */
export function handsButtons(game) {
	const row = h("div", { class: "row", role: "group", "aria-label": t("hands.title") });
	const draw = () =>
		show(
			row,
			[LISTED, LINE].map((way) =>
				h(
					"button",
					{
						"data-key": `hands-${way}`,
						"aria-pressed": String(game.state.table.hands.way === way),
						onclick: async () => {
							const answer = await game.act("hands/way", { way });
							if (!answer.ok) return;
							game.state.table.hands.way = way;
							draw();
						},
					},
					t(`hands.way_${way}`),
				),
			),
		);
	draw();
	return row;
}
