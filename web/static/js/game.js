// The page of a seat, of the big screen and of the arbiter: one state in, all parts drawn from it.

import { $, focused, h, redraw, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get, post, Live, RETRY } from "./net.js";
import { Board } from "./board.js";
import { Draft } from "./draft.js";
import { DicePanel } from "./dice.js";
import { AskPanel, placeOf } from "./ask.js";
import { ArbiterPanel } from "./arbiter.js";
import { drawBar, drawFocus, drawLog, drawSeats, drawTracks } from "./status.js";
import { seatMark, setLooks } from "./looks.js";
import { oddsButton } from "./odds.js";
import { Sheets, cellsOf } from "./sheets.js";
import * as dialogs from "./dialogs.js";
import { keepAwake } from "./awake.js";
import { whenFree } from "./touch.js";
import { followClock } from "./clock.js";
import { loadTopics, openPhase } from "./learn.js";
import { setExplains } from "./help.js";
import { turnIs } from "./attention.js";
import "./textsize.js";

const { who, seat } = document.body.dataset;

class Game {
	constructor() {
		this.who = who;
		this.seat = seat;
		this.mine = document.body.dataset.mine.split(" ").filter(Boolean);
		this.state = null;
		this.board = null;
		this.linkUp = true;
		this.showBoard = false;
		this.curtainFor = null;
		this.shown = {}; // what each part shows now, to draw it only where that changed
		this.awake = keepAwake();
		this.sheets = new Sheets(this);
		const told = [() => this.changed(), (answer) => this.failed(answer), () => document.body.classList.add("busy")];
		this.draft = new Draft(seat, ...told, () => this.say(t("ask.early")));
		this.dice = new DicePanel(seat, ...told);
		this.panel = who === "arbiter" ? new ArbiterPanel($("ask"), this) : new AskPanel($("ask"), this);
		this.openRule = dialogs.openRule;
	}

	start() {
		this.live = new Live(
			who,
			(state) => whenFree("state", () => this.take(state)),
			(up, sentence) => this.link(up, sentence),
		);
	}

	// small services for the parts

	/** Whatever is tapped: places of the board, cells of sheets. Each option asks for them: put together once a view. */
	places() {
		const of = [this.board, this.state?.table ? this.view() : null];
		if (!this.known || of.some((one, index) => one !== this.known.of[index]))
			this.known = { of, places: { ...this.board?.data.places, ...this.cells() } };
		return this.known.places;
	}
	cells() {
		return this.state?.table ? cellsOf(this.view()) : {};
	}
	seatName(id) {
		return id === "arbiter"
			? t("seats.arbiter")
			: id === "*" || !id
				? t("seats.table")
				: this.state.table?.view.seats?.[id]?.name || id;
	}
	seatMark(id) {
		return this.state.table?.seats.includes(id) ? seatMark(id) : null;
	}
	/** Whether there is a fight whose odds may be asked for. */
	get hasOdds() {
		return Boolean(this.draft.found ? this.draft.found.odds : this.state.table.odds);
	}
	view() {
		return this.draft.view || this.state.table.view;
	}
	openPhase() {
		openPhase(this);
	}
	openMenu() {
		dialogs.openMenu(this);
	}
	openDevices() {
		dialogs.openDevices(this.state);
	}
	arbiterFoot() {
		return null;
	}

	say(text) {
		$("say").textContent = text;
		clearTimeout(this.quiet);
		this.quiet = setTimeout(() => {
			$("say").textContent = "";
		}, 5000);
	}

	failed(answer) {
		this.say(answer.error.sentence);
		if (answer.status === 409 || answer.status === 423 || answer.status === 0) this.live.wake();
		if (answer.status === 403) this.live.wake();
	}

	async act(name, data = {}) {
		const base = who === "arbiter" ? "/api/arbiter" : `/api/seat/${seat}`;
		const answer = await post(`${base}/${name}`, { revision: this.state.table.revision, ...data });
		if (!answer.ok) this.failed(answer);
		return answer;
	}

	async leave() {
		const answer = await this.act("leave");
		if (answer.ok) location.assign("/");
	}

	// what comes in

	/** A snapshot. It is shown together with its board and its draft: a screen never mixes two positions. */
	async take(state) {
		const number = (this.taken = (this.taken || 0) + 1);
		// another game, or the same one with another board
		const newBoard = state.table?.board !== this.board?.data.digest || state.table?.game !== this.state?.table?.game;
		const board = newBoard && state.table ? await this.boardOf(state.table) : null;
		if (number !== this.taken) return; // a newer one came meanwhile
		setLooks(state.table?.looks);
		this.state = state;
		if (board) this.setUp(board);
		else if (newBoard) this.board = null;
		const hadDraft = this.draft.canBack;
		const sent = this.draft.sent; // the question moved on because of our own answer
		const dropped = this.draft.follow(state);
		if (dropped && hadDraft && !sent && state.table?.ask) this.say(t("ask.moved_on"));
		if (state.table) this.dice.follow(state);
		if (dropped || this.dice.offer?.number !== this.lastOffer) this.showBoard = false;
		this.lastOffer = this.dice.offer?.number;
		this.changed();
		followClock(this);
		// without its board there is nothing to tap, and the next snapshot may be this player's own answer
		if (newBoard && state.table && !board) setTimeout(() => this.state === state && this.take(state), RETRY);
	}

	/** What the board of the table is made of; null where there is none, or where it did not come. */
	async boardOf(table) {
		if (!table) return null;
		if (this.loading?.board !== table.board) this.loading = { board: table.board, answer: get("/api/board") };
		const [answer] = await Promise.all([this.loading.answer, this.seat ? loadTopics() : null]);
		this.loading = null;
		return answer.ok ? answer.data : null;
	}

	setUp(board) {
		setExplains(board.explains);
		this.board?.close();
		this.board = new Board($("field"), board, (place) => this.tapped(place), $("tools"));
		this.shown = {};
	}

	link(up, sentence) {
		this.linkUp = up;
		const bar = $("lost");
		bar.hidden = up;
		if (!up) {
			show(
				bar,
				h("span", {}, sentence),
				h(
					"button",
					{ "data-key": "again", onclick: () => (this.live.denied ? location.assign("/") : this.live.wake()) },
					this.live.denied ? t("menu.start") : t("link.again"),
				),
			);
		}
		this.changed();
	}

	// what goes out

	option(place) {
		const ask = this.draft.onlyQuestion || this.draft.ask;
		if (this.state.table?.ask?.sealed || this.state.table?.halted || this.state.table?.hands?.hold) return null;
		const options = ask?.options || ask?.some?.items || [];
		return (
			options.find((option) => option.value === place) ||
			options.find((option) => placeOf(option, ask, this.places()) === place) ||
			this.again.find((option) => option.value === place) ||
			null
		);
	}

	/** Places where one more of the kind chosen before may come: a tap there takes kind and place. */
	get again() {
		return (!this.draft.onlyQuestion && this.draft.ask?.again?.options) || [];
	}

	tapped(place) {
		const option = this.option(place);
		const twice = place === this.tappedLast;
		this.tappedLast = place;
		if (this.draft.busy && this.draft.sent) return twice ? null : this.draft.early();
		if (!option) return this.tappedArmy(place);
		if (option.refused) return this.draft.refuse(option);
		if (this.draft.onlyQuestion) return this.draft.chooseInstead(option.value, option.text);
		if (option.now || this.draft.ask?.now) return this.draft.takeAtOnce(option.value);
		if (this.draft.counts) {
			const next = (this.draft.counts[place] || 0) + 1;
			const total = Object.values(this.draft.chosenCounts()).reduce((sum, count) => sum + count, 0);
			return this.draft.setCount(place, next > option.most || total >= this.draft.ask.some.maximum ? 0 : next);
		}
		if (this.draft.ask.secret || this.draft.ask.chance || !this.draft.found) {
			this.draft.pick = option;
			return this.changed();
		}
		if (this.again.includes(option)) {
			const { value, text } = this.draft.ask.again;
			return this.draft.choose(value, text, option);
		}
		return this.draft.choose(option.value, option.text);
	}

	/** An army that is tapped says what it can do, an empty place what may come there; any other what is there. */
	async tappedArmy(place) {
		const own = this.seat && [this.seat, "", null, undefined].includes(this.view().places?.[place]?.owner);
		const waits = this.state.table?.halted || this.state.table?.hands?.hold || this.draft.army?.place === place;
		if (!own || waits || !(await this.draft.askArmy(place))) this.openPlace(place);
	}

	openPlace(place) {
		const light = (this.draft.lights || this.state.table.lights)[place];
		const cell = this.cells()[place];
		dialogs.openPlace(cell?.name || this.board.name(place), cell || this.view().places?.[place], light?.text, null);
	}

	// drawing

	changed() {
		if (this.state) whenFree("draw", () => this.draw());
	}

	part(name, shown, draw) {
		redraw(this.shown, name, shown, draw);
	}

	draw() {
		const { table, devices } = this.state;
		const view = table ? this.view() : {};
		this.part(
			"bar",
			[devices, this.linkUp, table?.title, view.turn, view.phase, view.scores, table?.phase_rule, table?.tournament],
			() => drawBar($("bar"), this),
		);
		document.body.classList.toggle("busy", this.draft.busy || this.draft.trying || this.dice.busy);
		this.panel.render();
		this.part(
			"seats",
			[table?.seats, table?.people, table?.waiting, table?.halted, table?.standing.left, view.order, view.seats],
			() => drawSeats($("seats"), this),
		);
		this.part("tracks", [table?.seats, view.tracks, view.notes], () => drawTracks($("tracks"), this));
		this.part("log", [table?.log], () => drawLog($("log"), this));
		turnIs(
			Boolean(this.seat && table?.ask && !table.ask.sealed && !table.outcome && !table.halted),
			table?.title || t("app.title"),
		);
		this.drawField();
		this.drawCurtain();
		this.drawHandover();
	}

	drawField() {
		const field = $("field");
		if (!this.board || !this.state.table) return;
		const view = this.view();
		const ask = this.draft.onlyQuestion || this.draft.ask;
		const targets = {};
		const { ask: asked, halted, hands } = this.state.table;
		const mayTap = ask && !asked?.sealed && !halted && !hands?.hold;
		for (const option of mayTap ? [...(ask.options || ask.some?.items || []), ...this.again] : [])
			if (typeof option.value === "string") targets[placeOf(option, ask, this.places()) || option.value] ||= option;
		// a place of an earlier step that may be chosen again is open, not taken
		const open = (value) => !this.draft.onlyQuestion && targets[value] && !targets[value].refused;
		const chosen = this.draft.values
			.filter((value, index) => typeof value === "string" && !this.draft.steps[index]?.auto && !open(value))
			.map((value) => placeOf({ value }, this.draft.root, this.places()) || value);
		const lit = this.state.table.check?.lit;
		if (lit) chosen.splice(0, chosen.length, ...lit.map((one) => one.place));
		else if (this.draft.pick) chosen.push(this.draft.pick.value);
		else if (this.draft.army) chosen.push(this.draft.army.place);
		if (this.draft.counts) chosen.push(...Object.keys(this.draft.chosenCounts()));
		const lights = this.draft.lights || this.state.table.lights;
		const refused = Object.fromEntries(
			Object.entries(targets).map(([place, option]) => [place, Boolean(option.refused)]),
		);
		this.part("board", [view.places, lights, refused, chosen], () =>
			this.board.update({ view, lights, targets, chosen }),
		);
		const { check } = this.state.table; // the place that is compared shines on the board
		const needsBoard = Boolean(check) || Object.keys(targets).some((place) => place in this.board.data.places);
		const question = this.state.table.ask?.key || "";
		const step = `${question}.${this.draft.values.length}`;
		const sheet = this.sheets.shown(view, targets, step);
		const covered = Boolean(view.focus && !this.showBoard && !needsBoard);
		const drawn = { targets, chosen, lights, question: step, odds: this.hasOdds, covered };
		this.part("sheets", [sheet, view.sheets?.length, drawn, Boolean(this.state.table.outcome)], () =>
			this.drawSheet(field, sheet, view, drawn),
		);
		const { offer, dice, picking, ask: roll } = this.dice;
		this.part(
			"over",
			[offer, dice, picking, roll, view.focus, this.hasOdds, this.showBoard, needsBoard, !this.state.table.outcome],
			() => this.drawOver(field, view.focus, needsBoard),
		);
	}

	/** A surface over the board, and the button that opens one. */
	drawSheet(field, sheet, view, drawn) {
		const old = field.querySelector(".sheets");
		const focus = old?.contains(document.activeElement) ? focused()?.dataset.key : null;
		old?.remove();
		if (sheet) field.append(this.sheets.draw(sheet, view, drawn));
		field.closest(".stage")?.classList.toggle("laid", Boolean(sheet));
		field.querySelector('.sheets .tabs [aria-pressed="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
		if (focus) field.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
		const odds = drawn.covered ? null : oddsButton(this, this.hasOdds);
		show(this.board.more, this.sheets.button(view, drawn.question), odds);
	}

	/** What lies over the board: the picture of the tray, or a fight. */
	drawOver(field, focus, needsBoard) {
		field.querySelector(".focus, .tray")?.remove();
		const close = () => {
			this.showBoard = true;
			this.changed();
		};
		if (this.dice.offer && !this.showBoard) field.append(this.dice.tray(close));
		else if (focus && !this.showBoard && !needsBoard && !this.state.table.outcome)
			field.append(drawFocus(focus, this, close));
		// on a small screen the board's buttons lie on it: not on what covers it
		$("tools").classList.toggle("covered", Boolean(field.querySelector(".focus, .tray")));
	}

	/** One tablet for several seats: a secret choice waits behind a curtain until its player has the tablet. */
	drawCurtain() {
		const ask = this.state.table?.ask;
		const needed = this.mine.length > 1 && ask?.secret && !ask.sealed && !this.state.table.hands?.hold;
		const curtain = $("curtain");
		if (!needed) this.curtainFor = null;
		curtain.hidden = !needed || this.curtainFor === ask.key;
		if (curtain.hidden) return show(curtain);
		return show(
			curtain,
			h("h1", {}, t("curtain.title", { name: this.seatName(seat) })),
			h("p", {}, t("curtain.text")),
			h(
				"button",
				{
					class: "main",
					"data-key": "curtain",
					onclick: () => {
						this.curtainFor = ask.key;
						this.changed();
					},
				},
				t("curtain.open", { name: this.seatName(seat) }),
			),
		);
	}

	/** Another device asks for a seat: its holder decides, or where that is away the others. */
	drawHandover() {
		if (!this.state.handover) {
			if (this.asking) dialogs.close();
			this.asking = false;
			return;
		}
		if (this.asking === this.state.handover.wish) return;
		this.asking = this.state.handover.wish;
		const { seat: wanted, away, wish } = this.state.handover;
		// the answer is given: the question stays away, even where this device then hears nothing more of the seat
		const decide = (yes) => () => {
			this.state.handover = null;
			this.asking = false;
			dialogs.close();
			this.act("handover", { yes, seat: wanted, wish });
		};
		dialogs.open(
			t("handover.title"),
			h("p", {}, t(away ? "handover.away" : "handover.text", { name: this.seatName(wanted) })),
			h(
				"div",
				{ class: "row" },
				h("button", { class: "main", "data-key": "handover-yes", onclick: decide(true) }, t("handover.yes")),
				h("button", { "data-key": "handover-no", onclick: decide(false) }, t("handover.no")),
			),
		);
	}
}

await pageReady();
const game = new Game();
game.start();
