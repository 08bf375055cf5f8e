// Camera and tray: a live picture, and what passes or fails, in words, with what to do.

import { h, show } from "./dom.js";
import { loadWords, t } from "./words.js";
import { get } from "./net.js";
import { livePicture, page } from "./sheet.js";

await loadWords();
const lines = h("div", { class: "stack", id: "findings", "aria-live": "polite" });
page(t("camera.title"), t("camera.lead"), "",
  h("div", { class: "places" }, h("section", { class: "panel" }, livePicture()), h("section", { class: "panel" }, h("h2", {}, t("camera.findings")), lines)));

const row = (good, title, text, id) => h("article", { class: `device ${good ? "ok" : "warn"}`, "data-finding": id },
  h("span", { class: "sign", "aria-hidden": "true" }, good ? "✓" : "✕"), h("div", {}, h("h3", {}, title), h("p", {}, text)));

async function look() {
  const answer = await get("/api/setup/camera");
  if (!answer.ok) return show(lines, h("p", {}, answer.error.sentence));
  const { picture, text, findings, markers } = answer.data;
  if (!picture) return show(lines, row(false, `${t("camera.check_picture")}: ${t("camera.fail")}`, text || t("camera.no_picture"), "picture"));
  return show(lines, h("p", { class: "soft" }, t("camera.markers", { count: markers })),
    findings.map((one) => row(one.good, `${one.name}: ${t(one.good ? "camera.pass" : "camera.fail")}`, one.text, one.code)));
}

look();
setInterval(() => document.visibilityState === "visible" && look(), 1500);
