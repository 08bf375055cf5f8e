// Is a written move allowed; and positions that the arbiter sets up by hand.

import { h, show } from "./dom.js";
import { pageOf, t } from "./words.js";
import { get, post } from "./net.js";
import { close, open } from "./dialogs.js";
import { boardPicture } from "./moment.js";

const VERDICTS = { allowed: "explain.allowed", refused: "explain.refused", unclear: "explain.unclear" };

/** A field for a move in the notation, with the verdict below. */
export function explainField(path) {
	const verdict = h("div", { class: "stack", role: "status", "aria-live": "polite" });
	const field = h("input", {
		type: "text",
		maxlength: "400",
		autocomplete: "off",
		autocapitalize: "off",
		spellcheck: "false",
		enterkeyhint: "go",
		"data-key": "explain-text",
		placeholder: t("explain.example"),
	});
	async function ask(event) {
		event.preventDefault();
		if (!field.value.trim()) return field.focus();
		const answer = await post(path, { text: field.value });
		if (!answer.ok) return show(verdict, h("p", { class: "card note" }, answer.error.sentence));
		return show(verdict, tell(answer.data));
	}
	return h(
		"details",
		{ class: "card explain-move", "data-key": "explain-move" },
		h("summary", { "data-key": "explain-open" }, t("explain.title")),
		h(
			"form",
			{ class: "stack", onsubmit: ask },
			h("label", {}, t("explain.label"), field),
			h("button", { type: "submit", "data-key": "explain-go" }, t("explain.do")),
		),
		verdict,
	);
}

function tell({ verdict, refusal, text, said }) {
	const rule = refusal?.rule;
	return h(
		"div",
		{ class: verdict === "allowed" ? "card note" : "card why", "data-verdict": verdict },
		h("b", {}, t(VERDICTS[verdict])),
		verdict === "allowed" ? null : h("p", {}, text),
		rule
			? h(
					"p",
					{ class: "small" },
					h("b", {}, rule.title),
					" ",
					rule.sentence === text ? "" : `${rule.sentence} `,
					pageOf(rule),
				)
			: null,
		verdict !== "allowed" && said ? h("p", { class: "small soft" }, t("explain.so_far", { text: said })) : null,
	);
}

/** The dialog for position files: load, check, look at, begin a game. */
export function openPosition() {
	const note = h("div", { class: "stack", role: "status", "aria-live": "polite" });
	const text = h("textarea", {
		rows: "12",
		maxlength: "30000",
		spellcheck: "false",
		autocapitalize: "off",
		class: "file",
		"data-key": "position-text",
	});
	const say = (sentence) => show(note, h("p", { class: "card note" }, sentence));
	// the browser would label it in its own language: a button of ours opens it
	const file = h("input", {
		type: "file",
		hidden: true,
		accept: ".yaml,.yml,.txt,text/plain",
		"data-key": "position-file",
		onchange: async () => {
			if (file.files[0]) {
				text.value = await file.files[0].text();
				look();
			}
		},
	});

	async function present() {
		const answer = await get("/api/arbiter/position");
		if (!answer.ok) return say(answer.error.sentence);
		text.value = answer.data.text;
		return look();
	}

	async function look() {
		const answer = await post("/api/arbiter/position/check", { text: text.value });
		if (!answer.ok) return say(answer.error.sentence);
		return show(note, answer.data.problems.length ? wrong(answer.data.problems) : right(answer.data));
	}

	const wrong = (problems) =>
		h(
			"div",
			{ class: "card why" },
			h("b", {}, t("position.wrong", { count: problems.length })),
			h(
				"ul",
				{ class: "stack" },
				problems.map((one) =>
					h(
						"li",
						{},
						h("button", { class: "quiet", "data-key": `line-${one.line}`, onclick: () => mark(one.line) }, one.text),
					),
				),
			),
		);

	const right = ({ title, picture, seat, asked }) =>
		h(
			"div",
			{ class: "stack", "data-position": "right" },
			h(
				"p",
				{ class: "card note" },
				h("b", {}, t("position.right")),
				title ? ` ${title}.` : "",
				asked ? ` ${seat ? `${seat}: ` : ""}${asked}` : "",
			),
			boardPicture(picture, t("position.picture")),
			h("button", { class: "main", "data-key": "position-start", onclick: begin }, t("position.start")),
			h("p", { class: "small soft" }, t("position.start_text")),
		);

	function mark(line) {
		const lines = text.value.split("\n");
		const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
		text.focus();
		text.setSelectionRange(from, from + (lines[line - 1] || "").length);
	}

	async function begin() {
		const answer = await post("/api/arbiter/position/start", { text: text.value });
		if (!answer.ok) return say(answer.error.sentence);
		return close();
	}

	open(
		t("position.title"),
		h("p", { class: "small soft" }, t("position.lead")),
		h(
			"div",
			{ class: "row" },
			h("button", { "data-key": "position-load", onclick: () => file.click() }, t("position.file")),
			file,
		),
		h("label", {}, t("position.text"), text),
		h(
			"div",
			{ class: "row" },
			h("button", { "data-key": "position-check", onclick: look }, t("position.check")),
			h("button", { "data-key": "position-now", onclick: present }, t("position.now")),
		),
		note,
	);
}
