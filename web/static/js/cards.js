// Cards at a seat: a look by this device's camera or into the tray becomes steps of the draft; a card is taught once.

import { h } from "./dom.js";
import { post, READING } from "./net.js";
import { cameraButton, shrunk } from "./photograph.js";
import { t } from "./words.js";

export class CardLooks {
	constructor(game) {
		this.game = game;
		this.reset(null);
	}

	reset(key) {
		this.key = key;
		this.busy = false;
		this.told = ""; // what the last look says
		this.unclear = false; // a card that was looked at and is not known as a whole
	}

	/** `what`: "card" or "tableau"; `source`: a picture, or the tray. */
	async look(what, source) {
		const { draft } = this.game;
		const { key } = this;
		this.busy = true;
		this.game.changed();
		const answer = await post(
			`/api/seat/${draft.seat}/cards/look`,
			{ revision: draft.revision, what, ...(await source()) },
			READING,
		);
		if (key === this.key) this.busy = false;
		if (key !== draft.key) return; // what was seen answers no other question
		this.unclear = answer.ok && answer.data.unclear;
		this.told = answer.ok ? answer.data.sentence : answer.error.sentence;
		if (answer.ok && answer.data.values.length)
			await draft.send(
				answer.data.values,
				answer.data.texts.map((text) => ({ text, auto: false })),
			);
		else this.game.changed();
	}

	/** The card that was looked at is the one that was told: next time it is known. */
	async teach() {
		const { draft } = this.game;
		const { key } = this;
		const answer = await post(`/api/seat/${draft.seat}/cards/teach`, {
			revision: draft.revision,
			values: draft.values,
		});
		if (key !== this.key) return;
		this.unclear = !answer.ok;
		this.told = answer.ok ? t("cards.taught", { count: answer.data.known }) : answer.error.sentence;
		this.game.changed();
	}

	/** What stands in the question: how to look, what was seen, and keeping a card that was not known. */
	parts(root) {
		if (!root.cards) return null;
		if (this.key !== root.key) this.reset(root.key);
		const file = (what) => (taken) => this.look(what, async () => ({ picture: await shrunk(taken) }));
		const { draft } = this.game;
		const told = draft.values.length >= root.cards.steps;
		return h(
			"div",
			{ class: "row", "data-cards": "yes" },
			cameraButton(t("cards.look"), this.busy, file("card"), "card-photo"),
			cameraButton(t("cards.tableau"), this.busy, file("tableau"), "tableau-photo"),
			root.cards.tray
				? h(
						"button",
						{
							"data-key": "card-tray",
							disabled: this.busy,
							onclick: () => this.look("card", async () => ({ tray: true })),
						},
						t("cards.tray"),
					)
				: null,
			this.unclear && told
				? h("button", { "data-key": "card-teach", onclick: () => this.teach() }, t("cards.teach"))
				: null,
			this.told ? h("p", { class: "hint", role: "status", "data-card-told": "yes" }, this.told) : null,
		);
	}
}
