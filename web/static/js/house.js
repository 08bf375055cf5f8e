// For a new game: house rules where the books leave a choice, and a chess clock that only tells.

import { h } from "./dom.js";
import { t } from "./words.js";
import { get } from "./net.js";

const known = {}; // game id to its house rules
const chosen = {}; // rule to the way chosen
let clock = "";
let board = ""; // a captured board; the usual one where empty
let strict = false; // a tournament game is wanted
let key = "";

/** What `/api/games/new` takes besides names. */
export function extras(game) {
	const house = {};
	for (const { key: name } of known[game.id] || []) if (chosen[name]) house[name] = chosen[name];
	const minutes = Number.parseInt(clock, 10);
	return {
		house,
		...(board && (game.boards || []).includes(board) ? { board } : {}),
		...(minutes > 0 ? { clock: minutes } : {}),
		...(strict ? { tournament: true, key: key.trim() } : {}),
	};
}

/** Fetches the rules of a game once; where they do not come, the next call tries again. */
export async function loadHouse(game) {
	if (game.id in known) return;
	const answer = await get(`/api/setup/house/${game.id}`);
	if (answer.ok) known[game.id] = answer.data.rules;
}

function rule(one, redraw) {
	const now = chosen[one.key] || one.shipped.value;
	return h(
		"div",
		{ class: "stack" },
		h("b", {}, one.label),
		h(
			"div",
			{ class: "options roomy", role: "group", "aria-label": one.label },
			one.options.map((way) =>
				h(
					"button",
					{
						class: "option",
						"data-key": `house-${one.key}-${way.value}`,
						"aria-pressed": String(way.value === now),
						onclick: () => {
							chosen[one.key] = way.value;
							redraw();
						},
					},
					way.text,
					way.value === one.shipped.value ? ` (${t("house.usual")})` : "",
				),
			),
		),
	);
}

/**
 * Whether this is to be a tournament game: a button that says what that means, and the arbiter's key where this
 * device is not the arbiter's.
 */
function tournamentForm({ always_tournament: always, arbiter }, redraw) {
	if (always) return h("p", { class: "card note" }, h("b", {}, t("tournament.on")), ` · ${t("tournament.text")}`);
	return h(
		"div",
		{ class: "stack" },
		h(
			"button",
			{
				class: "option wide",
				"data-key": "strict",
				"aria-pressed": String(strict),
				onclick: () => {
					strict = !strict;
					redraw();
				},
			},
			h(
				"span",
				{},
				strict ? "✓ " : "",
				t("tournament.on"),
				h("br"),
				h("span", { class: "small soft" }, t("tournament.text")),
			),
		),
		strict && !arbiter
			? h(
					"label",
					{},
					t("tournament.key"),
					h("input", {
						type: "password",
						autocomplete: "off",
						maxlength: "100",
						value: key,
						"data-key": "strict-key",
						oninput: (event) => {
							key = event.target.value;
						},
					}),
				)
			: null,
	);
}

/** What is an option of its own and no house rule. */
const OWN = ["edition", "scenario"];

/** The edition or the battle, where a game has several: chosen before anything else. */
export function edition(game, redraw) {
	return [
		(known[game.id] || []).filter((one) => OWN.includes(one.key)).map((one) => rule(one, redraw)),
		boards(game, redraw),
	];
}

/** The board, where the owner captured some. */
function boards(game, redraw) {
	if (!game.boards?.length) return null;
	const option = (name, text) =>
		h(
			"button",
			{
				class: "option",
				"data-key": `board-${name}`,
				"aria-pressed": String((game.boards.includes(board) ? board : "") === name),
				onclick: () => {
					board = name;
					redraw();
				},
			},
			text,
		);
	return h(
		"div",
		{ class: "stack" },
		h("b", {}, t("capture.which")),
		h(
			"div",
			{ class: "options roomy", role: "group", "aria-label": t("capture.which") },
			option("", t("capture.usual")),
			game.boards.map((name) => option(name, name)),
		),
	);
}

let unfolded = false;

/** The folded part of the form for a new game. */
export function moreForm(game, data, redraw) {
	const rules = (known[game.id] || []).filter((one) => !OWN.includes(one.key));
	return h(
		"details",
		{
			class: "no",
			open: unfolded,
			ontoggle: (event) => {
				unfolded = event.target.open;
			},
		},
		h("summary", { "data-key": "house" }, t("house.fold")),
		h(
			"div",
			{ class: "stack" },
			h(
				"label",
				{},
				t("clock.minutes"),
				h("input", {
					type: "text",
					inputmode: "numeric",
					maxlength: "3",
					autocomplete: "off",
					value: clock,
					"data-key": "clock-minutes",
					oninput: (event) => {
						clock = event.target.value;
					},
				}),
			),
			h("p", { class: "small soft" }, t("start.clock_on")),
			tournamentForm(data, redraw),
			rules.map((one) => rule(one, redraw)),
		),
	);
}
