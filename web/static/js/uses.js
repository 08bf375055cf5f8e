// What dice may do: one row an action, led by its die.

import { h } from "./dom.js";
import { t } from "./words.js";

/** Dice by what they may do: one tap takes the action with the die that can do least else; the other dice unfold. */
export function byAction(panel, dice, choose) {
	const { draft } = panel.game;
	const actions = new Map(); // action -> [[die, action of that die], ...]
	const refused = [];
	const uses = (one) => one.then.filter((more) => !more.refused).length;
	for (const one of dice) {
		if (one.refused) refused.push([one, null]);
		for (const more of one.then || []) {
			if (more.refused) refused.push([one, more]);
			else actions.set(more.value, [...(actions.get(more.value) || []), [one, more]]);
		}
	}
	const button = (one, more, parts, kind = "option") =>
		h(
			"button",
			{
				class: kind,
				"data-key": `o-${one.value}-${more.value}`,
				"data-option": `${one.value}/${more.value}`,
				disabled: draft.busy,
				onclick: () => choose(one, more),
			},
			parts,
		);
	const rows = [...actions].map(([value, pairs]) => {
		pairs.sort(([a], [b]) => uses(a) - uses(b));
		const [[one, more], ...others] = pairs;
		const key = `with-${value}`;
		const first = button(
			one,
			more,
			[panel.facePicture(one), h("span", {}, more.text, h("br"), h("span", { class: "small soft" }, one.text))],
			"option grow",
		);
		if (!others.length) return h("div", { class: "use" }, first);
		const open = panel.unfolded.has(key);
		return h(
			"div",
			{ class: "use" },
			first,
			h(
				"button",
				{
					class: "other",
					"data-key": key,
					"aria-expanded": String(open),
					"aria-label": t("ask.other_die", { action: more.text }),
					title: t("ask.other_die", { action: more.text }),
					onclick: () => {
						panel.unfolded[open ? "delete" : "add"](key);
						panel.game.changed();
					},
				},
				h("span", { "aria-hidden": "true" }, open ? "▾" : "▸"),
			),
			open
				? h(
						"div",
						{ class: "options wide" },
						others.map(([other, its]) => button(other, its, [panel.facePicture(other), h("span", {}, other.text)])),
					)
				: null,
		);
	});
	const why = ([one, more]) =>
		h(
			"button",
			{
				class: "option refused",
				"data-key": `o-${one.value}-${more?.value ?? ""}`,
				"data-option": more ? `${one.value}/${more.value}` : one.value,
				onclick: () => {
					draft.refusal = (more || one).refused;
					panel.game.changed();
				},
			},
			h(
				"span",
				{},
				panel.facePicture(one, 30),
				more ? `${more.text} · ${one.text}` : one.text,
				h("span", { class: "unseen" }, `, ${t("board.cannot")}`),
			),
		);
	const plain = dice.filter((one) => !one.refused && !one.then).map((one) => panel.option(null, one, null, choose));
	return [
		h("div", { class: "uses" }, rows),
		plain.length ? h("div", { class: "options" }, plain) : null,
		refused.length ? panel.folded("", refused.map(why)) : null,
	];
}
