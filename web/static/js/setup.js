// What can be set up at this table; each part has its own page.

import { $, h, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get } from "./net.js";
import { languageButtons } from "./dialogs.js";

await pageReady();

const part = (title, text, href, go) =>
	h(
		"section",
		{ class: "panel" },
		h("h2", {}, title),
		h("p", {}, text),
		h("div", { class: "row" }, h("a", { class: "button", href }, go)),
	);

const answer = await get("/api/setup");
const ready = answer.ok && answer.data.ready;
show(
	$("setup"),
	h(
		"header",
		{ class: "hero" },
		h("div", {}, h("h1", {}, t("setup.title")), h("p", { class: "soft" }, t("setup.lead"))),
		languageButtons(""),
	),
	answer.ok ? null : h("p", { class: "card note", role: "alert" }, answer.error.sentence),
	answer.ok && !answer.data.may_change ? h("p", { class: "card note" }, t("error.may_not_set_up")) : null,
	h(
		"div",
		{ class: "places" },
		part(t("setup.check"), t("setup.check_text"), "/health", t("menu.health")),
		ready
			? [
					part(t("camera.title"), t("setup.camera_text"), "/setup/camera", t("setup.open")),
					part(t("teach.title"), t("setup.teach_text"), "/setup/dice", t("setup.open")),
					part(t("leds.title"), t("setup.leds_text"), "/setup/leds", t("setup.open")),
					part(t("capture.title"), t("setup.capture_text"), "/setup/board", t("setup.open")),
					part(t("book.title"), t("setup.book_text"), "/setup/book", t("setup.open")),
				]
			: null,
		ready && answer.data.battles
			? part(t("battles.title"), t("setup.battles_text"), "/setup/battles", t("setup.open"))
			: null,
		part(t("house.title"), t("setup.house_text"), "/", t("menu.start")),
	),
	h("p", {}, h("a", { class: "button", href: "/" }, t("menu.start"))),
);
