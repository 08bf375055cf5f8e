// Camera and tray: a live picture, and what passes or fails, in words, with what to do.

import { h, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get, post, READING } from "./net.js";
import { livePicture, page } from "./sheet.js";

const PATIENCE = 1500;

await pageReady();
const lines = h("div", { class: "stack", id: "findings", "aria-live": "polite" });

const row = (good, title, text, id) =>
	h(
		"article",
		{ class: `device ${good ? "ok" : "warn"}`, "data-finding": id },
		h("span", { class: "sign", "aria-hidden": "true" }, good ? "✓" : "✕"),
		h("div", {}, h("h3", {}, title), h("p", {}, text)),
	);

async function look(asked = get("/api/setup/camera")) {
	const answer = await asked;
	if (!answer.ok) return show(lines, h("p", {}, answer.error.sentence));
	const { picture, text, findings, markers } = answer.data;
	if (!picture)
		return show(
			lines,
			row(false, `${t("camera.check_picture")}: ${t("camera.fail")}`, text || t("camera.no_picture"), "picture"),
		);
	return show(
		lines,
		h("p", { class: "soft" }, t("camera.markers", { count: markers })),
		findings.map((one) =>
			row(one.good, `${one.name}: ${t(one.good ? "camera.pass" : "camera.fail")}`, one.text, one.code),
		),
	);
}

// the page is shown with what was found, which would push its foot down later; a slow camera does not keep it waiting
await Promise.race([
	look(),
	new Promise((done) => {
		setTimeout(done, PATIENCE);
	}),
]);
page(
	t("camera.title"),
	t("camera.lead"),
	null,
	h(
		"div",
		{ class: "places" },
		h(
			"section",
			{ class: "panel" },
			livePicture(),
			h(
				"div",
				{ class: "row" },
				h(
					"button",
					{ "data-key": "calibrate", onclick: () => look(post("/api/setup/camera/calibrate", {}, READING)) },
					t("camera.calibrate"),
				),
			),
			h("p", { class: "soft" }, t("camera.calibrate_hint")),
		),
		h("section", { class: "panel" }, h("h2", {}, t("camera.findings")), lines),
	),
);
setInterval(() => document.visibilityState === "visible" && look(), 1500);
