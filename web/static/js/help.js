// What does this piece, symbol, track or card do; and a summary of the turn.

import { h, show } from "./dom.js";
import { pageOf, t } from "./words.js";
import { get } from "./net.js";
import { open } from "./dialogs.js";
import { explainField } from "./positions.js";

const ruleLine = (rule) =>
	rule ? h("p", { class: "small soft" }, `${rule.title}: ${rule.sentence} ${pageOf(rule)}`) : null;

let able = false; // whether this game explains its things

export const setExplains = (yes) => {
	able = yes;
};

/** A name that explains itself when tapped, where the game has words for it. */
export const explains = (kind, id, ...label) =>
	!able
		? h("span", {}, label)
		: h(
				"button",
				{
					class: "quiet explain",
					"data-key": `explain-${kind}-${id}`,
					"data-explain": `${kind}/${id}`,
					onclick: () => openHelp(kind, id),
				},
				label,
				h("span", { class: "unseen" }, t("help.more")),
			);

export async function openHelp(kind, id) {
	const answer = await get(`/api/help/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`);
	if (!answer.ok) return open(t("help.title"), h("p", {}, answer.error.sentence));
	const { title, text, rule } = answer.data;
	return open(
		title,
		h("p", {}, text),
		ruleLine(rule),
		h("button", { "data-key": "help-all", onclick: openGlossary }, t("help.all")),
	);
}

export function openGlossary() {
	const list = h("div", { class: "stack", "aria-live": "polite" });
	const field = h("input", {
		type: "search",
		autocomplete: "off",
		enterkeyhint: "search",
		autofocus: true,
		"data-key": "help-query",
		oninput: () => find(),
	});
	let number = 0;
	async function find() {
		const mine = (number += 1);
		const answer = await get(`/api/help?q=${encodeURIComponent(field.value)}`);
		if (mine !== number) return;
		if (!answer.ok) return show(list, h("p", {}, answer.error.sentence));
		const { found, more } = answer.data;
		show(
			list,
			found.length ? null : h("p", {}, t("rules.none")),
			found.map((one) =>
				h(
					"article",
					{ class: "card", "data-help": `${one.kind}/${one.id}` },
					h("h3", {}, one.title),
					h("p", {}, one.text),
					ruleLine(one.rule),
				),
			),
			more ? h("p", { class: "soft" }, t("rules.more", { count: more })) : null,
		);
	}
	const { seat } = document.body.dataset;
	open(
		t("help.title"),
		seat ? explainField(`/api/seat/${seat}/explain`) : null,
		h("label", {}, t("rules.search"), field),
		() => list,
	);
	find();
}

export async function openTurn(game) {
	const answer = await get("/api/turn");
	if (!answer.ok) return open(t("turn.title"), h("p", {}, answer.error.sentence));
	const { turn, turn_title: titled, phase, scores, lines, more } = answer.data;
	return open(
		t("turn.title"),
		h("p", {}, [titled || (turn ? t("bar.turn", { turn }) : ""), phase].filter(Boolean).join(" · ")),
		scores.map((score) =>
			h(
				"p",
				{ "data-score": score.id },
				game.seatMark(score.seat),
				score.seat && scores.length > 1 ? ` ${game.seatName(score.seat)}: ` : " ",
				`${score.name}: `,
				h("b", {}, score.value),
				score.target ? ` / ${score.target}` : "",
			),
		),
		more ? h("p", { class: "soft" }, t("turn.more")) : null,
		lines.length
			? h(
					"ol",
					{ class: "stack" },
					lines.map((one) =>
						h("li", {}, game.seatMark(one.seat), " ", h("b", {}, game.seatName(one.seat)), " ", one.text),
					),
				)
			: h("p", { class: "soft" }, t("log.empty")),
	);
}
