// Small parts of questions: the link to a rule, and what is too long for half the width.

import { h } from "./dom.js";
import { pageOf } from "./words.js";

/** Titles are shown in full; a rule opens in the dialog. */
export function ruleLink(rule, open) {
	if (!rule) return null;
	return h(
		"button",
		{ class: "quiet rule-link", onclick: () => open(rule) },
		`§ ${rule.title}`,
		h("span", { class: "page" }, pageOf(rule)),
	);
}

/** Too long for half the width: many letters, or a word that does not fit; `word` letters do. */
export const isLong = (text, word = 10) => text.length > 26 || text.split(/[\s-]/).some((one) => one.length > word);
