// Learn by playing: each phase is explained the first time it comes up; a tap switches that off.

import { $, h, show } from "./dom.js";
import { t } from "./words.js";
import { get } from "./net.js";

const SEEN = "learn-seen";
const OFF = "learn-off";
let wanted = "";

function remembered(key, fallback) {
  try { return JSON.parse(localStorage.getItem(key)) ?? fallback; } catch { return fallback; }
}

function remember(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* kept for this page only */ }
}

export const learning = () => !remembered(OFF, false);

/** Switching it on again begins from the first phase. */
export function setLearning(on) {
  remember(OFF, !on);
  if (on) remember(SEEN, []);
  wanted = "";
  if (!on) hide();
}

function hide() {
  $("learn").hidden = true;
  show($("learn"));
}

function close(key) {
  remember(SEEN, [...new Set([...remembered(SEEN, []), key])]);
  hide();
}

/** Called with each new state of the game page. */
export async function followPhase(game) {
  const { table } = game.state;
  $("learn").classList.toggle("aside", Boolean(table?.dice.roll));
  if (!table || game.who === "watch" || game.who === "arbiter" || !learning()) return hide();
  const phase = table.view.focus?.kind || table.view.phase?.id;
  const key = `${table.game}.${phase}`;
  if (!phase || key === wanted) return null;
  wanted = key;
  if (remembered(SEEN, []).includes(key)) return hide();
  const answer = await get(`/api/learn/${encodeURIComponent(phase)}`);
  if (key !== wanted) return null;
  if (!answer.ok || !answer.data.text) return hide();
  $("learn").hidden = false;
  return show($("learn"), h("h2", {}, t("learn.title")), h("p", {}, answer.data.text),
    h("div", { class: "row" }, h("button", { "data-key": "learn-ok", onclick: () => close(key) }, t("why.close")),
      table.phase_rule ? h("button", { class: "quiet", "data-key": "learn-rule", onclick: () => game.openRule(table.phase_rule) }, t("learn.rule")) : null,
      h("button", { class: "quiet", "data-key": "learn-off", onclick: () => setLearning(false) }, t("learn.off"))));
}
