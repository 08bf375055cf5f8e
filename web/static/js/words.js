// All sentences come from the catalogue; a missing one shows its id, and a test looks for those.

export const language = document.body.dataset.language;
let texts = {};

/** A time as the language writes it, by a clock of 24 hours; `options` as of Intl.DateTimeFormat. */
export function timeText(at, options = { dateStyle: "medium", timeStyle: "medium" }) {
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, options).format(new Date(at));
}

export async function loadWords() {
  const answer = await fetch(`/i18n/${language}.json`);
  texts = await answer.json();
}

export function t(id, params = {}) {
  const raw = texts[id];
  if (raw === undefined) return id;
  return raw.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? params[name] : whole));
}

/** Where a rule stands: a page, or the chapter's name in books whose pages we do not know. */
export function pageOf(rule) {
  if (!rule?.page) return "";
  return t(/^\d/.test(rule.page) ? "rule.page" : "rule.part", { page: rule.page });
}
