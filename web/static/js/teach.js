// Teaching dice: one face after the other, what is still missing, a test, which faces are confused.

import { $, focused, h } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get, post, READING } from "./net.js";
import { livePicture, page } from "./sheet.js";

await pageReady();
let data = null;
let note = "";
let face = null;
let test = null;
let live = null;
let busy = false; // a second tap waits for the first one's answer

async function act(step, body = {}) {
	if (busy) return;
	busy = true;
	const key = focused()?.dataset.key;
	draw();
	const answer = await post(`/api/setup/dice/${step}`, body, READING);
	if (!answer.ok) note = answer.error.sentence;
	else take(answer.data);
	busy = false;
	draw();
	if (key)
		$("sheet")
			.querySelector(`[data-key="${CSS.escape(key)}"]`)
			?.focus({ preventScroll: true });
}

function take(fresh) {
	data = fresh;
	note = fresh.text || (fresh.finished ? t("teach.kept") : "");
	if (fresh.test) test = fresh.test;
	if (fresh.taken || !data.session?.faces.some((one) => one.id === face)) face = data.session?.next || null;
}

function choose() {
	return h(
		"section",
		{ class: "panel" },
		h("h2", {}, t("teach.which")),
		h(
			"div",
			{ class: "options roomy" },
			data.types.map((one) =>
				h(
					"button",
					{
						class: "option",
						"data-key": `teach-${one.type}`,
						onclick: () => {
							test = null;
							act("begin", { game: one.game, type: one.type, fresh: true });
						},
					},
					h("span", {}, one.text, h("br"), h("span", { class: "small soft" }, one.titles.join(" · "))),
				),
			),
		),
		data.types.length ? null : h("p", {}, t("teach.none")),
		h("p", { class: "soft" }, t("teach.fresh")),
	);
}

const faceButton = (one) =>
	h(
		"button",
		{
			class: "option",
			"data-key": `face-${one.id}`,
			"aria-pressed": String(one.id === face),
			onclick: () => {
				face = one.id;
				draw();
			},
		},
		h(
			"span",
			{},
			one.text,
			h("br"),
			h("span", { class: "small soft" }, one.missing ? t("teach.missing", { count: one.missing }) : t("teach.enough")),
		),
	);

function results() {
	if (!test) return null;
	return h(
		"section",
		{ class: "panel", id: "teach-test" },
		h("h2", {}, t("teach.test_title")),
		h("p", {}, t("teach.right", { right: test.right, tested: test.tested })),
		test.confused.map((one) => h("p", { class: "card why" }, t("teach.confused", one))),
		test.more.map((one) => h("p", { class: "card" }, h("b", {}, one.face), ": ", one.why)),
		!test.confused.length && !test.more.length ? h("p", {}, t("teach.all_well")) : null,
	);
}

function session() {
	const { session: open, virtual } = data;
	const name = open.faces.find((one) => one.id === face)?.text;
	live ||= livePicture();
	return [
		h(
			"section",
			{ class: "panel" },
			h("h2", {}, open.text),
			h("p", {}, name ? t("teach.show", { face: name }) : t("teach.done")),
			live,
			h(
				"div",
				{ class: "row" },
				virtual
					? h(
							"button",
							{ "data-key": "lay", disabled: busy || !face, onclick: () => act("lay", { face }) },
							t("teach.lay"),
						)
					: null,
				h(
					"button",
					{ class: "main", "data-key": "take", disabled: busy || !face, onclick: () => act("take", { face }) },
					t("teach.take"),
				),
			),
			h("h3", {}, t("teach.faces")),
			h("div", { class: "options" }, open.faces.map(faceButton)),
			h(
				"div",
				{ class: "row" },
				h("button", { "data-key": "test", disabled: busy, onclick: () => act("test") }, t("teach.test")),
				h("button", { "data-key": "finish", disabled: busy, onclick: () => act("finish") }, t("teach.finish")),
				h(
					"button",
					{
						class: "danger",
						"data-key": "stop",
						onclick: () => {
							test = null;
							act("stop");
						},
					},
					t("teach.stop"),
				),
			),
		),
	];
}

function draw() {
	page(t("teach.title"), t("teach.lead"), note, data ? [data.session ? session() : choose(), results()] : null);
	if (!data?.session) live = null;
}

const first = await get("/api/setup/dice");
if (first.ok) take(first.data);
else note = first.error.sentence;
draw();
