// The arbiter's desk: what is asked of whom, objections and rulings, taking back, seats and their links.

import { h, show } from "./dom.js";
import { t } from "./words.js";
import { openLink, openTakeBack } from "./dialogs.js";
import { yesNo } from "./ask.js";
import { checkParts, differingCard, openCheck, openCorrect } from "./boardcheck.js";
import { handsLine } from "./hands.js";
import { ruleLink } from "./rulelink.js";
import { openEnd, openNote, openStands } from "./desk.js";
import { explainField, openPosition } from "./positions.js";

export class ArbiterPanel {
	constructor(host, game) {
		this.host = host;
		this.game = game;
		this.reason = h("input", { type: "text", maxlength: "500", "data-key": "reason" });
		this.reopens = h("input", { type: "checkbox", "data-key": "reopens" });
		this.explain = explainField("/api/arbiter/explain");
		this.position = h("button", { "data-key": "position", onclick: () => openPosition() }, t("position.title"));
	}

	render() {
		const { table } = this.game.state;
		if (!table)
			return show(
				this.host,
				h(
					"div",
					{ class: "body" },
					h("h2", { class: "prompt" }, t("ask.no_game")),
					h("a", { class: "button", href: "/" }, t("menu.start")),
					this.position,
				),
			);
		const { asked, objection, stopped } = table.standing;
		const waiting = (table.waiting?.seats || []).map((seat) => this.game.seatName(seat)).join(", ");
		const parts = [
			h(
				"div",
				{ class: "whose" },
				waiting ? t("arbiter.asked", { name: waiting }) : "",
				ruleLink(table.waiting?.rule, this.game.openRule),
			),
			h("h2", { class: "prompt" }, table.waiting?.prompt || t("arbiter.quiet")),
			handsLine(this.game),
		];
		if (objection)
			parts.push(
				h(
					"p",
					{ class: "card note" },
					t(objection.appeal ? "halt.appeal" : "halt.objection", { name: this.game.seatName(objection.seat) }),
					h("br"),
					objection.text ? t("halt.said", { text: objection.text }) : t("halt.no_words"),
				),
			);
		if (asked)
			parts.push(
				h(
					"p",
					{ class: "card note", "data-asked": asked.kind },
					t({ correction_asked: "consent.correct", take_back_asked: "consent.asked" }[asked.kind] || "consent.open", {
						name: this.game.seatName(asked.seat),
					}),
					h("br"),
					h("b", {}, asked.text),
				),
				asked.kind === "roll_asked" ? yesNo(this.game, asked, "consent.refuse") : null,
			);
		if (stopped) parts.push(h("p", { class: "card why" }, t("halt.stopped"), h("br"), stopped.join("; ")));
		parts.push(
			h(
				"section",
				{ class: "stack" },
				h("label", {}, t("arbiter.reason"), this.reason),
				table.standing.resigned || table.standing.ended
					? h("label", { class: "row" }, this.reopens, t("decide.reopens"))
					: null,
				h(
					"button",
					{ class: objection || stopped ? "main" : "", "data-key": "rule", onclick: () => this.rule() },
					t("arbiter.rule"),
				),
			),
		);
		if (table.standing.closed)
			parts.push(
				h(
					"section",
					{ class: "card note stack", "data-closed": "yes" },
					h("p", {}, t("error.table_closed")),
					h(
						"div",
						{ class: "row" },
						["slip", "export"].map((what) =>
							h(
								"button",
								{ "data-key": `handed-${what}`, onclick: () => this.game.act("handed_over", { what }) },
								t(`end.${what}`),
							),
						),
					),
				),
			);
		const check = checkParts(this.game);
		if (check)
			parts.push(
				h(
					"section",
					{ class: "card stack" },
					h("h3", {}, check.prompt),
					check.parts,
					h("div", { class: "row" }, check.foot),
				),
			);
		else parts.push(differingCard(this.game));
		parts.push(
			h(
				"div",
				{ class: "desk-tools" },
				h(
					"button",
					{ "data-key": "arbiter-stands", disabled: Boolean(table.outcome), onclick: () => openStands(this.game) },
					t("decide.stands"),
				),
				h("button", { "data-key": "arbiter-correct", onclick: () => openCorrect(this.game) }, t("decide.correct")),
				h("button", { "data-key": "arbiter-undo", onclick: () => openTakeBack(this.game) }, t("undo.title")),
				h(
					"button",
					{ "data-key": "arbiter-end", disabled: Boolean(table.outcome), onclick: () => openEnd(this.game) },
					t("end.title"),
				),
				h("button", { "data-key": "arbiter-note", onclick: () => openNote(this.game) }, t("decide.note")),
				check
					? null
					: h("button", { "data-key": "arbiter-check", onclick: () => openCheck(this.game) }, t("check.title")),
				this.position,
			),
			this.explain,
		);
		parts.push(
			h("h3", {}, t("arbiter.seats")),
			table.seats.map((seat) => this.seat(seat)),
		);
		return show(this.host, h("div", { class: "body" }, parts));
	}

	async rule() {
		const answer = await this.game.act("rule", { reason: this.reason.value, reopens: this.reopens.checked });
		if (answer.ok) [this.reason.value, this.reopens.checked] = ["", false];
	}

	seat(seat) {
		const person = this.game.state.table.people[seat];
		const name = this.game.seatName(seat);
		return h(
			"section",
			{ class: "card stack", "data-arbiter-seat": seat },
			h(
				"div",
				{ class: "row" },
				this.game.seatMark(seat),
				h("b", {}, name),
				h("span", { class: "soft" }, t(person.held ? (person.connected ? "seats.there" : "seats.away") : "seats.free")),
			),
			h(
				"div",
				{ class: "row" },
				h(
					"button",
					{ "data-key": `link-${seat}`, onclick: () => openLink(seat, "/api/arbiter/link", name) },
					t("link.title"),
				),
				h(
					"button",
					{
						class: "danger",
						"data-key": `revoke-${seat}`,
						disabled: !person.held,
						onclick: () => this.game.act("revoke", { seat }),
					},
					t("arbiter.revoke"),
				),
			),
		);
	}
}
