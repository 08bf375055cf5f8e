// Learn by playing: what is new is explained the first time it comes up, beside the question; all of it can be read
// again.

import { h } from "./dom.js";
import { pageOf, t } from "./words.js";
import { get } from "./net.js";
import { close, open } from "./dialogs.js";

const SEEN = "learn-seen";
const OFF = "learn-off";
let topics = []; // of the game on the table, in its order: {id, title, text}

function remembered(key, fallback) {
	try {
		return JSON.parse(localStorage.getItem(key)) ?? fallback;
	} catch {
		return fallback;
	}
}

function remember(key, value) {
	try {
		localStorage.setItem(key, JSON.stringify(value));
	} catch {
		/* kept for this page only */
	}
}

const learning = () => !remembered(OFF, false);

/** Switching it on again begins from the first phase. */
function setLearning(on) {
	remember(OFF, !on);
	if (on) remember(SEEN, []);
}

/** Fetches the explanations of the game; with its board, so that none comes in later and moves what is there. */
export async function loadTopics() {
	const answer = await get("/api/learn");
	topics = answer.ok ? answer.data.topics : [];
}

let unfolded = null; // the explanation that is open

/** What is going on now and no other: the phase, a fight, and what the rule of the question stands for. */
const going = ({ view, waiting }) =>
	[view.phase?.id, view.focus?.kind, waiting?.rule?.id]
		.map((id) => topics.find((one) => one.id === id))
		.filter(Boolean);

/**
 * A folded line below the answers: the first of what is going on that this device has not seen yet; null where there is
 * none.
 */
export function learnCard(game) {
	const { table } = game.state;
	// nothing stands between the picture of the dice and its buttons
	if (!game.seat || table.halted || table.dice.roll || !learning()) return null;
	const seen = remembered(SEEN, []);
	const key = (one) => `${table.game}.${one.id}`;
	const topic = going(table).find((one) => !seen.includes(key(one)));
	if (!topic) return null;
	const done = () => {
		remember(SEEN, [...new Set([...remembered(SEEN, []), key(topic)])]);
		game.changed();
	};
	const off = () => {
		setLearning(false);
		game.changed();
	};
	return h(
		"details",
		{
			id: "learn",
			class: "learn card note",
			"data-topic": topic.id,
			"aria-label": t("learn.label"),
			open: unfolded === topic.id,
			ontoggle: (event) => (unfolded = event.target.open ? topic.id : null),
		},
		h("summary", { "data-key": "learn-open" }, h("b", {}, `${t("learn.title")} · ${topic.title}`)),
		h("p", {}, topic.text),
		h(
			"div",
			{ class: "row" },
			h("button", { "data-key": "learn-ok", onclick: done }, t("why.close")),
			h("button", { class: "quiet", "data-key": "learn-off", onclick: off }, t("learn.off")),
		),
	);
}

/** From the phase on the bar: what it is about in our own words, its rule, and the way to all the others. */
export function openPhase(game) {
	const { view, phase_rule: rule } = game.state.table;
	const topic = topics.find((one) => one.id === view.phase?.id);
	if (!topic && !rule) return null;
	return open(
		view.phase.title,
		topic ? h("p", { "data-topic": topic.id }, topic.text) : null,
		rule
			? [
					h("p", {}, h("b", {}, `${rule.title}. `), rule.sentence),
					h("p", { class: "small soft" }, pageOf(rule) || t("rule.no_page")),
				]
			: null,
		topics.length ? h("button", { "data-key": "learn-all", onclick: () => openTopics(game) }, t("learn.all")) : null,
	);
}

/** All explanations to read again, and whether they come by themselves. */
export function openTopics(game) {
	const set = () => {
		setLearning(!learning());
		close();
		game.changed();
	};
	open(
		t("learn.all"),
		game.seat
			? h(
					"button",
					{ class: "option", "data-key": "learn-again", "aria-pressed": String(learning()), onclick: set },
					learning() ? "✓ " : "",
					t("learn.on"),
				)
			: null,
		topics.map((one) =>
			h("article", { class: "card", "data-topic": one.id }, h("h3", {}, one.title), h("p", {}, one.text)),
		),
	);
}
