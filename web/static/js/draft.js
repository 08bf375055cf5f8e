// A decision walked through step by step. The server says where the values lead; nothing is recorded before `confirm`.

import { post } from "./net.js";

const LATE = 150; // ms after which a question that is answered is drawn so

export class Draft {
	/**
	 * `started()`: a tap is under way; nothing is drawn for it, so that the tap itself is painted at once; `early()`: a
	 * tap came before the answer to the one before it and does not count.
	 */
	constructor(seat, changed, failed, started, early) {
		this.seat = seat;
		this.changed = changed;
		this.started = started;
		this.failed = failed;
		this.early = early;
		this.revision = null;
		this.resting = 0;
		this.number = 0; // of the last tap that asked the server
		this.trialNumber = 0; // of the last amounts that were tried
		this.reset(null);
	}

	reset(ask) {
		clearTimeout(this.resting);
		this.root = ask;
		this.key = ask?.key ?? null;
		this.refusal = null;
		this.refusedLights = null;
		this.pick = null;
		this.army = null; // {place, uses}: what the army at a place that was tapped can do
		this.counts = null;
		this.forgetTrial();
		this.busy = false;
		this.wanted = ""; // what the tap that is under way asks for
		this.sent = false;
		this.steps = []; // {text, auto, proposed} for each value
		this.found = null;
		if (ask?.draft) this.adopt(ask.draft, []);
	}

	/** A newer snapshot: the draft goes on where the question is still the same. */
	follow(state) {
		const ask = state?.table?.ask ?? null;
		const moved = this.revision !== (state?.table?.revision ?? null);
		const { trial } = this;
		this.revision = state?.table?.revision ?? null;
		const reopened = this.sent && moved && !ask?.sealed; // a sealed choice that was taken back asks again
		const other = (ask?.key ?? null) !== this.key || (ask?.draft && !this.found) || reopened;
		if (other) this.reset(ask);
		this.root = ask;
		// another seat's answer to the same question came in between: the amounts are tried anew
		if (!other && moved && trial?.stale) this.tryCounts();
		return other;
	}

	get values() {
		return this.found ? this.found.values : [];
	}
	get ask() {
		return this.found ? this.found.ask : this.root;
	}
	get complete() {
		return this.found !== null && this.found.ask === null && this.values.length > 0;
	}
	get view() {
		return this.touched ? this.found.view : null;
	}
	get lights() {
		if (this.refusal && this.refusedLights) return this.refusedLights;
		return this.touched ? this.found.lights : null;
	}
	get touched() {
		return this.found !== null && this.steps.some((step) => !step.auto);
	}
	get canBack() {
		return this.touched || this.pick !== null;
	}

	adopt(found, steps) {
		this.found = found;
		this.steps = steps.slice(0, found.values.length);
		for (const auto of found.autos) this.steps[auto.index] = { text: auto.text, auto: true, proposed: auto.proposed };
		// a few whole answers are tapped as they are, and nothing is counted
		const some = found.ask?.some;
		this.counts = some && some.answers.length < 2 ? { ...(some.default || {}) } : null;
		this.forgetTrial();
		this.refusal = null;
		this.pick = null;
		this.army = null;
		if (this.counts) this.tryCounts();
	}

	/**
	 * Asks the server what a tap leads to.  Until it has answered the same question is on screen, and of several taps on
	 * it the last one counts: nothing is recorded yet.  Null where another tap or another question came meanwhile.
	 */
	async reach(path, data) {
		if (!this.free(path, data)) return null;
		const { key } = this;
		const number = (this.number += 1);
		this.busy = true;
		this.started();
		const answer = await post(`/api/seat/${this.seat}/${path}`, { ...data, revision: this.revision });
		if (number !== this.number || key !== this.key) return null;
		this.busy = false;
		return answer;
	}

	/** Whether a tap counts: while an answer is recorded it does not, which is said; the same twice is one. */
	free(...wanted) {
		const same = this.busy && this.wanted === JSON.stringify(wanted);
		if (this.busy && this.sent && !same) this.early();
		if (same || (this.busy && this.sent)) return false;
		this.wanted = JSON.stringify(wanted);
		return true;
	}

	async send(values, steps, stop) {
		const answer = await this.reach("preview", { values, stop });
		if (!answer) return false;
		if (answer.ok && answer.data.refused) {
			this.refusal = answer.data.refused;
			this.refusedLights = answer.data.lights;
		} else if (answer.ok) {
			this.adopt(answer.data, steps);
		} else {
			this.failed(answer);
		}
		this.changed();
		return answer.ok;
	}

	/** What is not allowed was tapped: why, at once; and what is in its way lights up, on the board and under it. */
	refuse(option) {
		this.refusal = option.refused;
		this.refusedLights = null;
		this.changed();
		const { ask } = this;
		if (ask?.secret || ask?.chance || !this.found) return null;
		return this.send([...(this.onlyQuestion ? [] : this.values), option.value], this.steps);
	}

	/** The reason was read: the lights are again those of the question. */
	forgive() {
		const lit = this.refusedLights;
		this.refusal = null;
		this.refusedLights = null;
		this.changed();
		return lit && this.found ? this.send(this.values, this.steps) : null;
	}

	/** Choose `value` (shown as `text`); with `more`, the step after it too. */
	choose(value, text, more) {
		const values = [...this.values, value];
		const steps = [...this.steps, { text, auto: false }];
		if (more) {
			values.push(more.value);
			steps.push({ text: more.text, auto: false });
		}
		return this.send(values, steps);
	}

	/** What one tap takes, since there is nothing to look at before; taking it back stands beside the next question. */
	takeAtOnce(value, more) {
		return this.confirm([...this.values, value, ...(more ? [more.value] : [])]);
	}

	/** Asks what the army at `place` can do, by the dice that allow it; false where that is nothing. */
	async askArmy(place) {
		if (this.ask?.domain !== "die" || !this.found) return false;
		const answer = await this.reach("army", { values: this.values, place });
		if (!answer) return true;
		this.army = answer.ok && answer.data.uses.length ? { place, uses: answer.data.uses } : null;
		this.refusal = null;
		this.changed();
		return Boolean(this.army);
	}

	/** The army that was tapped acts: die, action and place in one step. */
	chooseArmy(die, action, name) {
		const values = [...this.values, die.value, ...action.steps, this.army.place];
		if (action.now) return this.confirm(values);
		const texts = [die.text, ...action.text.split(" · "), name];
		return this.send(values, [...this.steps, ...texts.map((text) => ({ text, auto: false }))]);
	}

	/** A decision of one step: its question, while what was chosen waits to be confirmed; null for longer ones. */
	get onlyQuestion() {
		const first = this.root?.draft;
		if (!this.complete || !first?.ask?.options || this.values.length !== first.values.length + 1) return null;
		return first.ask.options.some((option) => option.then) ? null : first.ask;
	}

	/** Choose another value at the first step. */
	chooseInstead(value, text) {
		const first = this.root.draft;
		return this.send([...first.values, value], [...this.steps.slice(0, first.values.length), { text, auto: false }]);
	}

	back() {
		if (this.pick !== null && !this.touched) {
			this.pick = null;
			this.changed();
			return null;
		}
		let keep = this.values.length;
		while (keep > 0 && this.steps[keep - 1].auto) keep -= 1;
		return this.send(this.values.slice(0, Math.max(0, keep - 1)), this.steps.slice(0, Math.max(0, keep - 1)));
	}

	/** Open the step at `index` again, even if it was taken by itself. */
	reopen(index) {
		return this.send(this.values.slice(0, index), this.steps.slice(0, index), index);
	}

	setCount(item, count) {
		if (this.busy) return this.early();
		this.counts = { ...this.counts, [item]: count };
		this.tryCounts();
		return this.changed();
	}

	chosenCounts() {
		return Object.fromEntries(Object.entries(this.counts || {}).filter(([, count]) => count > 0));
	}

	/** Amounts or question are others now: what was said, and may yet be said, of those before does not count. */
	forgetTrial() {
		this.trial = null;
		this.trying = false;
		this.trialNumber += 1;
	}

	/** Asks in the background whether the amounts may stand and what follows. */
	async tryCounts() {
		this.forgetTrial();
		const number = this.trialNumber;
		const counts = this.chosenCounts();
		const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
		if (total < this.ask.some.minimum) return;
		const values = [...this.values, counts];
		this.trying = true;
		const { revision } = this;
		const answer = await post(`/api/seat/${this.seat}/preview`, { values, revision });
		if (number !== this.trialNumber) return;
		this.trying = false;
		if (!answer.ok && revision !== this.revision) return this.tryCounts();
		if (answer.ok)
			this.trial = answer.data.refused
				? { found: null, refusal: answer.data.refused }
				: { found: answer.data, refusal: null };
		else {
			const stale = answer.error.code === "stale";
			this.trial = { found: null, refusal: { text: answer.error.sentence, rule: null }, stale };
		}
		this.changed();
	}

	/** The amounts stand: the next step of the draft, or what `confirm` will send. */
	takeCounts(text) {
		if (this.busy) return this.early();
		if (!this.trial?.found) return false;
		this.adopt(this.trial.found, [...this.steps, { text, auto: false }]);
		this.changed();
		return true;
	}

	async confirm(values) {
		// what is on screen was not what the tap before it asks for
		if (this.busy && !this.sent) return this.early();
		if (!this.free("answer", values)) return null;
		this.busy = true;
		this.sent = true;
		this.started();
		const answer = await post(`/api/seat/${this.seat}/answer`, { values, revision: this.revision });
		if (!answer.ok) {
			this.busy = false;
			this.sent = false;
			this.failed(answer);
			return this.changed();
		}
		// the next question is mostly here at once and drawn alone; until then nothing is taken, and where it is late the
		// buttons are seen to rest
		if (this.sent) this.resting = setTimeout(() => this.changed(), LATE);
		return null;
	}
}
