// The big screen: board, last move, score, clock, whose turn; a fight fills it. Nothing is tapped here.
// Its address may say `?transparent=1` (only the signs, for a stream), `?theme=dark` and `?language=de`.

import { $, h, s, redraw, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { language, t } from "./words.js";
import { get, post, Live, RETRY } from "./net.js";
import { Board } from "./board.js";
import { drawFocus, drawSeats, drawTracks, scoresOf } from "./status.js";
import { lookOf, seatClass, seatMark, setLooks } from "./looks.js";
import { followClock } from "./clock.js";
import { eventLine } from "./eventline.js";
import { bodyOf, die, isDrawn } from "./signs.js";

const WIDE = 1920; // the screen for which sizes are made
const HIGH = 1080;
const LETTERS = 26; // pixels of one rem there
const NEAR = 1.5; // how much larger than on a tablet names and figures are there
const DIE = 76; // CSS pixels of a die
const asked = new URLSearchParams(location.search);

/** Letters grow with the screen: read from the other end of the room. */
function fit() {
	const share = Math.min(window.innerWidth / WIDE, window.innerHeight / HIGH);
	const large = window.innerWidth >= 1180 && window.innerWidth > window.innerHeight;
	document.documentElement.style.fontSize = `${(100 * Math.max(16, large ? share * LETTERS : 16)) / 16}%`;
	const near = String(large ? Math.max(1, share * NEAR) : 1);
	document.body.style.setProperty("--near", near);
	document.body.dataset.near = near; // as sharp as it is large
}

/** What is a button on a tablet is a plain sign here. */
function untapped(host) {
	for (const button of host.querySelectorAll("button")) {
		const plain = h("span", { class: `plain ${button.className}` });
		for (const name of ["aria-label", "data-health", "data-key"])
			if (button.hasAttribute(name)) plain.setAttribute(name, button.getAttribute(name));
		if (plain.hasAttribute("aria-label")) plain.setAttribute("role", "img");
		plain.append(...button.childNodes);
		button.replaceWith(plain);
	}
}

/** A device in trouble by its name; all that are well are one quiet sign. */
const deviceSign = ({ id, health }) =>
	h(
		"span",
		{ class: `dev ${health}`, "data-health": health },
		id ? t(`device.${id}`) : null,
		h("span", { class: "unseen" }, `${id ? "" : t("devices.title")}: ${t(`health.${health}`)}`),
	);

class BigScreen {
	constructor() {
		this.who = "watch";
		this.seat = "";
		this.state = null;
		this.board = null;
		this.shown = {};
		this.hasOdds = false;
	}

	start() {
		this.live = new Live(
			"watch",
			(state) => this.take(state),
			(up, sentence) => {
				$("lost").hidden = up;
				show($("lost"), up ? null : h("span", {}, sentence));
			},
		);
	}

	view() {
		return this.state.table.view;
	}
	seatName(id) {
		if (id === "arbiter") return t("seats.arbiter");
		return this.view().seats?.[id]?.name || (id && id !== "*" ? id : t("seats.table"));
	}
	seatMark(id) {
		return this.state.table.seats.includes(id) ? seatMark(id) : null;
	}

	async take(state) {
		const number = (this.taken = (this.taken || 0) + 1);
		const changed = state.table?.board !== this.board?.data.digest || state.table?.game !== this.state?.table?.game;
		const answer = changed && state.table ? await get("/api/board") : null;
		if (number !== this.taken) return;
		setLooks(state.table?.looks);
		this.state = state;
		if (changed) this.setUp(answer?.ok ? answer.data : null);
		this.draw();
		if (state.table) followClock(this);
		if (answer && !answer.ok) setTimeout(() => this.state === state && this.take(state), RETRY);
	}

	setUp(board) {
		this.board?.close();
		this.shown = {};
		this.board = board && new Board($("field"), board, () => {}, h("div"));
		if (!this.board) return show($("field"));
		this.arrows = s("g", { class: "arrows", "aria-hidden": "true" });
		this.board.svg.append(this.arrows);
		// nothing here takes the keyboard, a finger or the wheel
		$("field").inert = true;
		return null;
	}

	part(name, shown, draw) {
		redraw(this.shown, name, shown, draw);
	}

	draw() {
		const { table, devices } = this.state;
		document.body.classList.toggle("waits", !table);
		if (!table) return show($("bar"), h("h1", {}, t("app.title")), h("p", {}, t("ask.no_game")));
		const view = this.view();
		const ill = devices.filter((device) => device.health !== "ok");
		this.part("bar", [view.turn, view.turn_title, view.phase, view.scores, table.tournament, ill], () =>
			this.drawBar(view, ill),
		);
		const { waiting, halted, dice, outcome, people } = table;
		this.part("ask", [waiting, halted, dice, outcome, table.standing], () => this.drawAsk());
		this.part("seats", [table.seats, people, waiting, halted, table.standing.left, view.order, view.seats], () => {
			drawSeats($("seats"), this);
			untapped($("seats"));
		});
		this.part("tracks", [view.tracks, view.notes], () => {
			drawTracks($("tracks"), this);
			untapped($("tracks"));
		});
		this.part("last", [table.last, outcome], () => this.drawLast());
		this.part("log", [table.log], () => this.drawLog());
		if (!this.board) return null;
		this.part("board", [view.places, table.lights], () =>
			this.board.update({ view, lights: table.lights, targets: {}, chosen: [] }),
		);
		this.part("arrow", [table.last?.way, this.board.scale], () => this.drawArrow(table.last));
		return this.part("over", [view.focus, outcome], () => this.drawOver());
	}

	drawBar(view, ill) {
		const { table } = this.state;
		show(
			$("bar"),
			h(
				"p",
				{ class: "bigturn" },
				h("b", {}, view.turn ? view.turn_title || t("bar.turn", { turn: view.turn }) : table.title),
				" ",
				h("span", { class: "soft" }, view.phase?.title || ""),
			),
			table.tournament ? h("p", { class: "strict" }, t("tournament.on")) : null,
			h("p", { class: "lights-row" }, ill.length ? ill.map(deviceSign) : deviceSign({ id: "", health: "ok" })),
			h("div", { class: "bigscores" }, scoresOf(view.scores || [], this, 2)),
		);
		untapped($("bar"));
	}

	/** Whose turn it is and for what; what lies in the tray; how the game ended. */
	drawAsk() {
		const { table } = this.state;
		const { waiting, outcome, dice } = table;
		if (outcome)
			return show(
				$("ask"),
				h(
					"p",
					{ class: "bigname", id: "prompt" },
					outcome.winners.length
						? t("watch.wins", { names: outcome.winners.map((seat) => this.seatName(seat)).join(", ") })
						: t("watch.over"),
				),
				h("p", {}, outcome.text),
			);
		if (table.halted) return show($("ask"), h("p", { class: "bigname", id: "prompt" }, t("seats.halted")));
		if (!waiting) return show($("ask"));
		return show(
			$("ask"),
			h(
				"p",
				{ class: "bigname" },
				waiting.seats.map((seat) => [seatMark(seat), " ", this.seatName(seat), " "]),
			),
			h("p", { id: "prompt" }, waiting.prompt),
			this.drawDice(dice.roll),
		);
	}

	/** The dice in the tray, large; whose they are is known from the question. */
	drawDice(roll) {
		if (!roll) return null;
		const [seat] = this.state.table.waiting.seats;
		return h(
			"div",
			{ class: "rolled" },
			roll.dice.map((one) =>
				die(one.face, bodyOf(one.type, seat), { size: DIE, state: one.face ? "" : "asked", name: one.text }),
			),
		);
	}

	drawLast() {
		const { last } = this.state.table;
		$("last").className = `last ${last && this.seatMark(last.seat) ? seatClass(last.seat, "plate-of") : ""}`;
		if (!last) return show($("last"), t("watch.begins"));
		const used = last.die && isDrawn(last.die) && !(last.dice || []).length;
		return show(
			$("last"),
			this.seatMark(last.seat),
			h("b", {}, `${this.seatName(last.seat)}:`),
			used ? die(last.die, lookOf(last.seat)?.colour, { size: DIE * 0.6 }) : null,
			h("span", { class: "said" }, eventLine(last, DIE * 0.6)),
		);
	}

	/** What came before it, as far as there is room. */
	drawLog() {
		const { log } = this.state.table;
		show(
			$("log"),
			log
				.slice(1)
				.map((event) =>
					h("p", {}, this.seatMark(event.seat), h("span", { class: "said" }, eventLine(event, DIE * 0.45))),
				),
		);
	}

	/** An arrow from where to where the last move went; a ring where it has no way. */
	drawArrow(last) {
		const { places, width, height } = this.board.data;
		const way = last?.way;
		const at = (id) => places[id]?.label;
		this.arrows.replaceChildren();
		if (!way || !at(way.to)) return;
		const thick = Math.min(width, height) / 90;
		const [x2, y2] = at(way.to);
		const mark = [];
		if (way.from && at(way.from)) {
			const [x1, y1] = at(way.from);
			const far = Math.hypot(x2 - x1, y2 - y1) || 1;
			const [ux, uy] = [(x2 - x1) / far, (y2 - y1) / far];
			const bend = far * 0.16; // an arc: what stands on the straight way stays in sight
			const [mx, my] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
			const [dx, dy] = [x2 - mx, y2 - my];
			const length = Math.hypot(dx, dy) || 1;
			const [vx, vy] = [dx / length, dy / length];
			const head = thick * 3.2;
			const [bx, by] = [x2 - vx * head, y2 - vy * head];
			const [wx, wy] = [vy * head * 0.6, vx * head * 0.6];
			mark.push(
				["path", { d: `M${x1} ${y1}Q${mx} ${my} ${bx} ${by}` }],
				[
					"path",
					{
						class: "head",
						d: `M${x2} ${y2}L${bx - wx} ${by + wy}L${bx + wx} ${by - wy}Z`,
					},
				],
			);
		} else mark.push(["circle", { cx: x2, cy: y2, r: thick * 7 }]);
		for (const layer of ["rim", `${seatClass(last.seat)} core`])
			this.arrows.append(
				s(
					"g",
					{ class: layer, "stroke-width": layer === "rim" ? thick * 1.9 : thick },
					mark.map(([kind, props]) => s(kind, props)),
				),
			);
	}

	/** A fight fills the screen. */
	drawOver() {
		const { outcome } = this.state.table;
		const { focus } = this.view();
		$("table").querySelector(".focus")?.remove();
		const fills = Boolean(focus && !outcome);
		document.body.classList.toggle("fights", fills);
		if (!fills) return;
		const over = drawFocus(focus, this, () => {});
		for (const key of ["show-board", "odds"]) over.querySelector(`[data-key="${key}"]`)?.remove();
		untapped(over);
		$("table").append(over);
	}
}

fit();
window.addEventListener("resize", fit);
if (asked.get("transparent") === "1") {
	document.body.classList.add("transparent");
	document.documentElement.classList.add("see-through");
	// a page that says it can be dark is painted on a ground of its own
	document.documentElement.style.colorScheme = "normal";
	document.querySelector('meta[name="color-scheme"]').remove();
}
const wanted = asked.get("language");
if (wanted && wanted !== language && (await post("/api/language", { language: wanted, who: "watch" })).ok)
	location.reload();
await pageReady();
new BigScreen().start();
