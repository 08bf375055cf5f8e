// What can be set up at this table; each part opens its own page where the room for it is installed.

import { $, h, show } from "./dom.js";
import { loadWords, t } from "./words.js";
import { languageButtons } from "./dialogs.js";

await loadWords();
show($("setup"), h("header", { class: "hero" }, h("div", {}, h("h1", {}, t("setup.title")), h("p", { class: "soft" }, t("setup.lead"))), languageButtons("")),
  h("section", { class: "panel" }, h("h2", {}, t("setup.check")), h("p", {}, t("setup.check_text")), h("a", { class: "button main", href: "/health" }, t("menu.health"))),
  h("section", { class: "panel" }, h("h2", {}, t("setup.teach")), h("p", {}, t("setup.teach_text"))),
  h("p", {}, h("a", { class: "button", href: "/" }, t("menu.start"))));
