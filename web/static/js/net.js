// Talking to the table: POST with the CSRF token, and the numbered stream with its watch.

import { t } from "./words.js";

const csrf = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=csrf]")).content;
const SILENCE = 4200; // beats come every 2 s; without one for this long the line counts as lost
export const RETRY = 2000; // ms until what did not come is asked for again
const DENIED = 10000; // a seat that went to another device: no need to ask often

const PATIENCE = 8000;
export const READING = 30000; // ms that a small computer may take to load its reader and to read a picture

/** A signal that gives up after a while (AbortSignal.timeout is younger than some tablets that we serve). */
function patience(wait = PATIENCE) {
	const giving = new AbortController();
	setTimeout(() => giving.abort(), wait);
	return giving.signal;
}

/** Gives {ok, data} or {ok: false, status, error: {code, sentence, refusal?}}. Never throws. */
export async function post(path, data = {}, wait = PATIENCE) {
	try {
		const answer = await fetch(path, {
			method: "POST",
			headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
			body: JSON.stringify(data),
			signal: patience(wait),
		});
		const json = await answer.json();
		if (answer.ok) return { ok: true, data: json };
		return { ok: false, status: answer.status, error: json.error };
	} catch {
		return { ok: false, status: 0, error: { code: "offline", sentence: t("link.offline") } };
	}
}

export async function get(path) {
	try {
		const answer = await fetch(path, { signal: patience() });
		const json = await answer.json();
		return answer.ok ? { ok: true, data: json } : { ok: false, status: answer.status, error: json.error };
	} catch {
		return { ok: false, status: 0, error: { code: "offline", sentence: t("link.offline") } };
	}
}

/** The stream of one screen. `onState(state)` for each newer snapshot, `onLink(up, sentence)` when the line changes. */
export class Live {
	constructor(who, onState, onLink) {
		this.who = who;
		this.onState = onState;
		this.onLink = onLink;
		this.state = null;
		this.up = null;
		this.heard = Date.now();
		this.source = null;
		this.opened = 0;
		setInterval(() => this.watch(), 500);
		// A browser has six connections for a table, whatever its tabs are: a hidden tab gives its stream back.
		const look = () => (document.visibilityState === "visible" ? this.wake() : this.rest());
		document.addEventListener("visibilitychange", look);
		window.addEventListener("pageshow", look);
		window.addEventListener("online", look);
		this.open();
	}

	path() {
		return this.who.startsWith("seat:") ? `/api/seat/${this.who.slice(5)}/state` : `/api/${this.who}/state`;
	}

	rest() {
		this.source?.close();
	}

	open() {
		this.rest();
		if (document.visibilityState === "hidden") return;
		this.opened = Date.now();
		const last = this.state ? `?last=${this.state.boot}-${this.state.number}` : "";
		this.source = new EventSource(`/events/${this.who}${last}`);
		this.source.addEventListener("state", (event) => this.take(JSON.parse(event.data)));
		this.source.addEventListener("beat", () => this.hear());
		for (const name of ["error", "gone"]) this.source.addEventListener(name, () => this.source.close());
	}

	hear() {
		this.heard = Date.now();
		this.setLink(true, "");
	}

	take(state) {
		this.hear();
		if (this.state && state.boot === this.state.boot && state.number < this.state.number) return;
		this.state = state;
		this.onState(state);
	}

	setLink(up, sentence) {
		if (up !== this.up || sentence !== this.sentence) {
			this.up = up;
			this.sentence = sentence;
			this.onLink(up, sentence);
		}
	}

	watch() {
		if (document.visibilityState === "hidden") {
			// without a stream it asks now and then: its title still says whose turn it is
			if (Date.now() - this.opened > RETRY) this.wake();
			return;
		}
		const silent = Date.now() - this.heard;
		if (silent > SILENCE) this.setLink(false, this.denied || t("link.lost"));
		if (!this.source || this.source.readyState === EventSource.CLOSED || silent > SILENCE) {
			if (Date.now() - this.opened > (this.denied ? DENIED : RETRY)) this.wake();
		}
	}

	/** After sleep, or by the button: the right state first, then the stream again. */
	async wake() {
		this.opened = Date.now();
		const silent = this.opened - this.heard > 2500; // a connection may look open for ever after a power cut
		const answer = await get(this.path());
		if (answer.ok) {
			this.denied = "";
			const { boot, number } = this.state || {};
			const known = boot === answer.data.boot && number === answer.data.number;
			if (known && document.visibilityState === "hidden") this.hear();
			else this.take({ ...answer.data, kept: true }); // it may be older than this moment
			if (silent || this.source?.readyState !== EventSource.OPEN) this.open();
		} else if (answer.status === 403) {
			this.denied = answer.error.sentence;
			this.setLink(false, answer.error.sentence);
		}
	}
}
