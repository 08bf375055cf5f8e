// The box book: what the owner reads off his components, each value with certainty and source.

import { h } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get, post } from "./net.js";
import { gameButtons, overview, page } from "./sheet.js";
import { programEditor, someEditor } from "./program.js";

await pageReady();
const setup = await overview();
let game = setup.game || setup.games[0]?.id || null;
let note = setup.note || "";
let book = null;
let changes = {}; // not yet kept: {key: {value, certainty, source} or null}
const unfolded = new Set();

async function load() {
	const answer = await get(`/api/setup/book/${game}`);
	book = answer.ok ? answer.data : null;
	if (!answer.ok) note = answer.error.sentence;
	changes = {};
	draw();
}

async function save() {
	const answer = await post(`/api/setup/book/${game}/write`, { changes });
	note = answer.ok ? t("book.saved") : answer.error.sentence;
	if (answer.ok) {
		book = answer.data;
		changes = {};
	}
	draw();
}

const now = (field) => (field.key in changes ? changes[field.key] : field.entry);

function change(field, part, value) {
	const before = now(field) || { value: "", certainty: "high", source: "" };
	changes[field.key] = part === "value" && (value === null || value === "") ? null : { ...before, [part]: value };
	draw();
}

const choice = (value, chosen, text) => h("option", { value, selected: value === chosen }, text);

/** What is changed in lists: `undefined` only draws again, null takes the entry out. */
const listed = (field) => (value) => (value === undefined ? draw() : change(field, "value", value));

function valueOf(field, mine, locked) {
	if (field.kind === "steps")
		return programEditor(`steps-${field.key}`, book.steps[field.steps], mine?.value, locked, unfolded, listed(field));
	if (field.kind === "some") {
		return h(
			"div",
			{ class: "stack" },
			mine && !mine.value.length ? h("p", {}, t("program.none_of_them")) : null,
			someEditor(`some-${field.key}`, field.options, mine?.value, locked, unfolded, listed(field)),
			mine
				? h(
						"div",
						{ class: "row" },
						h(
							"button",
							{ "data-key": `open-${field.key}`, disabled: locked, onclick: () => change(field, "value", null) },
							t("book.leave"),
						),
					)
				: null,
		);
	}
	return h(
		"label",
		{},
		t("book.value"),
		h(
			"select",
			{
				"data-key": `value-${field.key}`,
				disabled: locked,
				onchange: (event) => change(field, "value", event.target.value),
			},
			choice("", mine?.value || "", t("book.leave")),
			field.options.map((one) => choice(one.value, mine?.value, one.text)),
		),
	);
}

function entry(field) {
	const mine = now(field);
	const locked = !setup.may_change;
	const shipped = field.shipped
		? t(field.shipped.certainty ? "book.shipped_certain" : "book.shipped", {
				value: field.shipped.text,
				certainty: field.shipped.certainty,
			})
		: t(field.asked ? "book.unknown" : "book.untold");
	return h(
		"article",
		{ class: "card entry", "data-entry": field.key },
		h("p", {}, field.label),
		h("p", { class: "small soft" }, shipped),
		field.kind === "choice" ? null : valueOf(field, mine, locked),
		h(
			"div",
			{ class: "fields" },
			field.kind === "choice" ? valueOf(field, mine, locked) : null,
			mine
				? [
						h(
							"label",
							{},
							t("book.certainty"),
							h(
								"select",
								{
									"data-key": `certainty-${field.key}`,
									disabled: locked,
									onchange: (event) => change(field, "certainty", event.target.value),
								},
								choice("high", mine.certainty, t("certainty.high")),
								choice("medium", mine.certainty, t("certainty.medium")),
								choice("low", mine.certainty, t("certainty.low")),
							),
						),
						h(
							"label",
							{},
							t("book.source"),
							h("input", {
								type: "text",
								maxlength: "120",
								autocomplete: "off",
								disabled: locked,
								value: mine.source,
								"data-key": `source-${field.key}`,
								onchange: (event) => change(field, "source", event.target.value),
							}),
						),
					]
				: null,
		),
	);
}

function group(one) {
	const known = one.fields.filter((field) => now(field)).length;
	return h(
		"details",
		{
			class: "no panel",
			"data-group": one.id,
			open: unfolded.has(one.id),
			ontoggle: (event) => {
				const isOpen = event.target.open;
				if (isOpen === unfolded.has(one.id)) return;
				if (isOpen) unfolded.add(one.id);
				else unfolded.delete(one.id);
				draw();
			},
		},
		h(
			"summary",
			{ "data-key": `group-${one.id}` },
			h("b", {}, one.title),
			" ",
			t("book.of", { known, count: one.fields.length }),
		),
		unfolded.has(one.id) ? h("div", { class: "stack" }, one.fields.map(entry)) : null,
	);
}

function draw() {
	const count = Object.keys(changes).length;
	page(
		t("book.title"),
		t("book.lead"),
		note,
		gameButtons(setup.games, game, (id) => {
			game = id;
			load();
		}),
		book?.trouble.map((text) => h("p", { class: "card why" }, text)),
		book && !book.groups.length ? h("p", { class: "panel" }, t("book.none")) : null,
		book?.groups.map(group),
		book?.groups.length
			? h(
					"div",
					{ class: "row keep" },
					h(
						"button",
						{ class: "main", "data-key": "book-save", disabled: !count || !setup.may_change, onclick: save },
						t("book.save", { count }),
					),
					h(
						"span",
						{ class: "small soft" },
						book.digest ? t("book.digest", { digest: book.digest.slice(0, 12) }) : t("book.empty"),
					),
				)
			: null,
	);
}

if (game) await load();
else draw();
