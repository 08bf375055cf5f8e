// Long lists of answers, cards above all, by search: the first letters of any of their words.

import { h } from "./dom.js";
import { plain } from "./findplace.js";
import { t } from "./words.js";

const MANY = 9; // answers from which a list is searched

let query = "";
let asked = "";

const words = (text) => plain(text).split(/[^\p{L}\p{N}]+/u);

/** Whether each word of what was typed begins a word of the text. */
const fits = (text) =>
	words(query)
		.filter(Boolean)
		.every((one) => words(text).some((word) => word.startsWith(one)));

/** The search above `buttons`, the answers of the question `key`; null where there are few. */
export function optionSearch(key, buttons) {
	if (key !== asked) [query, asked] = ["", key];
	if (buttons.length < MANY) return null;
	const apply = (all) => {
		for (const button of all) button.toggleAttribute("hidden", !fits(button.textContent));
	};
	apply(buttons);
	return h(
		"label",
		{ class: "optionsearch" },
		t("ask.search"),
		h("input", {
			type: "search",
			autocomplete: "off",
			enterkeyhint: "search",
			"data-key": "option-query",
			value: query,
			oninput: (event) => {
				query = event.target.value;
				apply(event.target.closest("label").nextElementSibling.children);
			},
		}),
	);
}
