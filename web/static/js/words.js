// All sentences come from the catalogue; a missing one shows its id, and a test looks for those.

export const language = document.body.dataset.language;
/** The languages that the table speaks: codes, and their names in themselves. */
export const languages = Object.entries(JSON.parse(document.body.dataset.languages ?? "{}"));
let texts = {};
let plurals = [];

/** A time as the language writes it, by a clock of 24 hours; `options` as of Intl.DateTimeFormat. */
export function timeText(at, options = /** @type {any} */ ({ dateStyle: "medium", timeStyle: "medium" })) {
	return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, options).format(new Date(at));
}

export async function loadWords() {
	const answer = await fetch(`/i18n/${language}.json`);
	({ texts, plurals } = await answer.json());
}

/** Which of a language's plural forms a number takes. */
const form = (number) => plurals[number < 200 ? number : 100 + (number % 100)] ?? plurals[0] ?? 0;

export function t(id, params = {}) {
	const found = texts[id];
	if (found === undefined) return id;
	const raw = typeof found === "string" ? found : found.forms[form(params[found.counted])];
	return raw.replace(/\{(\w+)(?::([^}]*))?\}/g, (whole, name, words) => {
		if (!(name in params)) return whole;
		return words?.includes("|") ? words.split("|")[form(params[name])] : params[name];
	});
}

/** Where a rule stands: a page, or the chapter's name in books whose pages we do not know. */
export function pageOf(rule) {
	if (!rule?.page) return "";
	// "1. Movement" is the heading of a part
	const part = rule.german ? "rule.part_of_german" : "rule.part";
	return t(/^\d+(?![\d:]|\. \D)/.test(rule.page) ? "rule.page" : part, { page: rule.page });
}
