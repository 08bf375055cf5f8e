// The odds of a fight, asked for by a player: the next round as columns of hits, the whole fight as one bar.

import { h } from "./dom.js";
import { post } from "./net.js";
import { open } from "./dialogs.js";
import { seatClass } from "./looks.js";
import { language, t } from "./words.js";

const ENDS = ["attacker", "both", "neither", "defender"]; // as they stand beside each other in the bar

/** A chance for people: whole per cent, and never "0 %" for what may happen. */
function chance(value) {
	if (value > 0 && value < 0.005) return t("odds.under");
	if (value < 1 && value > 0.995) return t("odds.over");
	return value.toLocaleString(language, { style: "percent", maximumFractionDigits: 0 });
}

const number = (value) => value.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** An element with one property of style: pages allow no styles written into them. */
function sized(node, property, value) {
	node.style.setProperty(property, value);
	return node;
}

/** The button that asks for odds; null where there are none to be told. */
export function oddsButton(game, known) {
	if (!game.seat || !known) return null;
	return h(
		"button",
		{ "data-key": "odds", "aria-haspopup": "dialog", "aria-label": t("odds.title"), onclick: () => openOdds(game) },
		h("span", { "aria-hidden": "true" }, "%"),
		h("span", { class: "word" }, " ", t("odds.title")),
	);
}

export async function openOdds(game) {
	const { draft } = game;
	const answer = await post(`/api/seat/${game.seat}/odds`, { values: draft.values, revision: draft.revision });
	if (!answer.ok) return game.failed(answer);
	const { fights } = answer.data;
	const without = [...new Set(fights.flatMap((fight) => fight.without))];
	return open(
		t("odds.title"),
		fights.length
			? fights.map((fight) => (fight.draw ? drawDraw(fight) : drawFight(fight, game)))
			: h("p", {}, t("odds.none")),
		without.length
			? h(
					"div",
					{ class: "card", "data-key": "odds-without" },
					h("p", {}, t("odds.without")),
					h(
						"ul",
						{ class: "plain" },
						without.map((line) => h("li", {}, line)),
					),
				)
			: null,
	);
}

/** What a draw may bring: each outcome with its chance, as a bar and in words. */
function drawDraw({ draw, chances }) {
	return h(
		"section",
		{ class: "odds stack", "data-odds": "draw" },
		h("h3", {}, draw),
		h(
			"ul",
			{ class: "endslist draws" },
			chances.map(({ text, chance: likely }) =>
				h(
					"li",
					{},
					h("span", { class: "grow" }, text),
					h(
						"span",
						{ class: "drawbar", "aria-hidden": "true" },
						sized(h("span", {}), "width", `${(likely * 100).toFixed(1)}%`),
					),
					h("b", {}, chance(likely)),
				),
			),
		),
	);
}

function drawFight(fight, game) {
	const name = (seat) => game.seatName(seat);
	const place = (id) => game.board.name(id);
	const words = {
		attacker: t("odds.stands", { name: name(fight.attacker) }),
		defender: t("odds.stands", { name: name(fight.defender) }),
		both: t("odds.both"),
		neither: t("odds.neither"),
	};
	const hits = fight.round.hits.map((side, at) => {
		const seat = at ? fight.defender : fight.attacker;
		return h(
			"figure",
			{ class: `hits ${seatClass(seat)}` },
			h("figcaption", {}, game.seatMark(seat), " ", t("odds.hits", { name: name(seat) })),
			h(
				"ol",
				{},
				side.map((likely, count) =>
					h(
						"li",
						{ "aria-label": t("odds.hits_of", { count, chance: chance(likely) }) },
						h("span", { class: "small" }, chance(likely)),
						sized(h("span", { class: "column" }), "height", `${(likely * 4).toFixed(2)}rem`),
						h("b", {}, count),
					),
				),
			),
		);
	});
	return h(
		"section",
		{ class: "odds stack", "data-odds": `${fight.from}-${fight.to}` },
		h(
			"h3",
			{},
			game.seatMark(fight.attacker),
			" ",
			t("odds.attack", { name: name(fight.attacker), from: place(fight.from), to: place(fight.to) }),
		),
		h("h4", {}, t("odds.round")),
		h("div", { class: "bothhits" }, hits),
		endsBar(fight.round.ends, fight, words),
		fight.fight
			? [
					h("h4", {}, t("odds.fight")),
					endsBar(fight.fight.ends, fight, words),
					h(
						"p",
						{},
						t("odds.rounds", { rounds: number(fight.fight.rounds) }),
						" ",
						fight.fight.units
							.map(([left, before], at) =>
								t("odds.left", { name: name(at ? fight.defender : fight.attacker), left: number(left), before }),
							)
							.join(" "),
					),
				]
			: null,
	);
}

/** Who stands afterwards: a bar for the eye, the same in words below it. */
function endsBar(ends, fight, words) {
	const there = ENDS.filter((end) => ends[end] > 0);
	const look = (end) => (end in { attacker: 1, defender: 1 } ? seatClass(fight[end]) : "");
	return h(
		"div",
		{ class: "ends" },
		h(
			"div",
			{ class: "endsbar", "aria-hidden": "true" },
			there.map((end) =>
				sized(h("span", { class: `${end} ${look(end)}` }), "flex-grow", Math.max(ends[end], 0.004).toFixed(4)),
			),
		),
		h(
			"ul",
			{ class: "endslist" },
			there.map((end) =>
				h(
					"li",
					{},
					h("span", { class: `swatch ${end} ${look(end)}`, "aria-hidden": "true" }),
					h("span", { class: "grow" }, words[end]),
					h("b", {}, chance(ends[end])),
				),
			),
		),
	);
}
