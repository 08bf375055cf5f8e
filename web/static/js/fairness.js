// Are the dice fair: a sentence for each type, its counts beside what chance expects, a file to take away.

import { $, h, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { t, language } from "./words.js";
import { get } from "./net.js";
import { languageButtons } from "./dialogs.js";

await pageReady();
const number = (value, digits) =>
	value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

const method = (one) =>
	one.method === "exact"
		? t("fairness.method_exact")
		: one.method === "simulated"
			? t("fairness.method_simulated")
			: t("fairness.method_chi");

function die(one) {
	const most = Math.max(...Object.keys(one.counts).map((face) => Math.max(one.counts[face], one.expected[face])), 1);
	const rows = Object.keys(one.counts).map((face) =>
		h(
			"tr",
			{},
			h("th", { scope: "row" }, one.faces[face]),
			h("td", {}, String(one.counts[face])),
			h("td", {}, number(one.expected[face], 1)),
			h(
				"td",
				{ class: "grow" },
				h("meter", {
					min: 0,
					max: most,
					value: one.counts[face],
					"aria-label": `${one.faces[face]}: ${one.counts[face]}`,
				}),
			),
		),
	);
	const runs = one.p_runs === null ? "" : t("fairness.runs", { p: number(one.p_runs, 3) });
	return h(
		"article",
		{ class: "panel", "data-die": one.id, "data-unusual": String(one.unusual) },
		h("h2", {}, one.name),
		h("p", {}, h("b", {}, one.sentence)),
		h(
			"table",
			{ class: "fair" },
			h(
				"thead",
				{},
				h(
					"tr",
					{},
					[t("fairness.face"), t("fairness.count"), t("fairness.expected"), ""].map((title) =>
						h("th", { scope: "col" }, title),
					),
				),
			),
			h("tbody", {}, rows),
		),
		h(
			"p",
			{ class: "small soft" },
			method(one),
			" ",
			t("fairness.p", { p: number(one.p, 4), corrected: number(one.p_corrected, 4) }),
			" ",
			runs,
		),
	);
}

const answer = await get("/api/fairness");
const { dice = [], virtual = false } = answer.ok ? answer.data : {};
show(
	$("fairness"),
	h(
		"header",
		{ class: "hero" },
		h("div", {}, h("h1", {}, t("fairness.title")), h("p", { class: "soft" }, t("fairness.lead"))),
		languageButtons(""),
	),
	answer.ok ? null : h("p", { role: "status" }, answer.error.sentence),
	virtual && dice.length ? h("p", { class: "card note" }, t("fairness.virtual")) : null,
	dice.length ? dice.map(die) : h("p", {}, t("fairness.none")),
	h(
		"div",
		{ class: "row" },
		dice.length ? h("a", { class: "button", href: "/fairness.jsonl" }, t("fairness.file")) : null,
		h("a", { class: "button", href: "/" }, t("menu.start")),
	),
);
