// The arbiter's door.

import { $, h, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { post } from "./net.js";

await pageReady();
const field = h("input", { type: "password", autocomplete: "off", maxlength: "100", "data-key": "key" });
const note = h("p", { role: "alert" });

async function enter() {
	const answer = await post("/api/arbiter/enter", { key: field.value.trim() });
	if (answer.ok) location.reload();
	else note.textContent = answer.error.sentence;
}

// a link stands after #, so no server log ever holds it; it opens the door once
const token = location.hash.slice(1);
if (token) {
	history.replaceState(null, "", location.pathname);
	const answer = await post("/api/arbiter/by_link", { token });
	if (answer.ok) location.reload();
	else note.textContent = answer.error.sentence;
}

field.addEventListener("keydown", (event) => {
	if (event.key === "Enter") enter();
});
show(
	$("door"),
	h(
		"section",
		{ class: "panel" },
		h("h1", {}, t("door.title")),
		h("p", {}, t("door.text")),
		h("label", {}, t("door.key"), field),
		note,
		h(
			"div",
			{ class: "row" },
			h("button", { class: "main", "data-key": "enter", onclick: enter }, t("door.enter")),
			h("a", { class: "button", href: "/" }, t("menu.start")),
		),
	),
);
field.focus();
