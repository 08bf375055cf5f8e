// Board against record: the lit place and what should stand there, in words; what differs is corrected by consent.

import { h } from "./dom.js";
import { t } from "./words.js";
import { post } from "./net.js";
import { close, open } from "./dialogs.js";

const RIGHT = "right";
const MENDED = "mended";
const DIFFERS = "differs";

const button = (key, words, action, main = false) =>
	h("button", { class: main ? "main" : "", "data-key": `check-${key}`, onclick: action }, words);

/** From the menu: what has changed, or everything. */
export function openCheck(game) {
	const begin = (everything) => async () => {
		const answer = await game.act("check/begin", { everything });
		if (answer.ok) close();
	};
	open(
		t("check.title"),
		h("p", {}, t("check.text")),
		button("changed", t("check.changed"), begin(false), true),
		button("all", t("check.all"), begin(true)),
	);
}

/** Prompt, parts and foot of the comparison that is offered or under way; null where there is none. */
export function checkParts(game) {
	const { check } = game.state.table;
	if (!check) return null;
	const may = game.seat || game.who === "arbiter";
	const say = (says) => () => game.act("check/answer", { place: check.place, says, number: check.number });
	if (check.laying) return layingParts(game, check, may, say);
	if (!check.place) {
		return {
			prompt: t("check.offered"),
			parts: [h("p", {}, t("check.text"))],
			foot: may
				? [
						button("skip", t("check.skip"), () => game.act("check/end")),
						button("all", t("check.all"), () => game.act("check/begin", { everything: true })),
						button("begin", t("check.changed"), () => game.act("check/begin"), true),
					]
				: [],
		};
	}
	if (check.lit.length > 1) return screenful(game, check, may);
	const standing = [...check.pieces, ...check.markers].map((one) =>
		h("li", {}, h("b", {}, `${one.count} × ${one.name}`)),
	);
	return {
		prompt: t("check.here", { place: check.name }),
		parts: [
			h("p", { class: "hint" }, t("check.lit", { number: check.number, of: check.of })),
			standing.length
				? h("ul", { class: "stack card", "data-check": check.place }, standing)
				: h("p", { class: "card", "data-check": check.place }, t("check.nothing")),
			may
				? h(
						"div",
						{ class: "options" },
						button("mended", t("check.mended"), say(MENDED)),
						button("differs", t("check.differs"), say(DIFFERS)),
					)
				: null,
		],
		foot: may
			? [
					button("stop", t("check.stop"), () => game.act("check/end")),
					check.number > 1 ? button("back", t("check.back"), () => game.act("check/back")) : null,
					button("right", t("check.right"), say(RIGHT), true),
				]
			: [],
	};
}

/** Several places at once: one tap where all of them are right. */
function screenful(game, check, may) {
	const what = (one) => [...one.pieces, ...one.markers].map(({ count, name }) => `${count} × ${name}`).join(", ");
	const places = check.lit.map((one) => one.place);
	return {
		prompt: t("check.all_here"),
		parts: [
			h("p", { class: "hint" }, t("check.lit_all", { number: check.number - 1 + places.length, of: check.of })),
			h(
				"ul",
				{ class: "stack card" },
				check.lit.map((one) =>
					h("li", { "data-check": one.place }, h("b", {}, one.name), ": ", what(one) || t("check.nothing")),
				),
			),
		],
		foot: may
			? [
					button("stop", t("check.stop"), () => game.act("check/end")),
					button("single", t("check.single"), () => game.act("check/single")),
					button("right", t("check.right_all"), () => game.act("check/right", { places }), true),
				]
			: [],
	};
}

/** The board of a new game is laid: offered, step by step, and in the end confirmed by all. */
function layingParts(game, check, may, say) {
	const stop = button("stop", t("lay.stop"), () => game.act("check/end"));
	if (check.confirmed) {
		const mine = check.confirmed.includes(game.seat);
		const names = check.confirmed.map((seat) => game.state.table.view.seats[seat]?.name || seat);
		return {
			prompt: t("lay.finished"),
			parts: [
				h("p", {}, t("lay.finished_text")),
				names.length ? h("p", { class: "card" }, `✓ ${names.join(", ")}`) : null,
			],
			foot: may
				? [
						stop,
						button("back", t("check.back"), () => game.act("check/back")),
						mine ? null : button("confirm", t("lay.confirm"), () => game.act("check/confirm"), true),
					]
				: [],
		};
	}
	if (!check.place)
		return {
			prompt: t("lay.offered"),
			parts: [h("p", {}, t("lay.text"))],
			foot: may
				? [
						button("skip", t("lay.skip"), () => game.act("check/end")),
						button("lay", t("lay.begin"), () => game.act("check/lay"), true),
					]
				: [],
		};
	const things = [...(check.pieces || []), ...(check.markers || [])];
	return {
		prompt: t(check.tile ? "lay.tile" : "lay.figures", { place: check.name }),
		parts: [
			h("p", { class: "hint" }, t("check.lit", { number: check.number, of: check.of })),
			h(
				"ul",
				{ class: "stack card", "data-check": check.place },
				things.map((one) => h("li", {}, h("b", {}, `${one.count} × ${one.name}`))),
			),
		],
		foot: may
			? [
					stop,
					check.number > 1 ? button("back", t("check.back"), () => game.act("check/back")) : null,
					button("right", t("lay.laid"), say(RIGHT), true),
				]
			: [],
	};
}

/** Where the record is known to differ from the board, with the way to put it right. */
export function differingCard(game) {
	const { differing } = game.state.table;
	if (!differing?.length) return null;
	const may = game.seat || game.who === "arbiter";
	return h(
		"section",
		{ class: "card note stack", "data-differing": "yes" },
		h("p", {}, t("check.differing")),
		h(
			"div",
			{ class: "row" },
			differing.map((place) =>
				may ? button(`correct-${place.id}`, place.name, () => openCorrection(game, place)) : h("b", {}, place.name),
			),
		),
	);
}

const choices = (item) => {
	const list = h(
		"select",
		{ "data-key": `count-${item.key}` },
		item.options.map((name, number) => h("option", { value: String(number) }, name)),
	);
	list.value = String(item.count);
	return list;
};

/** From the menu or the desk: which place, or what is beside the board. */
export function openCorrect(game) {
	const places = Object.entries(game.board?.data.places || {})
		.filter(([, place]) => place.kind !== "rock")
		.map(([id, place]) => ({ id, name: game.board.name(id) || place.name || id }));
	places.sort((a, b) => a.name.localeCompare(b.name, document.documentElement.lang));
	const choice = h(
		"select",
		{ "data-key": "correct-place" },
		h("option", { value: "" }, t("decide.beside")),
		places.map((place) => h("option", { value: place.id }, place.name)),
	);
	open(
		t("decide.correct"),
		h("label", {}, t("decide.where"), choice),
		button(
			"correct-open",
			t("decide.open_form"),
			() => openCorrection(game, places.find((one) => one.id === choice.value) || { id: "", name: t("decide.beside") }),
			true,
		),
	);
}

/** What stands there really: a number for each thing that may. */
async function openCorrection(game, place) {
	const base = game.who === "arbiter" ? "/api/arbiter" : `/api/seat/${game.seat}`;
	const answer = await post(`${base}/check/form`, { place: place.id });
	if (!answer.ok) return game.failed(answer);
	const { items } = answer.data;
	if (!items.length) return open(place.name, h("p", {}, t("check.no_form")));
	const fields = items.map((item) => [
		item,
		item.options.length
			? choices(item)
			: h("input", {
					type: "number",
					min: item.least,
					max: item.most,
					step: "1",
					value: String(item.count),
					inputmode: "numeric",
					"data-key": `count-${item.key}`,
				}),
	]);
	const reason = h("input", { type: "text", maxlength: "500", "data-key": "correct-reason", value: t("check.reason") });
	const row = ([item, field]) => h("label", { class: "row spread" }, item.name, field);
	const present = fields.filter(([item]) => item.count);
	const absent = fields.filter(([item]) => !item.count);
	async function propose() {
		const counts = Object.fromEntries(
			fields
				.filter(([item, field]) => Number(field.value) !== item.count)
				.map(([item, field]) => [item.key, Number(field.value)]),
		);
		const done = await game.act("check/propose", { place: place.id, counts, reason: reason.value });
		if (done.ok) close();
	}
	return open(
		t("check.really", { place: place.name }),
		h("p", { class: "small soft" }, t("check.goes_back")),
		present.map(row),
		h(
			"details",
			{ open: !present.length },
			h("summary", { "data-key": "check-more" }, t("check.more")),
			absent.map(row),
		),
		h("label", {}, t("check.why"), reason),
		button("propose", t(game.who === "arbiter" ? "check.correct" : "check.propose"), propose, true),
	);
}
