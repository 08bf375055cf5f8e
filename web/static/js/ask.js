// The question: prompt, what was chosen so far, choices, reasons why not, and one confirm.

import { h, patch, show } from "./dom.js";
import { pageOf, t } from "./words.js";
import { checkParts, differingCard } from "./boardcheck.js";
import { openTakeBack } from "./dialogs.js";
import { handsLine, handsParts } from "./hands.js";
import { CardLooks } from "./cards.js";
import { boxCard, noticeCard } from "./moment.js";
import { learnCard } from "./learn.js";
import { bodyOf, die, isDrawn } from "./signs.js";
import { optionSearch } from "./optionsearch.js";
import { isLong, ruleLink } from "./rulelink.js";
import { amounts } from "./steppers.js";
import { byAction } from "./uses.js";
import { tokenPicture } from "./tokens.js";
import { halted, over, sealed, waiting } from "./unasked.js";

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

/** Letters of a word that fit beside another button: more in the smaller print of many, fewer beside a picture. */
const wordRoom = (options) => (options.length > 6 ? 13 : 10) - (options.some((option) => option.picture) ? 4 : 0);

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
		this.cards = new CardLooks(game);
		this.unfolded = new Set();
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
		if (table.standing.stopped || table.standing.objection) return halted(this, table);
		if (table.check) return this.told(checkParts(this.game));
		if (table.hands?.hold) return this.told(handsParts(this.game));
		if (table.outcome) return over(this, table);
		if (!ask) return waiting(this, table);
		if (ask.sealed) return sealed(this, table);
		if (ask.kind === "roll_dice") return this.roll(ask);
		if (ask.chance || !draft.found) return this.single(ask);
		return this.drafted(ask);
	}

	frame(prompt, rule, parts, foot, whose) {
		const explained = learnCard(this.game);
		foot = foot.filter(Boolean);
		const body = h(
			"div",
			{ class: "body" },
			h("div", { class: "whose" }, whose, pageLink(rule, this.game.openRule)),
			h(
				"div",
				{ class: "asked" },
				h("h2", { class: "prompt", id: "prompt", "data-revision": this.game.state.table.revision }, prompt),
				foot.length ? null : this.undoButton(), // a foot of its own would take the room of an answer
			),
			noticeCard(this.game),
			this.consent(),
			differingCard(this.game),
			parts,
			handsLine(this.game),
			boxCard(this.game),
			explained,
		);
		const goesBack = !foot.length || foot.some((one) => one.dataset.key === "back");
		const buttons = [goesBack ? null : this.undoButton(), ...foot].filter(Boolean);
		const question = `${this.game.state.table.ask?.key}.${this.game.draft.steps.length}`;
		// a new question is seen from its top; the same one stays as far as it is the same, scrolled as it was
		const draw = question === this.question ? patch : show;
		this.question = question;
		draw(this.host, body, buttons.length ? h("div", { class: "foot" }, buttons) : null);
		this.keepInSight();
	}

	/** A refusal comes into sight. */
	keepInSight() {
		const why = this.host.querySelector("[data-why]");
		if (why && !this.refused) why.scrollIntoView({ block: "nearest" });
		this.refused = Boolean(why);
	}

	/** What everybody is shown before the game goes on: a comparison with the board, what hands have to do. */
	told({ prompt, parts, foot }) {
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
				if (option.now || ask.now) return draft.takeAtOnce(option.value);
				if (draft.busy) return draft.early();
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
				!chosen && ask.lots
					? h("button", { "data-key": "lots", onclick: () => this.game.act("lots") }, t("ask.lots"))
					: null,
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
		parts.push(this.cards.parts(root));
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
		if (draft.army) return this.army(root);
		const ofActions = ask?.domain === "die" && ask.options?.some((option) => option.then);
		if (!ask) {
			parts.push(h("p", { class: "hint" }, t("ask.check")), this.leftOut());
			foot.push(
				h(
					"button",
					{ class: "main", "data-key": "confirm", disabled: draft.busy, onclick: () => draft.confirm(draft.values) },
					t("ask.confirm"),
				),
			);
		} else if (ask.some) {
			const asked = amounts(this, ask);
			parts.push(asked.parts);
			foot.push(asked.foot);
		} else {
			if (ofActions) parts.push(h("p", { class: "hint" }, t("ask.tap_army")));
			if (ask.again?.options.length)
				parts.push(h("p", { class: "hint", "data-again": "yes" }, t("ask.again", { name: ask.again.text })));
			parts.push(
				this.optionButtons(ask, null, (option, more) =>
					(more || option).now || ask.now
						? draft.takeAtOnce(option.value, more)
						: draft.choose(option.value, option.text, more),
				),
			);
		}
		const untouched = draft.steps.every((step) => step.auto); // where nobody chose, the question still tells what
		const prompt = ofActions ? t("ask.action") : ask ? ask.prompt : untouched ? root.prompt : t("ask.ready");
		return this.frame(prompt, (ask || root).rule, parts, foot, this.me());
	}

	/** What a decision does not do though its name says so: an attack from where nobody can be attacked. */
	leftOut() {
		const left = this.game.draft.found?.left_out || [];
		return left.length ? h("p", { class: "card why", "data-left-out": "yes" }, left.join(" ")) : null;
	}

	/** What the army that was tapped can do; its places light up with the next step. */
	army(root) {
		const { draft } = this.game;
		const { place, uses } = draft.army;
		const name = this.game.board.name(place);
		const leave = () => {
			draft.army = null;
			this.game.changed();
		};
		return this.frame(
			t(this.game.view().places?.[place]?.owner ? "ask.army" : "ask.here", { place: name }),
			root.rule,
			[this.refusal(), byAction(this, uses, (one, action) => draft.chooseArmy(one, action, name))],
			[
				h("button", { "data-key": "back", onclick: leave }, t("ask.back")),
				h("button", { "data-key": "army-card", onclick: () => this.game.openPlace(place) }, t("ask.army_card")),
			],
			this.me(),
		);
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
				step.proposed ? t("ask.proposed", { what: step.text }) : step.text,
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
		if (others.some((option) => option.then)) return [...parts, ...byAction(this, others, choose)];
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
}
