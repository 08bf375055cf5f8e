// Decisions of the arbiter: what stands though illegal, penalties, time, notes.

import { h, show } from "./dom.js";
import { t } from "./words.js";
import { get } from "./net.js";
import { close, open } from "./dialogs.js";
import { candidate, openMoment } from "./moment.js";

const text = (key, words, value = "") =>
	h("label", {}, words, h("input", { type: "text", maxlength: "500", "data-key": key, value }));
const number = (key, name, most) =>
	h(
		"label",
		{ class: "row spread" },
		name,
		h("input", {
			type: "number",
			min: "0",
			max: String(most),
			step: "1",
			value: "0",
			inputmode: "numeric",
			"data-key": key,
		}),
	);
const valueOf = (label) => label.querySelector("input").value;

export async function openStands(game) {
	const answer = await get("/api/arbiter/question");
	if (!answer.ok) return game.failed(answer);
	const { seat, prompt, refused, items = [], most, notation, secret } = answer.data;
	const reason = text("stands-reason", t("decide.reason"));
	const written = text("stands-text", t("decide.written"));
	const note = h("p", { class: "card note", role: "status", hidden: true });
	const counts = items.map((item) => [item.value, number(`stands-${item.value}`, item.text, most)]);
	async function stand(data) {
		const done = await game.act("stands", { reason: valueOf(reason), ...data });
		if (done.ok) return close();
		note.hidden = false;
		return show(note, done.error.sentence);
	}
	const chosen = () =>
		Object.fromEntries(counts.map(([value, label]) => [value, Number(valueOf(label))]).filter(([, count]) => count));
	return open(
		t("decide.stands"),
		h(
			"p",
			{ class: "small soft" },
			t(
				secret
					? "decide.secret"
					: refused.length || items.length
						? "decide.stands_text"
						: notation
							? "decide.nothing_refused"
							: "decide.no_choice",
			),
		),
		h("p", {}, h("b", {}, [seat, prompt].filter(Boolean).join(": "))),
		refused.length || counts.length || notation ? reason : null,
		note,
		h(
			"div",
			{ class: "options roomy" },
			refused.map((one) =>
				h(
					"button",
					{ class: "option", "data-key": `stands-${one.value}`, onclick: () => stand({ value: one.value }) },
					h("span", {}, one.text, h("br"), h("span", { class: "small soft" }, one.refused.text)),
				),
			),
		),
		(secret || []).map(secretPart),
		counts.length
			? [
					counts.map(([, label]) => label),
					h(
						"button",
						{ "data-key": "stands-counts", onclick: () => stand({ value: chosen() }) },
						t("decide.do_stands"),
					),
				]
			: null,
		notation
			? [
					written,
					h(
						"button",
						{ "data-key": "stands-written", onclick: () => stand({ text: valueOf(written) }) },
						t("decide.do_stands"),
					),
				]
			: null,
		earlier(game),
	);
}

/** What is open to one seat of a secret question, folded until the arbiter wants to see it. */
function secretPart({ id, seat, prompt, sealed, allowed }) {
	return h(
		"details",
		{ class: "card" },
		h(
			"summary",
			{ "data-key": `secret-${id}` },
			h("b", {}, seat),
			` ${t(sealed ? "decide.secret_in" : "decide.secret_out")}`,
		),
		h("p", {}, prompt),
		h("ul", { class: "stack" }, allowed.map(candidate)),
	);
}

/** The latest answers: one that was found illegal later is opened, and stands there. */
function earlier(game) {
	const answers = game.state.table.log.filter((event) => event.kind === "answer");
	if (!answers.length) return null;
	return h(
		"section",
		{ class: "stack" },
		h("h3", {}, t("decide.later")),
		answers.map((event) =>
			h(
				"button",
				{ class: "option", "data-key": `later-${event.number}`, onclick: () => openMoment(game, event.number) },
				`${game.seatName(event.seat)}: ${event.text}`,
			),
		),
	);
}

/** Ends the game before its rules do: how, by whose doing, who wins, and why. */
export function openEnd(game) {
	const seats = game.state.table.seats;
	const how = h(
		"select",
		{ "data-key": "end-how" },
		["time", "draw", "award", "forfeit", "left", "absent"].map((one) => h("option", { value: one }, t(`end.${one}`))),
	);
	const who = h(
		"select",
		{ "data-key": "end-who" },
		seats.map((seat) => h("option", { value: seat }, game.seatName(seat))),
	);
	const doing = h("label", {}, t("decide.whom"), who);
	const wins = seats.map((seat) => h("input", { type: "checkbox", value: seat, "data-key": `end-${seat}` }));
	const winners = wins.map((box) =>
		h("label", { class: "row" }, box, t("end.wins", { name: game.seatName(box.value) })),
	);
	const reason = text("end-reason", t("decide.reason"));
	const note = h("p", { class: "card note", role: "status", hidden: true });
	const ofSeat = () => ["forfeit", "left", "absent"].includes(how.value);
	const arrange = () => {
		doing.hidden = !ofSeat();
		for (const row of winners) row.hidden = how.value === "draw";
	};
	how.addEventListener("change", arrange);
	arrange();
	async function end() {
		const done = await game.act("end", {
			how: how.value,
			seat: ofSeat() ? who.value : null,
			winners: how.value === "draw" ? [] : wins.filter((box) => box.checked).map((box) => box.value),
			reason: valueOf(reason),
		});
		if (done.ok) return close();
		note.hidden = false;
		return show(note, done.error.sentence);
	}
	open(
		t("end.title"),
		h("label", {}, t("end.how"), how),
		doing,
		winners,
		reason,
		note,
		h("button", { class: "main", "data-key": "end-go", onclick: end }, t("end.title")),
	);
}

/** Seconds of "12:05", "-0:30" or "12" (minutes); null where it is none of these. */
export function secondsOf(said) {
	const found = /^\s*([-−]?)(\d{1,4})(?::([0-5]\d))?\s*$/.exec(said || "");
	if (!found) return null;
	const seconds = 60 * Number(found[2]) + Number(found[3] || 0);
	return found[1] ? -seconds : seconds;
}

export function openNote(game) {
	const kinds = h(
		"select",
		{ "data-key": "note-kind" },
		h("option", { value: "penalty" }, t("decide.kind_penalty")),
		h("option", { value: "time" }, t("decide.kind_time")),
		game.state.table.clock ? h("option", { value: "clock" }, t("decide.kind_clock")) : null,
		h("option", { value: "note" }, t("decide.kind_note")),
	);
	const whom = h(
		"select",
		{ "data-key": "note-whom" },
		h("option", { value: "" }, t("decide.nobody")),
		game.state.table.seats.map((seat) => h("option", { value: seat }, game.seatName(seat))),
	);
	const value = h("input", { type: "number", step: "1", "data-key": "note-value" });
	const amount = h("label", {});
	const label = () => {
		amount.hidden = kinds.value === "note";
		value.type = kinds.value === "clock" ? "text" : "number";
		show(amount, t(`decide.value_${kinds.value === "note" ? "penalty" : kinds.value}`), value);
	};
	kinds.addEventListener("change", label);
	label();
	const reason = text("note-text", t("decide.reason"));
	async function record() {
		const said = value.value === "" || amount.hidden ? null : value.value;
		const about = { about: whom.value, text: valueOf(reason) };
		const done = await game.act(
			"note",
			kinds.value === "clock"
				? { ...about, kind: "time", left: secondsOf(said) }
				: { ...about, kind: kinds.value, value: said === null ? null : Number(said) },
		);
		if (done.ok) close();
	}
	open(
		t("decide.note"),
		h("label", {}, t("decide.kind"), kinds),
		h("label", {}, t("decide.whom"), whom),
		amount,
		reason,
		h("button", { class: "main", "data-key": "note-go", onclick: record }, t("decide.do_note")),
	);
}
