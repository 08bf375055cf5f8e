// Show me: from an event of the list to its moment: position, question, what was allowed, dice, who answered.

import { h } from "./dom.js";
import { pageOf, t, timeText } from "./words.js";
import { get } from "./net.js";
import { eventLine } from "./eventline.js";
import { close, open } from "./dialogs.js";

const base = (game) => (game.seat ? `/api/seat/${game.seat}` : `/api/${game.who}`);

export async function openMoment(game, number) {
	const answer = await get(`${base(game)}/moment/${number}`);
	const title = t("moment.title", { number });
	if (!answer.ok) return open(title, h("p", { class: "card note" }, answer.error.sentence));
	const { event, undone, picture, asked, allowed, last } = answer.data;
	const go = (to, key, words) =>
		h(
			"button",
			{ "data-key": `moment-${key}`, disabled: to < 1 || to > last, onclick: () => openMoment(game, to) },
			words,
		);
	const remarks = [undone ? t("moment.undone") : null].filter(Boolean);
	return open(
		title,
		h(
			"div",
			{ class: "row spread" },
			go(number - 1, "before", t("moment.before")),
			go(number + 1, "after", t("moment.after")),
		),
		h(
			"section",
			{ class: "card stack", "data-moment": number },
			h("p", {}, h("b", {}, eventLine(event, 36))),
			h(
				"p",
				{ class: "small soft" },
				t("moment.who", { name: game.seatName(event.seat), from: event.from, at: timeText(event.at) }),
			),
			remarks.length ? h("p", { class: "small soft" }, remarks.join(" · ")) : null,
		),
		event.photo ? h("img", { class: "position", src: `/moment/${number}.jpg`, alt: t("moment.dice") }) : null,
		asked
			? [
					h("p", { class: "small soft" }, t("moment.asked", { name: asked.seat })),
					h("p", {}, h("b", {}, asked.prompt)),
					asked.rule ? h("p", { class: "small soft" }, asked.rule.title, " ", pageOf(asked.rule)) : null,
				]
			: h("p", {}, t("moment.no_question")),
		asked
			? h(
					"details",
					{},
					h("summary", { "data-key": "moment-allowed" }, t("moment.allowed")),
					allowed ? h("ul", { class: "stack" }, allowed.map(candidate)) : h("p", {}, t("moment.hidden")),
				)
			: null,
		h("h3", {}, t("moment.board")),
		boardPicture(picture, t("moment.board")),
		game.who === "arbiter" && event.kind === "answer" && !undone ? standsLater(game, number) : null,
	);
}

/** A drawn position: as wide as the dialog, or as it was drawn, to read its names and move it with a finger. */
export function boardPicture(src, alt) {
	const box = h(
		"div",
		{ class: "picturebox", tabindex: "0", role: "group", "aria-label": alt },
		h("img", { class: "position", src, alt, onclick: turn }),
	);
	const button = h("button", { "data-key": "picture-size", onclick: turn }, t("picture.larger"));
	function turn() {
		const large = box.classList.toggle("large");
		box.closest(".dialog")?.classList.toggle("wide", large);
		button.textContent = t(large ? "picture.smaller" : "picture.larger");
		if (large) box.scrollTo((box.scrollWidth - box.clientWidth) / 2, (box.scrollHeight - box.clientHeight) / 2);
	}
	return h("div", { class: "stack" }, h("div", { class: "row" }, button), box);
}

/** Only the arbiter sees this: an answer that was found illegal later stands, with a reason. */
function standsLater(game, number) {
	const reason = h("input", { type: "text", maxlength: "500", "data-key": "later-reason" });
	async function stand() {
		const done = await game.act("note_stands", { about: number, reason: reason.value });
		if (done.ok) close();
	}
	return h(
		"section",
		{ class: "card stack" },
		h("h3", {}, t("decide.later_stands")),
		h("label", {}, t("decide.reason"), reason),
		h("button", { "data-key": "later-stands", onclick: stand }, t("decide.do_stands")),
	);
}

export const candidate = (one) =>
	h("li", {}, one.refused ? [h("s", {}, one.text), " ", h("span", { class: "small" }, one.refused.text)] : one.text);

/** What was told of the box: one tap keeps it, so that no later game asks again. */
export function boxCard(game) {
	const { box } = game.state.table;
	if (!box || put >= box.number) return null;
	const away = () => {
		put = box.number;
		game.changed();
	};
	return h(
		"section",
		{ class: "card note stack", "data-box": box.number },
		h("p", { class: "small" }, h("b", {}, t("box.title")), " ", box.texts.join("; ")),
		h(
			"div",
			{ class: "row" },
			h("button", { "data-key": "box-keep", onclick: () => game.act("keep_box") }, t("box.keep")),
			h("button", { class: "quiet", "data-key": "box-not", onclick: away }, t("box.not")),
		),
	);
}

let put = 0; // the event up to which nothing of the box is to be kept

/** A decision, or another's typed or corrected roll, on top of the panel until this device has seen it. */
export function noticeCard(game) {
	const { notice: decision, roll_notice: roll } = game.state.table;
	// the older one first: what was seen is remembered by its number
	const [notice] = [decision, roll]
		.filter((one) => one && seen() < one.number && one.seat !== game.seat)
		.sort((one, other) => one.number - other.number);
	if (!notice || game.who === "arbiter") return null;
	return h(
		"section",
		{ class: "card why stack", role: "status", "data-notice": notice.number },
		h("p", {}, h("b", {}, game.seatName(notice.seat)), " ", eventLine(notice, 30)),
		h(
			"div",
			{ class: "row" },
			h("button", { "data-key": "notice-show", onclick: () => openMoment(game, notice.number) }, t("log.open")),
			h(
				"button",
				{
					"data-key": "notice-seen",
					onclick: () => {
						remember(notice.number);
						game.changed();
					},
				},
				t("decide.seen"),
			),
		),
	);

	function remember(number) {
		try {
			sessionStorage.setItem(key(), String(number));
		} catch {
			shownHere = number;
		}
	}
	function seen() {
		try {
			return Math.max(shownHere, Number(sessionStorage.getItem(key()) || 0));
		} catch {
			return shownHere;
		}
	}
	function key() {
		return `notice-${game.state.table.id}`;
	}
}

let shownHere = 0;
