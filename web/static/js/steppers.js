// The question for amounts: steppers, toggles, and the button that says what was chosen; or a few whole answers.

import { h } from "./dom.js";
import { t } from "./words.js";
import { isLong, ruleLink } from "./rulelink.js";

/** One of one: a button that is in or out. */
function toggle(item, count, room, set) {
	return h(
		"button",
		{
			class: "option wide",
			"data-key": `toggle-${item.value}`,
			"data-option": item.value,
			"aria-pressed": String(count > 0),
			disabled: !count && !room,
			onclick: () => set(count ? 0 : 1),
		},
		count ? "✓ " : "",
		item.text,
	);
}

/** What is not possible now, folded away; each says why when tapped. */
function refusedItems(panel, items) {
	const { draft } = panel.game;
	const buttons = items
		.filter((item) => item.refused)
		.map((item) =>
			h(
				"button",
				{
					class: "option refused",
					"data-key": `no-${item.value}`,
					onclick: () => {
						draft.refusal = item.refused;
						panel.game.changed();
					},
				},
				item.text,
			),
		);
	return buttons.length ? panel.folded("some", buttons) : null;
}

/** Whole answers, where there are few: one tap takes one, and taking it back stands beside the next question. */
function wholeAnswers(panel, ask) {
	const { draft } = panel.game;
	const buttons = ask.some.answers.map(({ counts, text }) =>
		h(
			"button",
			{
				class: "option",
				"data-key": `answer-${JSON.stringify(counts)}`,
				"data-option": JSON.stringify(counts),
				disabled: draft.busy,
				onclick: () => draft.takeAtOnce(counts),
			},
			text || t("some.nothing"),
		),
	);
	return h(
		"div",
		{ class: "stack" },
		h("div", { class: "options long" }, buttons),
		refusedItems(panel, ask.some.items),
	);
}

/** The question for amounts, and what stands in the panel's foot for it. */
export function amounts(panel, ask) {
	if (ask.some.answers.length > 1) return { parts: wholeAnswers(panel, ask), foot: null };
	return { parts: steppers(panel, ask), foot: countsButton(panel, ask) };
}

/** Counts of items: steppers, and buttons where there is only one. */
function steppers(panel, ask) {
	const { draft } = panel.game;
	const { items, minimum, maximum } = ask.some;
	const total = Object.values(draft.counts).reduce((sum, count) => sum + count, 0);
	const bounds =
		minimum === maximum
			? t("some.exactly", { total, wanted: minimum })
			: t("some.between", { total, minimum, maximum });
	const asProposed =
		!ask.forced && ask.some.default && items.every((one) => draft.counts[one.value] === ask.some.default[one.value]);
	const onBoard = items.some((item) => item.value in panel.game.places());
	const singles = items.filter((item) => item.most === 1 && !item.refused);
	const toggles = singles.map((item) => {
		const count = draft.counts[item.value] || 0;
		return toggle(item, count, total < maximum, (value) => draft.setCount(item.value, value));
	});
	const rows = items
		.filter((item) => item.most > 1 && !item.refused)
		.map((item) => {
			const count = draft.counts[item.value] || 0;
			return h(
				"div",
				{ class: "stepper", role: "group", "aria-label": item.text },
				h("span", { class: "grow" }, item.text),
				h(
					"button",
					{
						"data-key": `less-${item.value}`,
						"aria-label": t("some.less", { name: item.text }),
						disabled: count <= 0,
						onclick: () => draft.setCount(item.value, count - 1),
					},
					"−",
				),
				h("output", { class: "count" }, count, h("span", { class: "of" }, ` / ${item.most}`)),
				h(
					"button",
					{
						"data-key": `more-${item.value}`,
						"aria-label": t("some.more", { name: item.text }),
						disabled: count >= item.most || total >= maximum,
						onclick: () => draft.setCount(item.value, count + 1),
					},
					"+",
				),
			);
		});
	const isOn = (item) => (draft.counts[item.value] || 0) > 0;
	const chosen = onBoard ? toggles.filter((_, index) => isOn(singles[index])) : toggles;
	const listed = onBoard ? toggles.filter((_, index) => !isOn(singles[index])) : [];
	const all = items.reduce((sum, item) => sum + item.most, 0);
	const quick = h(
		"div",
		{ class: "row" },
		all <= maximum
			? h(
					"button",
					{
						"data-key": "some-all",
						onclick: () => {
							draft.counts = Object.fromEntries(items.map((i) => [i.value, i.most]));
							draft.tryCounts();
							panel.game.changed();
						},
					},
					t("some.all"),
				)
			: null,
		minimum === 0
			? h(
					"button",
					{
						"data-key": "some-none",
						onclick: () => {
							draft.counts = {};
							draft.tryCounts();
							panel.game.changed();
						},
					},
					t("some.none"),
				)
			: null,
	);
	const parts = [
		h(
			"p",
			{ class: "hint" },
			asProposed ? h("b", { "data-proposed": "yes" }, t("some.proposed"), " · ") : null,
			bounds,
			onBoard
				? ` · ${t(items.some((item) => item.value in panel.game.cells()) ? "ask.on_sheet" : "ask.on_board")}`
				: "",
		),
		...rows,
		chosen.length
			? h("div", { class: `options ${singles.some((item) => isLong(item.text)) ? "long" : ""}` }, chosen)
			: null,
		listed.length ? panel.folded("list", listed, "ask.as_list") : null,
		quick,
		refusedItems(panel, items),
	];
	const refusal = draft.trial?.refusal;
	if (refusal && total >= minimum)
		parts.push(h("p", { class: "card note" }, refusal.text, " ", ruleLink(refusal.rule, panel.game.openRule)));
	return h("div", { class: "stack" }, parts);
}

/** The amounts stand. */
function countsButton(panel, ask) {
	const { draft } = panel.game;
	const found = draft.trial?.found;
	const names = Object.fromEntries(ask.some.items.map((item) => [item.value, item.text]));
	const text =
		Object.entries(draft.chosenCounts())
			.map(([item, count]) => `${count} ${names[item]}`)
			.join(", ") || t("some.nothing");
	const last = found && found.ask === null;
	return h(
		"button",
		{
			class: "main",
			"data-key": "confirm",
			disabled: !found || draft.busy,
			onclick: () => (last ? draft.confirm(found.values) : draft.takeCounts(text)),
		},
		t(found && !last ? "ask.go_on" : "ask.confirm"),
	);
}
