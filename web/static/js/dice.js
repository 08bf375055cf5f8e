// Rolling: the picture with what was read drawn into it, corrections in two taps, typing in, virtual throws.

import { h, s, press } from "./dom.js";
import { t } from "./words.js";
import { post, READING } from "./net.js";
import { cameraButton, shrunk } from "./photograph.js";
import { die as dieFace, isDrawn } from "./signs.js";
import { typedBody, typedFull } from "./typeddice.js";

const SURE = 0.8; // from which a reading is not in question
const THROWN = 2000; // ms after which a throw that brought no picture may be repeated

const boxOf = (quad) => {
	const [xs, ys] = [quad.map((p) => p[0]), quad.map((p) => p[1])];
	return { x1: Math.min(...xs), y1: Math.min(...ys), x2: Math.max(...xs), y2: Math.max(...ys) };
};

/** Above, below, right or left of `box`, or a little aside: where a label covers least of `taken` and of the rim. */
function freeSpot(box, wide, high, gap, taken, { width, height }) {
	const [x, y] = [(box.x1 + box.x2 - wide) / 2, (box.y1 + box.y2 - high) / 2];
	const [above, below, right, left] = [box.y1 - gap - high, box.y2 + gap, box.x2 + gap, box.x1 - gap - wide];
	const spots = [
		[x, above],
		[x, below],
		[right, y],
		[left, y],
		[right, above],
		[left, above],
		[right, below],
		[left, below],
	];
	let best = null;
	spots.forEach(([x1, y1], rank) => {
		const spot = { x1, y1, x2: x1 + wide, y2: y1 + high };
		const covered = taken.reduce(
			(sum, one) =>
				sum +
				Math.max(0, Math.min(spot.x2, one.x2) - Math.max(spot.x1, one.x1)) *
					Math.max(0, Math.min(spot.y2, one.y2) - Math.max(spot.y1, one.y1)),
			0,
		);
		const outside = Math.max(0, -x1, -y1, spot.x2 - width, spot.y2 - height) * wide;
		const cost = covered + outside + rank * 0.01 * wide * high;
		if (!best || cost < best.cost) best = { ...spot, cost };
	});
	return best;
}

const corners = (quad) => quad.map((p) => p.join(",")).join(" ");

/** Where in the picture something is the matter; what it is stands in words beside the picture. */
const place = (why, unit) =>
	s("polygon", {
		points: corners(why.quad),
		class: "quad why",
		"data-why": why.code,
		"pointer-events": "none",
		"stroke-width": 4 * unit,
	});

export class DicePanel {
	constructor(seat, changed, failed, started) {
		this.seat = seat;
		this.changed = changed;
		this.started = started;
		this.failed = failed;
		this.reset();
	}

	reset() {
		this.offer = null;
		this.dice = [];
		this.picking = null;
		this.manual = false;
		this.typed = {};
		this.busy = false;
		this.accepting = false; // until the game has moved on: the tray is emptied before that
	}

	/** A newer snapshot.  Whoever is not asked sees the same picture, without buttons. */
	follow(state) {
		this.key = state.table?.ask?.key;
		if (this.revision !== state.table?.revision) this.busy = this.accepting = false;
		this.revision = state.table?.revision;
		this.virtual = state.table?.dice.virtual;
		this.tray_text = state.table?.dice.state_text;
		this.rolling = ["moving", "reading"].includes(state.table?.dice.state);
		this.ask = state.table?.ask?.roll ?? null;
		this.first = state.table?.dice.first;
		if (this.key !== this.lastKey) this.reset();
		this.lastKey = this.key;
		const roll = state.table?.dice.roll ?? null;
		if ((roll?.number ?? null) !== (this.offer?.number ?? null)) {
			if (!this.accepting) this.busy = false;
			clearTimeout(this.resting);
			this.offer = roll;
			this.dice = (roll?.dice || []).map((die, index) => ({
				...die,
				index,
				read: die.face,
				gone: false,
				fixed: false,
			}));
			this.picking = null;
			if (roll) this.manual = false;
		} else {
			this.offer = roll;
		}
	}

	kind(type) {
		return this.ask?.dice.find((one) => one.type === type);
	}
	text(type, face) {
		return this.kind(type)?.faces.find((one) => one.id === face)?.text ?? face ?? "?";
	}
	/** What a die shows, in words: as it was read, or as it was put right. */
	words(die) {
		return (!die.fixed && die.text) || this.text(die.type, die.face);
	}
	here() {
		return this.dice.filter((die) => !die.gone);
	}

	/** What still stands against accepting, in words; "" where nothing does. */
	problem() {
		if (this.here().some((die) => !die.face)) return t("dice.unknown");
		const wrong = [];
		for (const kind of this.ask.dice) {
			const seen = this.here().filter((die) => die.type === kind.type).length;
			if (seen !== kind.count) wrong.push(t("dice.count", { seen, wanted: kind.count, name: kind.name }));
		}
		for (const { type, name } of this.here())
			if (!this.kind(type)) wrong.push(name ? t("dice.foreign", { name }) : t("dice.unknown"));
		return [...new Set(wrong)].join(" ");
	}

	corrections() {
		const list = [];
		for (const die of this.dice) {
			if (die.added) {
				if (!die.gone) list.push({ add: { type: die.type, face: die.face } });
			} else if (die.gone) {
				list.push({ die: die.index, remove: true });
			} else if (die.fixed) {
				list.push({ die: die.index, face: die.face, type: die.type });
			}
		}
		return list;
	}

	async send(path, data) {
		if (this.busy) return;
		this.busy = true;
		this.accepting = path === "accept" && !this.offer?.agree;
		this.started();
		const before = this.offer?.number;
		const wait = path === "photograph" ? READING : undefined;
		const answer = await post(`/api/seat/${this.seat}/dice/${path}`, { revision: this.revision, ...data }, wait);
		// an accepted roll leaves the buttons at rest until the next question is here, a throw until it is seen
		if (!answer.ok || path === "look" || path === "photograph") this.busy = this.accepting = false;
		else if (path === "throw") this.rest(before);
		if (!answer.ok) this.failed(answer);
		this.changed();
	}

	/** Ends the wait for a throw: a new picture does so too, see `follow`. */
	rest(before) {
		clearTimeout(this.resting);
		if ((this.offer?.number ?? null) !== (before ?? null)) this.busy = false;
		else
			this.resting = setTimeout(() => {
				this.busy = false;
				this.changed();
			}, THROWN);
	}

	/** Sends a picture that this device took; its reading comes as a new offer. */
	async photograph(file) {
		this.photographing = true;
		this.changed();
		await this.send("photograph", { picture: await shrunk(file) });
		this.photographing = false;
		this.changed();
	}

	accept() {
		return this.send("accept", { offer: this.offer.number, corrections: this.corrections() });
	}
	acceptTyped() {
		return this.send("accept", { faces: this.typed });
	}

	// drawing

	body() {
		const wanted = this.ask.dice.map((kind) => t("dice.wanted", { count: kind.count, name: kind.name })).join(" + ");
		const parts = [h("p", { class: "hint" }, wanted)];
		if (this.offer?.throw) parts.push(h("p", { class: "card note" }, t("dice.nth", { nth: this.offer.throw })));
		if (this.manual) return [...parts, ...typedBody(this)];
		if (!this.offer) return [...parts, ...this.waitingBody()];
		for (const reason of this.offer.reasons) parts.push(h("p", { class: "card why" }, reason.text));
		if (this.picking !== null) parts.push(this.picker());
		else parts.push(this.list());
		const problem = this.offer.status === "refused" ? "" : this.problem();
		if (problem) parts.push(h("p", { class: "card note" }, problem));
		return parts;
	}

	waitingBody() {
		return [
			h("p", { class: "soft" }, this.virtual ? t("dice.throw_hint") : t("dice.roll_hint")),
			this.tray_text ? h("p", { class: "card" }, this.tray_text) : null,
		];
	}

	foot() {
		const buttons = [];
		if (this.manual) {
			buttons.push(
				h(
					"button",
					{
						class: "main",
						"data-key": "accept",
						disabled: this.busy || !typedFull(this),
						onclick: () => this.acceptTyped(),
					},
					t("dice.accept_typed"),
				),
			);
			buttons.push(
				h(
					"button",
					{
						onclick: () => {
							this.manual = false;
							this.changed();
						},
					},
					t("dice.leave_manual"),
				),
			);
			return buttons;
		}
		if (this.first && this.picking === null)
			buttons.push(
				h(
					"button",
					{ "data-key": "first", disabled: this.busy, onclick: () => this.send("first", {}) },
					t("dice.first", { faces: this.first }),
				),
			);
		if (this.offer && this.offer.status !== "refused") {
			buttons.push(
				h(
					"button",
					{
						class: "main",
						"data-key": "accept",
						disabled: this.busy || this.problem() !== "",
						onclick: () => this.accept(),
					},
					t(this.offer.agree ? "dice.agree" : "dice.accept"),
				),
			);
		}
		// the faces of a die want the panel's height: what throws or looks anew waits until one is chosen
		if (this.offer && this.picking !== null) return buttons;
		if (this.virtual) {
			buttons.push(
				h(
					"button",
					{
						class: this.offer ? "" : "main",
						"data-key": "throw",
						disabled: this.busy || this.rolling || this.offer?.status === "ok",
						onclick: () => this.send("throw", {}),
					},
					t("dice.throw"),
				),
			);
		}
		if (!this.virtual || this.offer)
			buttons.push(
				h("button", { "data-key": "look", disabled: this.busy, onclick: () => this.send("look", {}) }, t("dice.look")),
			);
		if (!this.virtual) {
			const text = t(this.photographing ? "dice.photographing" : "dice.photograph");
			buttons.push(...cameraButton(text, this.busy || !!this.photographing, (file) => this.photograph(file)));
		}
		buttons.push(
			h(
				"button",
				{
					"data-key": "manual",
					onclick: () => {
						this.manual = true;
						this.changed();
					},
				},
				t("dice.manual"),
			),
		);
		return buttons;
	}

	/** The picture fills the field, so that a die can be tapped from where one sits. */
	tray(close) {
		return h(
			"div",
			{ class: "tray", "data-tray": this.offer.number },
			this.photo(),
			h("button", { "data-key": "show-board", onclick: close }, t("focus.board")),
		);
	}

	photo() {
		const { width, height, number, picture } = this.offer;
		const svg = s("svg", {
			viewBox: `0 0 ${width || 4} ${height || 3}`,
			role: "group",
			"aria-label": t("dice.picture"),
		});
		if (picture) svg.append(s("image", { href: `/dice/${number}.jpg`, width, height }));
		const unit = Math.max(width, height) / 800;
		const taken = this.dice.filter((die) => die.quad).map((die) => boxOf(die.quad));
		// places that no die is at: a hand, a die that was moved, something that may be a die
		const known = new Set(this.dice.map((die) => String(die.quad)));
		for (const why of this.offer.reasons) if (why.quad && !known.has(String(why.quad))) svg.append(place(why, unit));
		this.dice.forEach((die, index) => die.quad && svg.append(this.mark(die, index, unit, taken)));
		return h("div", { class: "photo" }, svg);
	}

	/** The outline of a die and what was read, where that covers no other die; `taken` grows by each label. */
	mark(die, index, unit, taken) {
		const state = die.gone ? "gone" : die.fixed ? "fixed" : die.face && die.confidence > SURE ? "sure" : "doubt";
		const label = die.gone ? "✕" : die.face ? this.words(die) : "?";
		const words = String(label).length > 2;
		const half = (words ? 14 : 20) * unit;
		const wide = words ? (16 + 12 * label.length) * unit : 46 * unit;
		const spot = freeSpot(boxOf(die.quad), wide, 2 * half, 3 * unit, taken, this.offer);
		const [x, y] = [spot.x1 + wide / 2, spot.y1 + half];
		taken.push(spot);
		const group = s(
			"g",
			{
				role: "button",
				tabindex: "0",
				"data-key": `die-${index}`,
				"data-die": index,
				"aria-label": t("dice.die", { number: index + 1, face: label }),
			},
			s("polygon", {
				points: corners(die.quad),
				class: `quad ${state} ${this.picking === index ? "picked" : ""}`,
				"pointer-events": "all",
				"stroke-width": 3 * unit,
			}),
			s("rect", { x: x - wide / 2, y: y - half, width: wide, height: 2 * half, rx: 8 * unit, class: "tagbox" }),
			s(
				"text",
				{ transform: `translate(${x} ${y}) scale(${unit})`, class: words ? "tagtext words" : "tagtext" },
				label,
			),
		);
		return this.seat && this.ask ? press(group, () => this.pick(index)) : group;
	}

	/** A die as it was read: drawn where its face can be, or in words; in question where the reader is not sure. */
	drawn(one) {
		if (!one.face) return "?";
		const words = this.words(one);
		const asked = !one.fixed && !(one.confidence > SURE);
		return isDrawn(one.face)
			? dieFace(one.face, this.kind(one.type)?.body || "white", { size: 44, state: asked ? "asked" : "" })
			: h("span", { class: "words" }, words);
	}

	list() {
		return h(
			"div",
			{ class: "slots" },
			this.dice.map((die, index) =>
				die.gone
					? null
					: h(
							"button",
							{
								class: `slot ${this.picking === index ? "picked" : ""}`,
								"data-key": `slot-${index}`,
								"data-slot": index,
								"aria-label": t("dice.die", { number: index + 1, face: this.words(die) }),
								onclick: () => this.pick(index),
							},
							this.drawn(die),
							die.fixed ? h("span", { "aria-hidden": "true" }, "✎") : null,
						),
			),
			h("button", { class: "slot empty words", "data-key": "add", onclick: () => this.pick("add") }, t("dice.add")),
		);
	}

	/** Opens the faces of a die, above the foot of the panel: they are tapped next. */
	pick(index) {
		this.picking = index;
		this.changed();
		document.querySelector("[data-picker]")?.scrollIntoView({ block: "nearest" });
	}

	picker() {
		const die = this.picking === "add" ? null : this.dice[this.picking];
		const close = () => {
			this.picking = null;
			this.changed();
		};
		const set = (type, face) => {
			if (die) Object.assign(die, { type, face, fixed: face !== die.read || die.fixed, gone: false });
			else this.dice.push({ type, face, added: true, fixed: true, gone: false, confidence: 1 });
			close();
		};
		const own = die && this.kind(die.type) ? [die.type] : [];
		const others = this.ask.dice.map((kind) => kind.type).filter((type) => !own.includes(type));
		const rows = [...own, ...others].map((type) => {
			const kind = this.kind(type);
			const faces = die && own.includes(type) && die.faces ? die.faces : kind.faces;
			return [
				this.ask.dice.length > 1 || !own.length ? h("h3", {}, kind.name) : null,
				h(
					"div",
					{ class: kind.pips ? "faces" : "faces worded" },
					faces.map((face) =>
						h(
							"button",
							{
								class: kind.pips ? "" : "words",
								"data-face": face.id,
								"aria-pressed": String(die?.face === face.id && die.type === type),
								onclick: () => set(type, face.id),
							},
							isDrawn(face.id) ? dieFace(face.id, kind.body, { size: 44 }) : null,
							// a name of two halves may be parted behind its stroke
							h("span", { class: kind.pips && isDrawn(face.id) ? "unseen" : "" }, face.text.replace("/", "/\u200b")),
						),
					),
				),
			];
		});
		return h(
			"div",
			{ class: "card stack", "data-picker": "yes" },
			h("h3", {}, die ? t("dice.which_face") : t("dice.add_face")),
			rows,
			h(
				"div",
				{ class: "row" },
				die
					? h(
							"button",
							{
								class: "danger",
								"data-key": "not-a-die",
								onclick: () => {
									if (die.added) this.dice = this.dice.filter((one) => one !== die);
									else die.gone = true;
									close();
								},
							},
							t("dice.not_a_die"),
						)
					: null,
				h("button", { onclick: close }, t("dice.close")),
			),
		);
	}
}
