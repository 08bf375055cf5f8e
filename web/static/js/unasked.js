// What stands where the question stands while this seat is asked nothing: others are, or the game is halted or over.

import { h } from "./dom.js";
import { t } from "./words.js";

/** Places from the first on, [number, seats]: two that share the first leave the third to the next. */
function placesOf(ranking) {
	let number = 1;
	return ranking.map((seats) => {
		const place = [number, seats];
		number += seats.length;
		return place;
	});
}

/** Another seat is asked. */
export function waiting(panel, table) {
	const seats = table.waiting?.seats || [];
	const names = seats.map((seat) => panel.game.seatName(seat)).join(", ");
	const other = seats.find((seat) => panel.game.mine.includes(seat) && seat !== panel.game.seat);
	const parts = [h("p", { class: "hint" }, t(panel.game.seat ? "ask.waiting" : "ask.watching", { name: names }))];
	const foot = other
		? [
				h(
					"a",
					{ class: "button main", href: `/seat/${other}`, "data-key": "pass-on" },
					t("ask.pass_on", { name: panel.game.seatName(other) }),
				),
			]
		: [];
	const { prompt, rule } = table.waiting || {};
	const told = prompt ? t("ask.others", { name: names, prompt }) : "";
	panel.frame(told, rule, parts, foot, panel.whose(names, seats[0]));
}

/** This seat's secret is in; others are still at it. */
export function sealed(panel, table) {
	const missing = (table.waiting?.seats || []).map((seat) => panel.game.seatName(seat)).join(", ");
	const other = (table.waiting?.seats || []).find((seat) => panel.game.mine.includes(seat));
	const foot = [
		other
			? h(
					"a",
					{ class: "button main", href: `/seat/${other}`, "data-key": "pass-on" },
					t("ask.pass_on", { name: panel.game.seatName(other) }),
				)
			: null,
	];
	panel.frame(
		t("secret.in"),
		null,
		[h("p", { class: "hint" }, t("secret.waiting", { name: missing }))],
		foot,
		panel.me(),
	);
}

/** An objection stands, or the check of the books stopped the game. */
export function halted(panel, table) {
	const { objection, stopped } = table.standing;
	if (stopped)
		return panel.frame(
			t("halt.stopped"),
			null,
			[h("p", {}, t("halt.stopped_text")), h("p", { class: "small soft" }, stopped.join("; "))],
			[],
			null,
		);
	const mine = objection.seat === panel.game.seat;
	const parts = [
		h("p", { class: "card note" }, objection.text ? t("halt.said", { text: objection.text }) : t("halt.no_words")),
		h("p", {}, t(mine ? "halt.mine" : "halt.theirs")),
	];
	panel.frame(
		t(objection.appeal ? "halt.appeal" : "halt.objection", { name: panel.game.seatName(objection.seat) }),
		null,
		parts,
		[
			mine
				? h(
						"button",
						{ class: "main", "data-key": "withdraw", onclick: () => panel.game.act("withdraw") },
						t("halt.withdraw"),
					)
				: null,
			panel.game.arbiterFoot(),
		],
		null,
	);
}

/** Who won, and whether everybody has confirmed it. */
export function over(panel, table) {
	const { winners, ranking, rule, text } = table.outcome;
	const name = (seat) => panel.game.seatName(seat);
	const confirmed = table.standing.confirmed;
	const mayConfirm = panel.game.seat && !confirmed.includes(panel.game.seat);
	const { resigned } = table.standing;
	const parts = [
		h("p", {}, resigned && !text ? t("over.resigned", { name: panel.game.seatName(resigned) }) : text),
		confirmed.length
			? h(
					"p",
					{ class: "soft" },
					t("over.confirmed", { names: confirmed.map((s) => panel.game.seatName(s)).join(", ") }),
				)
			: null,
	];
	if (ranking.length)
		parts.splice(
			1,
			0,
			placesOf(ranking).map(([n, seats]) =>
				h(
					"p",
					{ "data-rank": n },
					t("over.place", { n, names: "" }),
					seats.map((seat, index) => [index ? ", " : "", panel.game.seatMark(seat), " ", name(seat)]),
				),
			),
		);
	const won =
		winners.length > 1
			? t("over.shared", { names: winners.map(name).join(", ") })
			: winners.length
				? t("over.winner", { name: name(winners[0]) })
				: t("over.draw");
	panel.frame(
		won,
		rule,
		parts,
		[
			mayConfirm
				? h(
						"button",
						{ class: "main", "data-key": "confirm-result", onclick: () => panel.game.act("confirm_result") },
						t("over.confirm"),
					)
				: null,
		],
		winners.length ? winners.map((seat) => panel.whose(name(seat), seat)) : null,
	);
}
