// One dialog at a time: menu, rules, what lies at a place, taking back, objection, devices, links.

import { add, afterPaint, h, show, $ } from "./dom.js";
import { pageOf, t, language, languages } from "./words.js";
import { get, post } from "./net.js";
import { eventLine } from "./eventline.js";
import { markerPicture } from "./boardfigures.js";
import { figurePicture } from "./signs.js";
import { attentionButtons } from "./attention.js";
import { textSizeButtons } from "./textsize.js";
import { showDialog } from "./modal.js";
import { explains, openGlossary, openTurn } from "./help.js";
import { codes } from "./code.js";
import { openTopics } from "./learn.js";
import { handsButtons } from "./hands.js";
import { openCheck, openCorrect } from "./boardcheck.js";

/** Opens the dialog.  Parts that are functions are made after the tap was answered on screen: it grows by them. */
export function open(title, ...parts) {
	const dialog = $("dialog");
	const later = parts.filter((part) => typeof part === "function");
	const now = h(
		"div",
		{ class: "stack" },
		parts.filter((part) => typeof part !== "function"),
	);
	dialog.classList.remove("wide"); // as a picture made it
	dialog.classList.toggle("grows", later.length > 0);
	show(
		dialog,
		h(
			"header",
			{},
			h("h2", { id: "dialog-title" }, title),
			h("button", { "data-key": "close", onclick: () => dialog.close() }, t("dialog.close")),
		),
		now,
	);
	showDialog(dialog);
	const field = dialog.querySelector("[autofocus]");
	if (field && field !== document.activeElement) field.focus(); // the dialog was open for another thing
	if (later.length) afterPaint(() => now.isConnected && add(now, ...later.map((part) => part())));
	return dialog;
}

export const close = () => $("dialog").open && $("dialog").close();

export function openRule(rule) {
	open(
		rule.title,
		h("p", {}, rule.sentence),
		rule.note ? h("p", { class: "soft" }, rule.note) : null,
		h("p", { class: "small soft" }, pageOf(rule) || t("rule.no_page")),
	);
}

export function openRules() {
	const list = h("div", { class: "stack", "aria-live": "polite" });
	const field = h("input", {
		type: "search",
		autocomplete: "off",
		enterkeyhint: "search",
		autofocus: true,
		"data-key": "rules-query",
		oninput: () => find(),
	});
	let number = 0;
	async function find() {
		const mine = (number += 1);
		const answer = await get(`/api/rules?q=${encodeURIComponent(field.value)}`);
		if (mine !== number) return;
		if (!answer.ok) return show(list, h("p", {}, answer.error.sentence));
		const { rules, more } = answer.data;
		show(
			list,
			rules.length ? null : h("p", {}, t("rules.none")),
			rules.map((rule) =>
				h(
					"article",
					{ class: "card", "data-rule": rule.id },
					h("h3", {}, rule.title),
					h("p", {}, rule.sentence),
					h("p", { class: "small soft" }, pageOf(rule) || t("rule.no_page")),
				),
			),
			more ? h("p", { class: "soft" }, t("rules.more", { count: more })) : null,
		);
	}
	open(t("rules.title"), h("label", {}, t("rules.search"), field), () => list);
	find();
}

export function openPlace(name, content, lightText, refusal) {
	const pieces = (content?.pieces || []).map((piece) =>
		h("li", {}, figurePicture(piece, 56), explains(piece.kind, piece.id, `${piece.count} × ${piece.name}`)),
	);
	const markers = (content?.markers || []).map((marker) =>
		h("li", {}, markerPicture(marker, 48), explains("marker", marker.id, `${marker.count} × ${marker.name}`)),
	);
	open(
		name,
		pieces.length + markers.length
			? h("ul", { class: "standing" }, pieces, markers)
			: h("p", { class: "soft" }, t("place.empty")),
		lightText ? h("p", {}, t("place.light", { text: lightText })) : null,
		refusal ? h("p", { class: "card why" }, refusal.text) : null,
	);
}

export function openSeat(info) {
	const rows = (list) =>
		h(
			"ul",
			{ class: "stack" },
			list.map((one) =>
				h(
					"li",
					{ class: "row spread" },
					one.short ? figurePicture(one, 34) : null,
					one.kind ? explains(one.kind, one.id, one.name) : h("span", { class: "grow" }, one.name),
					h("b", {}, one.value ?? one.count),
				),
			),
		);
	open(
		info.name,
		rows(info.counters || []),
		info.pieces_off_board?.length ? [h("h3", {}, t("seats.supply")), rows(info.pieces_off_board)] : null,
	);
}

export function openNotes(notes) {
	open(
		t("notes.title"),
		notes.map((note) => h("p", {}, note)),
	);
}

export function openDevices(state) {
	open(
		t("devices.title"),
		state.devices.map((device) =>
			h("p", {}, h("b", {}, `${t(`device.${device.id}`)}: ${t(`health.${device.health}`)}`), h("br"), device.text),
		),
		h("p", {}, h("a", { class: "button", href: "/health" }, t("menu.health"))),
	);
}

export function openTakeBack(game) {
	const undo = game.state.table?.undo;
	if (!undo) return open(t("undo.title"), h("p", {}, t("undo.nothing")));
	const arbiterOnly = undo.class === "arbiter" && game.who !== "arbiter";
	return open(
		t("undo.title"),
		h("p", {}, undo.text),
		h(
			"ul",
			{ class: "card stack" },
			undo.steps.map((one) =>
				h(
					"li",
					{ "data-step": one.number },
					game.seatMark(one.seat),
					" ",
					h("b", {}, game.seatName(one.seat)),
					" ",
					eventLine(one, 28),
				),
			),
		),
		arbiterOnly
			? null
			: h(
					"button",
					{
						class: "main",
						"data-key": "undo-now",
						onclick: () => {
							close();
							game.act("take_back");
						},
					},
					t(`undo.do_${undo.class === "consent" ? "ask" : "now"}`),
				),
	);
}

export function openObjection(game, what = "wait") {
	const about = game.state.table.standing.appealable;
	const field = h("input", { type: "text", maxlength: "300", "data-key": "objection-text" });
	open(
		t(`${what}.title`),
		h("p", {}, t(`${what}.text`)),
		h("label", {}, t("wait.label"), field),
		h(
			"button",
			{
				class: "main",
				"data-key": "object-now",
				onclick: () => {
					close();
					game.act(what === "appeal" ? "appeal" : "object", { text: field.value, about });
				},
			},
			t("wait.do"),
		),
	);
}

export async function openLink(seat, path, name) {
	const answer = await post(path, { seat });
	if (!answer.ok) return open(t("link.title"), h("p", {}, answer.error.sentence));
	return open(
		t("link.title"),
		h("p", {}, t("link.text", { name })),
		...codes(answer.data, t("link.qr")),
		h("p", { class: "small soft" }, t("link.secret")),
	);
}

export async function setLanguage(who, wanted) {
	const answer = await post("/api/language", { language: wanted, who });
	if (answer.ok) location.reload();
}

export function languageButtons(who) {
	return h(
		"div",
		{ class: "row", role: "group", "aria-label": t("menu.language") },
		languages.map(([code, name]) =>
			h(
				"button",
				{
					lang: code,
					"data-key": `language-${code}`,
					"aria-pressed": String(code === language),
					onclick: () => setLanguage(who, code),
				},
				name,
				code === language ? " ✓" : "",
			),
		),
	);
}

export function themeButtons() {
	const now = () => document.documentElement.dataset.theme;
	const row = h("div", { class: "row", role: "group", "aria-label": t("menu.theme") });
	const draw = () =>
		show(
			row,
			["auto", "light", "dark"].map((theme) =>
				h(
					"button",
					{
						"data-key": `theme-${theme}`,
						"aria-pressed": String(now() === theme),
						onclick: () => {
							document.documentElement.dataset.theme = theme;
							try {
								localStorage.setItem("theme", theme);
							} catch {
								/* kept for this page only */
							}
							draw();
						},
					},
					t(`theme.${theme}`),
					now() === theme ? " ✓" : "",
				),
			),
		);
	draw();
	return row;
}

/** Does something once the dialog is closed. */
const go = (action) => () => {
	close();
	action();
};

const item = (key, title, action) =>
	h("button", { class: "option", "data-key": `menu-${key}`, onclick: go(action) }, t(title));

export function openMenu(game) {
	// the tap is answered by what a seat wants in the middle of play
	open(t("menu.title"), game.seat ? h("div", { class: "options" }, seatItems(game)) : null, () => [
		h("div", { class: "options" }, pageItems(game)),
		deviceChoices(game),
		game.seat ? h("div", { class: "row" }, waysOut(game)) : null,
	]);
}

function seatItems(game) {
	const { table } = game.state;
	const goes = table && !table.outcome;
	return [
		item("undo", "undo.title", () => openTakeBack(game)),
		item("wait", "wait.title", () => openObjection(game)),
		table?.standing.appealable && !table.standing.objection
			? item("appeal", "appeal.title", () => openObjection(game, "appeal"))
			: null,
		table && !table.check ? item("check", "check.title", () => openCheck(game)) : null,
		goes ? item("correct", "decide.correct", () => openCorrect(game)) : null,
		goes && table.wishes.length ? item("wishes", "wish.title", () => openWishes(game)) : null,
	];
}

function pageItems(game) {
	const { seat } = game;
	const { table } = game.state;
	const page = (href, title) => h("a", { class: "button option", href }, t(title));
	return [
		item("rules", "rules.title", openRules),
		table ? item("help", "help.title", openGlossary) : null,
		table ? item("turn", "turn.title", () => openTurn(game)) : null,
		seat ? item("learn", "learn.all", () => openTopics(game)) : null,
		page("/health", "menu.health"),
		table ? page("/fairness", "menu.fairness") : null,
		page("/", "menu.start"),
		seat ? item("link", "link.title", () => openLink(seat, `/api/seat/${seat}/link`, game.seatName(seat))) : null,
	];
}

function deviceChoices(game) {
	const { seat } = game;
	return [
		h("h3", {}, t("menu.language")),
		languageButtons(game.who),
		h("h3", {}, t("menu.theme")),
		themeButtons(),
		h("h3", {}, t("menu.textsize")),
		textSizeButtons(),
		seat ? [h("h3", {}, t("attention.when")), attentionButtons()] : null,
		seat && game.state.table?.hands ? [h("h3", {}, t("hands.title")), handsButtons(game)] : null,
		game.awake ? h("p", { class: "small soft" }, game.awake()) : null,
	];
}

function waysOut(game) {
	const { table } = game.state;
	const way = (key, title, action, kind = null) =>
		h("button", { class: kind, "data-key": `menu-${key}`, onclick: action }, t(title));
	return [
		way(
			"leave",
			"menu.leave",
			go(() => game.leave()),
			"danger",
		),
		table && !table.outcome
			? way(
					"draw",
					"menu.draw",
					go(() => game.act("draw")),
				)
			: null,
		table && !table.outcome ? way("resign", "menu.resign", () => confirmResign(game), "danger") : null,
	];
}

/** When this seat wants to be asked in others' turns. */
function openWishes(game) {
	const say = (wish, says) => () => {
		close();
		game.act("wish", { wish, says });
	};
	open(
		t("wish.title"),
		h("p", {}, t("wish.text")),
		game.state.table.wishes.map((wish) =>
			h(
				"section",
				{ class: "stack", "data-wish": wish.id },
				h("h3", {}, wish.name),
				h(
					"div",
					{ class: "options long" },
					wish.ways.map((way) =>
						h(
							"button",
							{
								class: "option",
								"data-key": `wish-${wish.id}-${way.id}`,
								"aria-pressed": String(wish.says === way.id),
								onclick: say(wish.id, way.id),
							},
							way.text,
							wish.says === way.id ? " ✓" : "",
						),
					),
				),
			),
		),
	);
}

function confirmResign(game) {
	const many = game.state.table.seats.length > 2;
	open(
		t("menu.resign"),
		h("p", {}, t(many ? "resign.plays_on" : "resign.text")),
		h(
			"button",
			{
				class: "main",
				"data-key": "resign-now",
				onclick: () => {
					close();
					game.act("resign");
				},
			},
			t("resign.do"),
		),
	);
}
