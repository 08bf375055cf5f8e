// Every device in words, refreshed while the page is open.

import { $, h, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get } from "./net.js";
import { languageButtons } from "./dialogs.js";

await pageReady();
const SIGN = { ok: "✓", warn: "!", away: "✕", fail: "✕" };

async function draw() {
	const answer = await get("/api/health");
	const rows = answer.ok
		? answer.data.devices.map((device) =>
				h(
					"article",
					{ class: `device ${device.health}`, "data-device": device.id },
					h("span", { class: "sign", "aria-hidden": "true" }, SIGN[device.health]),
					h("div", {}, h("h3", {}, `${device.name}: ${t(`health.${device.health}`)}`), h("p", {}, device.text)),
				),
			)
		: [h("p", {}, answer.error.sentence)];
	show(
		$("health"),
		h("header", { class: "hero" }, h("h1", {}, t("menu.health")), languageButtons("")),
		h("section", { class: "panel" }, rows),
		h("p", {}, h("a", { class: "button", href: "/" }, t("menu.start"))),
	);
}

draw();
setInterval(draw, 4000);
