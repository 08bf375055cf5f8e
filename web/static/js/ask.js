// The question: prompt, what was chosen so far, choices, reasons why not, and one confirm.

import { h, show } from "./dom.js";
import { pageOf, t } from "./words.js";
import { checkParts, differingCard } from "./boardcheck.js";
import { openTakeBack } from "./dialogs.js";
import { noticeCard } from "./moment.js";
import { learnCard } from "./learn.js";
import { bodyOf, die, isDrawn } from "./signs.js";
import { optionSearch } from "./optionsearch.js";
import { tokenPicture } from "./tokens.js";

const SHORT = 3; // letters of answers, numbers above all, that stand in a row
const LAST_STEPS = 4; // of a long draft so many are in sight; the earlier ones unfold

/**
 * Where on the board an option is tapped: it is a place, or what stands there (a group that the question tells the
 * place of).
 */
export function placeOf(option, ask, places) {
	if (typeof option.value !== "string") return null;
	if (option.value in places) return option.value;
	const at = ask?.about?.[option.value];
	return typeof at === "string" && at in places ? at : null;
}

/** Titles are shown in full; a rule opens in the dialog. */
export function ruleLink(rule, open) {
	if (!rule) return null;
	return h(
		"button",
		{ class: "quiet rule-link", onclick: () => open(rule) },
		`§ ${rule.title}`,
		h("span", { class: "page" }, pageOf(rule)),
	);
}

/** Beside the question a rule is told by its page alone; its title is heard, and read when it opens. */
function pageLink(rule, open) {
	if (!rule) return null;
	const page = pageOf(rule);
	return h(
		"button",
		{
			class: "quiet rule-link short",
			"aria-label": `${rule.title} ${page}`,
			title: rule.title,
			onclick: () => open(rule),
		},
		page || "§",
	);
}

export function whyCard(refusal, openRule, close) {
	return h(
		"section",
		{ class: "card why stack", role: "alert", "data-why": "yes" },
		h("h3", {}, t("why.title")),
		h("p", {}, refusal.text),
		h("div", { class: "row" }, ruleLink(refusal.rule, openRule), h("button", { onclick: close }, t("why.close"))),
	);
}

/** Too long for half the width: many letters, or a word that does not fit; `word` letters do. */
const isLong = (text, word = 10) => text.length > 26 || text.split(/[\s-]/).some((one) => one.length > word);
/** Letters of a word that fit beside another button: more in the smaller print of many, fewer beside a picture. */
const wordRoom = (options) => (options.length > 6 ? 13 : 10) - (options.some((option) => option.picture) ? 4 : 0);

/** Places from the first on, [number, seats]: two that share the first leave the third to the next. */
function placesOf(ranking) {
	let number = 1;
	return ranking.map((seats) => {
		const place = [number, seats];
		number += seats.length;
		return place;
	});
}

/** One of one: a button that is in or out. */
function toggle(item, count, room, set) {
	return h(
		"button",
		{
			class: "option wide",
			"data-key": `toggle-${item.value}`,
			"data-option": item.value,
			"aria-pressed": String(count > 0),
			disabled: !count && !room,
			onclick: () => set(count ? 0 : 1),
		},
		count ? "✓ " : "",
		item.text,
	);
}

/** Yes or no to the very question that is shown. */
export function yesNo(game, asked, no) {
	const say = (yes) => () => game.act("consent", { yes, asks: asked.number });
	return h(
		"div",
		{ class: "row" },
		h("button", { class: "main", "data-key": "consent-yes", onclick: say(true) }, t("consent.yes")),
		h("button", { "data-key": "consent-no", onclick: say(false) }, t(no)),
	);
}

export class AskPanel {
	/** `game`: {state, draft, dice, openRule, say, places(), seatName(id), mine} of the page. */
	constructor(host, game) {
		this.host = host;
		this.game = game;
		this.unfolded = new Set();
		this.top = 0; // how far the question is scrolled
	}

	render() {
		const { state, draft } = this.game;
		if (!draft.steps.length) this.wholeTrail = false;
		const table = state.table;
		const ask = table?.ask;
		document.body.classList.toggle("mine", Boolean(ask && !ask.sealed && !table.outcome));
		if (!table)
			return show(
				this.host,
				h(
					"div",
					{ class: "body" },
					h("h2", { class: "prompt" }, t("ask.no_game")),
					h("p", {}, h("a", { class: "button", href: "/" }, t("menu.start"))),
				),
			);
		if (table.standing.stopped || table.standing.objection) return this.halted(table);
		if (table.check) return this.checking();
		if (table.outcome) return this.over(table);
		if (!ask) return this.waiting(table);
		if (ask.sealed) return this.sealed(table);
		if (ask.kind === "roll_dice") return this.roll(ask);
		if (ask.chance || !draft.found) return this.single(ask);
		return this.drafted(ask);
	}

	frame(prompt, rule, parts, foot, whose) {
		const explained = learnCard(this.game);
		const body = h(
			"div",
			{ class: "body" },
			h("div", { class: "whose" }, whose, pageLink(rule, this.game.openRule)),
			h("h2", { class: "prompt", id: "prompt", "data-revision": this.game.state.table.revision }, prompt),
			noticeCard(this.game),
			this.consent(),
			differingCard(this.game),
			parts,
			explained,
		);
		const buttons = [...(foot.some((one) => one?.dataset.key === "back") ? [] : [this.undoButton()]), ...foot].filter(
			Boolean,
		);
		show(this.host, body, buttons.length ? h("div", { class: "foot" }, buttons) : null);
		this.keepInSight(body, `${this.game.state.table.ask?.key}.${this.game.draft.steps.length}`);
	}

	/** A new question is seen from its top, the same one where it was; a refusal comes into sight. */
	keepInSight(body, question) {
		if (question !== this.question) this.top = 0;
		this.question = question;
		if (this.top) body.scrollTop = this.top;
		body.addEventListener("scroll", () => (this.top = body.scrollTop), { passive: true });
		const why = body.querySelector("[data-why]");
		if (why && !this.refused) why.scrollIntoView({ block: "nearest" });
		this.refused = Boolean(why);
	}

	checking() {
		const { prompt, parts, foot } = checkParts(this.game);
		this.frame(prompt, null, parts, foot, null);
	}

	/** The other seat asks to take back: asked in place, above everything else. */
	consent() {
		const asked = this.game.state.table.standing.asked;
		const seat = this.game.seat;
		if (!asked) return null;
		const name = this.game.seatName(asked.seat);
		const own = { take_back_asked: "asked", correction_asked: "correct" }[asked.kind];
		if (!seat || asked.seat === seat || asked.agreed.includes(seat))
			return h(
				"p",
				{ class: "card note" },
				t({ asked: "consent.waiting", correct: "consent.correct_waiting" }[own] || "consent.open", { name }),
				" ",
				asked.text,
				asked.silence ? h("span", { class: "small soft" }, " ", t("consent.silence")) : null,
			);
		return h(
			"section",
			{ class: "card note stack" },
			h("p", {}, own ? t(`consent.${own}`, { name }) : name),
			asked.text ? h("p", {}, h("b", {}, asked.text)) : null,
			yesNo(this.game, asked, own ? "consent.no" : "consent.refuse"),
		);
	}

	whose(text, seat) {
		return [this.game.seatMark(seat), text];
	}
	me() {
		return this.whose(t("ask.you", { name: this.game.seatName(this.game.seat) }), this.game.seat);
	}

	waiting(table) {
		const seats = table.waiting?.seats || [];
		const names = seats.map((seat) => this.game.seatName(seat)).join(", ");
		const other = seats.find((seat) => this.game.mine.includes(seat) && seat !== this.game.seat);
		const parts = [h("p", { class: "hint" }, t(this.game.seat ? "ask.waiting" : "ask.watching", { name: names }))];
		const foot = other
			? [
					h(
						"a",
						{ class: "button main", href: `/seat/${other}`, "data-key": "pass-on" },
						t("ask.pass_on", { name: this.game.seatName(other) }),
					),
				]
			: [];
		this.frame(table.waiting?.prompt || "", table.waiting?.rule, parts, foot, this.whose(names, seats[0]));
	}

	sealed(table) {
		const missing = (table.waiting?.seats || []).map((seat) => this.game.seatName(seat)).join(", ");
		const other = (table.waiting?.seats || []).find((seat) => this.game.mine.includes(seat));
		const foot = [
			other
				? h(
						"a",
						{ class: "button main", href: `/seat/${other}`, "data-key": "pass-on" },
						t("ask.pass_on", { name: this.game.seatName(other) }),
					)
				: null,
		];
		this.frame(
			t("secret.in"),
			null,
			[h("p", { class: "hint" }, t("secret.waiting", { name: missing }))],
			foot,
			this.me(),
		);
	}

	halted(table) {
		const { objection, stopped } = table.standing;
		if (stopped)
			return this.frame(
				t("halt.stopped"),
				null,
				[h("p", {}, t("halt.stopped_text")), h("p", { class: "small soft" }, stopped.join("; "))],
				[],
				null,
			);
		const mine = objection.seat === this.game.seat;
		const parts = [
			h("p", { class: "card note" }, objection.text ? t("halt.said", { text: objection.text }) : t("halt.no_words")),
			h("p", {}, t(mine ? "halt.mine" : "halt.theirs")),
		];
		this.frame(
			t(objection.appeal ? "halt.appeal" : "halt.objection", { name: this.game.seatName(objection.seat) }),
			null,
			parts,
			[
				mine
					? h(
							"button",
							{ class: "main", "data-key": "withdraw", onclick: () => this.game.act("withdraw") },
							t("halt.withdraw"),
						)
					: null,
				this.game.arbiterFoot(),
			],
			null,
		);
	}

	over(table) {
		const { winners, ranking, rule, text } = table.outcome;
		const name = (seat) => this.game.seatName(seat);
		const confirmed = table.standing.confirmed;
		const mayConfirm = this.game.seat && !confirmed.includes(this.game.seat);
		const { resigned } = table.standing;
		const parts = [
			h("p", {}, resigned && !text ? t("over.resigned", { name: this.game.seatName(resigned) }) : text),
			confirmed.length
				? h(
						"p",
						{ class: "soft" },
						t("over.confirmed", { names: confirmed.map((s) => this.game.seatName(s)).join(", ") }),
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
						seats.map((seat, index) => [index ? ", " : "", this.game.seatMark(seat), " ", name(seat)]),
					),
				),
			);
		const won =
			winners.length > 1
				? t("over.shared", { names: winners.map(name).join(", ") })
				: winners.length
					? t("over.winner", { name: name(winners[0]) })
					: t("over.draw");
		this.frame(
			won,
			rule,
			parts,
			[
				mayConfirm
					? h(
							"button",
							{ class: "main", "data-key": "confirm-result", onclick: () => this.game.act("confirm_result") },
							t("over.confirm"),
						)
					: null,
			],
			winners.length ? winners.map((seat) => this.whose(name(seat), seat)) : null,
		);
	}

	roll(ask) {
		this.frame(ask.prompt, ask.rule, this.game.dice.body(), this.game.dice.foot(), this.me());
	}

	/** One tap selects, one confirms: secret choices and reports, which no draft may try. */
	single(ask) {
		const { draft } = this.game;
		const chosen = draft.pick;
		const parts = [
			this.refusal(),
			this.optionButtons(ask, chosen === null ? null : chosen.value, (option) => {
				draft.pick = option;
				draft.refusal = null;
				this.game.changed();
			}),
		];
		if (ask.secret) parts.unshift(h("p", { class: "hint" }, t("secret.hint")));
		this.frame(
			ask.prompt,
			ask.rule,
			parts,
			[
				chosen ? this.backButton() : null,
				h(
					"button",
					{
						class: "main",
						"data-key": "confirm",
						disabled: !chosen || draft.busy,
						onclick: () => draft.confirm([chosen.value]),
					},
					chosen ? t("ask.confirm_this", { what: chosen.text }) : t("ask.confirm"),
				),
			],
			this.me(),
		);
	}

	drafted(root) {
		const { draft } = this.game;
		const ask = draft.ask;
		const parts = [root.secret ? h("p", { class: "hint" }, t("secret.hint")) : null, this.trail(), this.refusal()];
		const foot = draft.canBack ? [this.backButton(), this.restartButton()] : [];
		const only = draft.onlyQuestion;
		if (only) {
			const chosen = draft.values.at(-1);
			const buttons = this.optionButtons(only, chosen, (option) => draft.chooseInstead(option.value, option.text));
			const confirm = h(
				"button",
				{ class: "main", "data-key": "confirm", disabled: draft.busy, onclick: () => draft.confirm(draft.values) },
				t("ask.confirm_this", { what: draft.steps.at(-1).text }),
			);
			return this.frame(only.prompt, only.rule, [this.refusal(), buttons], [...foot, confirm], this.me());
		}
		if (!ask) {
			parts.push(h("p", { class: "hint" }, t("ask.check")));
			foot.push(
				h(
					"button",
					{ class: "main", "data-key": "confirm", disabled: draft.busy, onclick: () => draft.confirm(draft.values) },
					t("ask.confirm"),
				),
			);
		} else if (ask.some) {
			parts.push(this.steppers(ask));
			foot.push(this.countsButton(ask));
		} else {
			parts.push(this.optionButtons(ask, null, (option, more) => draft.choose(option.value, option.text, more)));
		}
		return this.frame(ask ? ask.prompt : t("ask.ready"), (ask || root).rule, parts, foot, this.me());
	}

	backButton() {
		return h("button", { "data-key": "back", onclick: () => this.game.draft.back() }, t("ask.back"));
	}

	/** To the first step that a tap took. */
	restartButton() {
		const { draft } = this.game;
		const first = draft.steps.findIndex((step) => !step.auto);
		const taken = draft.steps.filter((step) => !step.auto).length;
		if (taken < 2) return null;
		return h("button", { "data-key": "restart", onclick: () => draft.reopen(first) }, t("ask.restart"));
	}

	/** Taking back what was decided last, where nothing of a new decision has been chosen. */
	undoButton() {
		const { seat, state } = this.game;
		if (!seat || !state.table.undo || state.table.outcome || state.table.standing.asked) return null;
		return h("button", { class: "quiet", "data-key": "undo", onclick: () => openTakeBack(this.game) }, t("undo.title"));
	}

	refusal() {
		const { draft } = this.game;
		return draft.refusal ? whyCard(draft.refusal, this.game.openRule, () => draft.forgive()) : null;
	}

	trail() {
		const { draft } = this.game;
		if (!draft.steps.length) return null;
		const chips = draft.steps.map((step, index) =>
			h(
				"button",
				{
					class: `chip ${step.auto ? "auto" : ""}`,
					"data-key": `step-${index}`,
					title: t("ask.change"),
					onclick: () => draft.reopen(index),
				},
				step.text,
			),
		);
		const hidden = this.wholeTrail ? 0 : Math.max(0, chips.length - LAST_STEPS);
		const earlier = h(
			"button",
			{
				class: "chip",
				"data-key": "earlier",
				"aria-label": t("ask.earlier", { count: hidden }),
				onclick: () => {
					this.wholeTrail = true;
					this.game.changed();
				},
			},
			`⋯ ${hidden}`,
		);
		return h(
			"div",
			{ class: "trail", role: "group", "aria-label": t("ask.trail") },
			hidden ? earlier : null,
			chips.slice(hidden),
		);
	}

	optionButtons(ask, chosen, choose) {
		const places = this.game.places();
		const onBoard = ask.options.filter((option) => placeOf(option, ask, places));
		const others = ask.options.filter((option) => !placeOf(option, ask, places));
		// named by what stands there, or with more to say than the board: a list says them too
		const noted = onBoard.filter((option) => option.notes?.length);
		const standing = onBoard.filter((option) => !(option.value in places) && !noted.includes(option));
		const parts = [];
		const tapped = onBoard.filter((option) => !option.refused);
		if (tapped.length)
			parts.push(
				h(
					"p",
					{ class: "hint" },
					t(tapped.every((option) => option.value in this.game.cells()) ? "ask.on_sheet" : "ask.on_board"),
				),
			);
		if (others.some((option) => option.then)) return [...parts, ...this.byAction(others, choose)];
		const may = others.filter((option) => !option.refused);
		const mayNot = others.filter((option) => option.refused);
		const long = may.some((option) => isLong(option.text, wordRoom(may)));
		const buttons = (list) => list.map((option) => this.option(ask, option, chosen, choose));
		const listed = buttons(may);
		const short = may.every((option) => option.text.length <= SHORT && !option.picture && !option.face);
		const kind = short ? "short" : long ? "long" : "";
		if (may.length)
			parts.push(
				optionSearch(ask.key || ask.prompt, listed),
				h("div", { class: `options ${kind} ${may.length > 6 ? "many" : ""}` }, listed),
			);
		if (noted.length) parts.push(h("div", { class: "options long" }, buttons(noted)));
		if (standing.length) parts.push(this.folded("list", buttons(standing), "ask.as_list"));
		if (mayNot.length) parts.push(this.folded("", buttons(mayNot)));
		return parts;
	}

	option(ask, option, chosen, choose) {
		const { draft } = this.game;
		const value = typeof option.value === "string" ? option.value : JSON.stringify(option.value);
		if (option.refused) {
			return h(
				"button",
				{
					class: "option refused",
					"data-key": `o-${value}`,
					"data-option": value,
					onclick: () => draft.refuse(option),
				},
				h("span", {}, option.text, h("span", { class: "unseen" }, `, ${t("board.cannot")}`)),
			);
		}
		return h(
			"button",
			{
				class: "option",
				"data-key": `o-${value}`,
				"data-option": value,
				"aria-pressed": String(chosen === option.value),
				disabled: draft.busy,
				onclick: () => choose(option),
			},
			tokenPicture(option.picture),
			this.facePicture(option),
			option.notes?.length
				? h("span", {}, h("b", {}, option.text), h("br"), h("span", { class: "small soft" }, option.notes.join(" · ")))
				: option.text,
		);
	}

	/** The die that an option is, in the colour of whoever is asked. */
	facePicture(option, size = 40) {
		return option.face && isDrawn(option.face) ? die(option.face, bodyOf("", this.game.seat), { size }) : null;
	}

	/** Dice by what they may do: one tap takes the action with the die that can do least else; the other dice unfold. */
	byAction(dice, choose) {
		const { draft } = this.game;
		const actions = new Map(); // action -> [[die, action of that die], ...]
		const refused = [];
		const uses = (one) => one.then.filter((more) => !more.refused).length;
		for (const one of dice) {
			if (one.refused) refused.push([one, null]);
			for (const more of one.then || []) {
				if (more.refused) refused.push([one, more]);
				else actions.set(more.value, [...(actions.get(more.value) || []), [one, more]]);
			}
		}
		const button = (one, more, parts, kind = "option") =>
			h(
				"button",
				{
					class: kind,
					"data-key": `o-${one.value}-${more.value}`,
					"data-option": `${one.value}/${more.value}`,
					disabled: draft.busy,
					onclick: () => choose(one, more),
				},
				parts,
			);
		const rows = [...actions].map(([value, pairs]) => {
			pairs.sort(([a], [b]) => uses(a) - uses(b));
			const [[one, more], ...others] = pairs;
			const key = `with-${value}`;
			const first = button(
				one,
				more,
				[this.facePicture(one), h("span", {}, more.text, h("br"), h("span", { class: "small soft" }, one.text))],
				"option grow",
			);
			if (!others.length) return h("div", { class: "use" }, first);
			const open = this.unfolded.has(key);
			return h(
				"div",
				{ class: "use" },
				first,
				h(
					"button",
					{
						class: "other",
						"data-key": key,
						"aria-expanded": String(open),
						"aria-label": t("ask.other_die", { action: more.text }),
						title: t("ask.other_die", { action: more.text }),
						onclick: () => {
							this.unfolded[open ? "delete" : "add"](key);
							this.game.changed();
						},
					},
					h("span", { "aria-hidden": "true" }, open ? "▾" : "▸"),
				),
				open
					? h(
							"div",
							{ class: "options wide" },
							others.map(([other, its]) => button(other, its, [this.facePicture(other), h("span", {}, other.text)])),
						)
					: null,
			);
		});
		const why = ([one, more]) =>
			h(
				"button",
				{
					class: "option refused",
					"data-key": `o-${one.value}-${more?.value ?? ""}`,
					"data-option": more ? `${one.value}/${more.value}` : one.value,
					onclick: () => {
						draft.refusal = (more || one).refused;
						this.game.changed();
					},
				},
				h(
					"span",
					{},
					this.facePicture(one, 30),
					more ? `${more.text} · ${one.text}` : one.text,
					h("span", { class: "unseen" }, `, ${t("board.cannot")}`),
				),
			);
		const plain = dice.filter((one) => !one.refused && !one.then).map((one) => this.option(null, one, null, choose));
		return [
			h("div", { class: "uses" }, rows),
			plain.length ? h("div", { class: "options" }, plain) : null,
			refused.length ? this.folded("", refused.map(why)) : null,
		];
	}

	/** What is not possible now, folded away; each says why when tapped. */
	folded(key, buttons, words = "ask.not_now") {
		return h(
			"details",
			{
				class: "no",
				open: this.unfolded.has(key),
				ontoggle: (event) => (event.target.open ? this.unfolded.add(key) : this.unfolded.delete(key)),
			},
			h("summary", { "data-key": `no-${key}` }, t(words, { count: buttons.length })),
			h("div", { class: "options no" }, buttons),
		);
	}

	steppers(ask) {
		const { draft } = this.game;
		const { items, minimum, maximum } = ask.some;
		const total = Object.values(draft.counts).reduce((sum, count) => sum + count, 0);
		const bounds =
			minimum === maximum
				? t("some.exactly", { total, wanted: minimum })
				: t("some.between", { total, minimum, maximum });
		const onBoard = items.some((item) => item.value in this.game.places());
		const singles = items.filter((item) => item.most === 1 && !item.refused);
		const refused = items
			.filter((item) => item.refused)
			.map((item) =>
				h(
					"button",
					{
						class: "option refused",
						"data-key": `no-${item.value}`,
						onclick: () => {
							draft.refusal = item.refused;
							this.game.changed();
						},
					},
					item.text,
				),
			);
		const toggles = singles.map((item) => {
			const count = draft.counts[item.value] || 0;
			return toggle(item, count, total < maximum, (value) => draft.setCount(item.value, value));
		});
		const rows = items
			.filter((item) => item.most > 1 && !item.refused)
			.map((item) => {
				const count = draft.counts[item.value] || 0;
				return h(
					"div",
					{ class: "stepper", role: "group", "aria-label": item.text },
					h("span", { class: "grow" }, item.text),
					h(
						"button",
						{
							"data-key": `less-${item.value}`,
							"aria-label": t("some.less", { name: item.text }),
							disabled: count <= 0,
							onclick: () => draft.setCount(item.value, count - 1),
						},
						"−",
					),
					h("output", { class: "count" }, count, h("span", { class: "of" }, ` / ${item.most}`)),
					h(
						"button",
						{
							"data-key": `more-${item.value}`,
							"aria-label": t("some.more", { name: item.text }),
							disabled: count >= item.most || total >= maximum,
							onclick: () => draft.setCount(item.value, count + 1),
						},
						"+",
					),
				);
			});
		const isOn = (item) => (draft.counts[item.value] || 0) > 0;
		const chosen = onBoard ? toggles.filter((_, index) => isOn(singles[index])) : toggles;
		const listed = onBoard ? toggles.filter((_, index) => !isOn(singles[index])) : [];
		const all = items.reduce((sum, item) => sum + item.most, 0);
		const quick = h(
			"div",
			{ class: "row" },
			all <= maximum
				? h(
						"button",
						{
							"data-key": "some-all",
							onclick: () => {
								draft.counts = Object.fromEntries(items.map((i) => [i.value, i.most]));
								draft.tryCounts();
								this.game.changed();
							},
						},
						t("some.all"),
					)
				: null,
			minimum === 0
				? h(
						"button",
						{
							"data-key": "some-none",
							onclick: () => {
								draft.counts = {};
								draft.tryCounts();
								this.game.changed();
							},
						},
						t("some.none"),
					)
				: null,
		);
		const parts = [
			h(
				"p",
				{ class: "hint" },
				bounds,
				onBoard
					? ` · ${t(items.some((item) => item.value in this.game.cells()) ? "ask.on_sheet" : "ask.on_board")}`
					: "",
			),
			...rows,
			chosen.length
				? h("div", { class: `options ${singles.some((item) => isLong(item.text)) ? "long" : ""}` }, chosen)
				: null,
			listed.length ? this.folded("list", listed, "ask.as_list") : null,
			quick,
			refused.length ? this.folded("some", refused) : null,
		];
		const refusal = draft.trial?.refusal;
		if (refusal && total >= minimum)
			parts.push(h("p", { class: "card note" }, refusal.text, " ", ruleLink(refusal.rule, this.game.openRule)));
		return h("div", { class: "stack" }, parts);
	}

	countsButton(ask) {
		const { draft } = this.game;
		const found = draft.trial?.found;
		const names = Object.fromEntries(ask.some.items.map((item) => [item.value, item.text]));
		const text =
			Object.entries(draft.chosenCounts())
				.map(([item, count]) => `${count} ${names[item]}`)
				.join(", ") || t("some.nothing");
		const last = found && found.ask === null;
		return h(
			"button",
			{
				class: "main",
				"data-key": "confirm",
				disabled: !found || draft.busy,
				onclick: () => (last ? draft.confirm(found.values) : draft.takeCounts(text)),
			},
			t(found && !last ? "ask.go_on" : "ask.confirm"),
		);
	}
}
