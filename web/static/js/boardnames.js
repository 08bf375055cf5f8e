// Where names of places go on the board: candidates for each, then conflicts are repaired until none is left.
// Always the same for the same board, position and size. Nothing here touches the page: it runs in a worker.

import { boxOf, chance, shared } from "./geometry.js";

const LEADING = 1.02; // height of a line, in heights of its letters
const MARGIN = 4; // from the edge of what is in sight
const BEST = 48; // candidates of a name that compete
const ROUNDS = 40;
const HEATED = 12; // rounds with chance in them, to leave a dead end
const NAMES_APART = 2;
const STRANGE = 14; // CSS pixels around another place's figures where a name would seem theirs
const CLASH = 400;
const MINOR_WORST = 120; // a name that need not be there stays away where it costs more

const clamp = (value, low, high) => Math.min(Math.max(value, Math.min(low, high)), Math.max(low, high));

/** Ways to break a name: at spaces and after hyphens, balanced, in one to three lines. */
export function breaks(name) {
	const parts = name.match(/[^\s-]*-|[^\s-]+/g) ?? [name];
	const join = (list) =>
		list.reduce((text, part) => (text === "" || text.endsWith("-") ? text + part : `${text} ${part}`), "");
	const found = [[name]];
	for (let count = 2; count <= Math.min(3, parts.length); count += 1) {
		let best = { width: Infinity, all: [name] };
		const cut = (from, left, done) => {
			if (left === 1) {
				const all = [...done, join(parts.slice(from))];
				const width = Math.max(...all.map((line) => line.length));
				if (width < best.width) best = { width, all };
				return;
			}
			for (let to = from + 1; to <= parts.length - left + 1; to += 1)
				cut(to, left - 1, [...done, join(parts.slice(from, to))]);
		};
		cut(0, count, []);
		found.push(best.all);
	}
	return found;
}

/** Spots around what stands at a place, and on a grid over the place: [x, y, how dear]. */
function spots({ at, top, bottom, left, right }, area, w, h) {
	const [ax, ay] = at;
	const found = [];
	for (const dx of [0, -16, 16, -32, 32]) {
		const aside = Math.abs(dx) * 0.25;
		found.push([ax + dx, ay + bottom + h / 2 + 1, aside], [ax + dx, ay + top - h / 2 - 2, 9 + aside]);
	}
	for (const dy of [0, -11, 11]) {
		found.push([ax + right + w / 2 + 4, ay + dy, 14 + Math.abs(dy) * 0.3]);
		found.push([ax - left - w / 2 - 4, ay + dy, 14 + Math.abs(dy) * 0.3]);
	}
	const { x1, y1, x2, y2 } = area;
	const [sx, sy] = [Math.max(9, (x2 - x1) / 9), Math.max(9, (y2 - y1) / 9)];
	for (let y = y1 - h * 0.3; y <= y2 + h * 0.3; y += sy)
		for (let x = x1 - w * 0.2; x <= x2 + w * 0.2; x += sx)
			found.push([x, y, 16 + Math.hypot(x - ax, y - ay - bottom) * 0.16]);
	return found;
}

/** Where a horizontal line crosses a polygon: [x], in no order. */
function crossings(outline, y) {
	const found = [];
	for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
		const [a, b] = outline[i];
		const [c, d] = outline[j];
		if (b > y !== d > y) found.push(((c - a) * (y - b)) / (d - b) + a);
	}
	return found;
}

/** What it costs that a name leaves its place. `rows`: {y: where that line crosses the outline}, filled here. */
function outside({ outline }, box, w, h, rows) {
	let out = 0;
	for (const j of [0.15, 0.85]) {
		const y = box.y1 + h * j;
		if (!rows.has(y)) rows.set(y, crossings(outline, y));
		const edges = rows.get(y);
		for (let i = 0; i <= 4; i += 1) {
			const x = box.x1 + (w * i) / 4;
			let within = false;
			for (const edge of edges) if (x < edge) within = !within;
			if (!within) out += 1;
		}
	}
	return out * 10 + (out > 5 ? 60 : 0) + (out > 8 ? 60 : 0);
}

/** What a box costs by what stands on the board. */
function covering(one, box, near, area) {
	let cost = 0;
	for (const t of near) {
		const over = shared(box, t, t.hard ? 1.5 : 0);
		if (over > 0) cost += (t.hard ? 900 : 60) * Math.min(1, over / area) + (t.hard ? 160 : 0);
		else if (t.id !== one.id && shared(box, t, STRANGE) > 0) cost += 18;
	}
	return cost;
}

/** The best spots for a name, the cheapest first: {text, box, x, y, cost}. */
function candidates(one, { taken, water, view }) {
	const area = boxOf(one.outline);
	const near = taken.filter(
		(t) => t.x1 < area.x2 + 140 && t.x2 > area.x1 - 140 && t.y1 < area.y2 + 90 && t.y2 > area.y1 - 90,
	);
	const wet = water.filter(([x, y]) => x > area.x1 - 70 && x < area.x2 + 70 && y > area.y1 - 40 && y < area.y2 + 40);
	const found = [];
	for (const { text, width } of one.ways) {
		const [w, h] = [width + 4, text.length * one.size * LEADING];
		for (const [sx, sy, dear] of spots(one, area, w, h)) {
			const x = Math.min(Math.max(sx, view[0] + w / 2 + MARGIN), view[2] - w / 2 - MARGIN);
			const y = Math.min(Math.max(sy, view[1] + h / 2 + MARGIN), view[3] - h / 2 - MARGIN);
			const box = { x1: x - w / 2, x2: x + w / 2, y1: y - h / 2 + one.size * 0.08, y2: y + h / 2 };
			const cost = dear + (text.length - 1) * 5 + covering(one, box, near, w * h);
			found.push({ text, box, x, y, w, h, cost });
		}
	}
	const rows = new Map();
	return cheapest(found, (spot) => (spot.cost < CLASH ? ground(one, spot, wet, rows) : 80));
}

/** What it costs that a name leaves its place or lies over a river. */
function ground(one, { box, w, h }, wet, rows) {
	const over = ([x, y]) => x > box.x1 - 4 && x < box.x2 + 4 && y > box.y1 - 4 && y < box.y2 + 4;
	return outside(one, box, w, h, rows) + (wet.some(over) ? 46 : 0);
}

/** The `BEST` of spots once `more` is added to what each costs; it is not asked of those too dear without it. */
function cheapest(found, more) {
	/** @type {any[]} */
	const best = [];
	for (const spot of found.sort((p, q) => p.cost - q.cost)) {
		if (best.length === BEST && spot.cost >= best[BEST - 1].cost) break;
		spot.cost += more(spot);
		let at = best.length;
		while (at && best[at - 1].cost > spot.cost) at -= 1;
		if (at < BEST) best.splice(at, 0, spot);
		if (best.length > BEST) best.pop();
	}
	return best;
}

/** All that a name's candidates may cover. */
function reach(list) {
	return {
		x1: Math.min(...list.map((c) => c.box.x1)),
		x2: Math.max(...list.map((c) => c.box.x2)),
		y1: Math.min(...list.map((c) => c.box.y1)),
		y2: Math.max(...list.map((c) => c.box.y2)),
	};
}

/** What a box costs among the picks of the names near by; no more than `most` is reckoned. */
function clash(name, box, most = Infinity) {
	let sum = 0;
	for (const other of name.near) {
		if (other.out) continue;
		const over = shared(box, other.list[other.pick].box, NAMES_APART);
		if (over > 0 && (sum += CLASH + over * 3) > most) break;
	}
	return sum;
}

/** Names move, round by round, to where they cost least among the others. */
function repair(names) {
	const dice = chance(5);
	for (let round = 0; round < ROUNDS; round += 1) {
		let moved = 0;
		for (const name of names) {
			let [best, least] = [name.pick, Infinity];
			for (let i = 0; i < name.list.length && name.list[i].cost < least; i += 1) {
				const cost = name.list[i].cost + (round < HEATED ? dice() * (HEATED - round) * 2 : 0);
				if (cost >= least) continue;
				const sum = cost + clash(name, name.list[i].box, least - cost);
				if (sum < least) [least, best] = [sum, i];
			}
			if (best !== name.pick) [name.pick, moved] = [best, moved + 1];
		}
		if (!moved && round >= HEATED) break;
	}
}

/** Whether a line from a name's box to its place runs over what stands at others, or over another name. */
function crossed(lead, box, name, names, taken) {
	const [x, y] = lead;
	const [fx, fy] = [clamp(x, box.x1, box.x2), clamp(y, box.y1, box.y2)];
	const steps = Math.ceil(Math.hypot(x - fx, y - fy) / 5);
	const others = taken.filter((t) => t.hard && t.id !== name.one.id);
	const written = names.filter((other) => other !== name && !other.out).map((other) => other.list[other.pick].box);
	for (let n = 0; n < steps; n += 1) {
		const [px, py] = [fx + ((x - fx) * n) / steps, fy + ((y - fy) * n) / steps];
		const on = (b) => px > b.x1 && px < b.x2 && py > b.y1 && py < b.y2;
		if (others.some(on) || written.some(on)) return true;
	}
	return false;
}

/** An important name without room goes to the next free spot, with a line to its place. */
function besides(name, names, taken, view) {
	const { w, h, text } = [...name.list].sort((p, q) => p.w * p.h - q.w * q.h)[0];
	const { left, right, top, bottom } = name.one;
	const [ax, ay] = name.one.at;
	for (let r = 26; r < 130; r += 8)
		for (let step = 0; step < 24; step += 1) {
			const turn = (step / 24) * 2 * Math.PI;
			const [x, y] = [ax + Math.cos(turn) * (r + w / 2), ay + Math.sin(turn) * (r + h / 2)];
			const box = { x1: x - w / 2, x2: x + w / 2, y1: y - h / 2, y2: y + h / 2 };
			if (box.x1 < view[0] + MARGIN || box.x2 > view[2] - MARGIN) continue;
			if (box.y1 < view[1] + MARGIN || box.y2 > view[3] - MARGIN) continue;
			if (taken.some((t) => t.hard && shared(box, t, 2) > 0)) continue;
			if (names.some((other) => !other.out && shared(box, other.list[other.pick].box, 3) > 0)) continue;
			const lead = [clamp(x, ax - left, ax + right), clamp(y, ay + top, ay + bottom)];
			if (crossed(lead, box, name, names, taken)) continue;
			return { text, box, x, y, w, h, cost: 0, lead };
		}
	return null;
}

/**
 * Places names. `wanted`: [{id, ways: [{text: lines, width}], at: [x, y], top, bottom, left, right, rank, size, lead}]
 * in CSS pixels, `scale` of which are a unit of the board with these `places`; rank 0 and 1 are important, and `lead`
 * says that a name may stand aside with a line to its place. `taken`: boxes {id, x1, y1, x2, y2, hard} of what stands
 * on the board; `water`: points that a name should not cover; `view`: [x1, y1, x2, y2] in sight. Gives [{id, text, box,
 * x, y, lead}], no two of which overlap.
 */
export function placeNames({ wanted, taken, water, view, scale }, places) {
	const sized = wanted.map((one) => {
		const outline = places[one.id].outline.map(([x, y]) => [x * scale, y * scale]);
		return { ...one, outline };
	});
	const names = sized.map((one) => ({
		one,
		list: candidates(one, { taken, water, view }),
		pick: 0,
		out: false,
		/** @type {any[]} */ near: [],
		reach: null,
	}));
	for (const name of names) name.reach = reach(name.list);
	for (const name of names)
		name.near = names.filter((other) => other !== name && shared(name.reach, other.reach, NAMES_APART) > 0);
	repair(names);
	// what still clashes goes, the least important first
	for (const name of [...names].sort((p, q) => q.one.rank - p.one.rank)) {
		const { box, cost } = name.list[name.pick];
		const covers = taken.some((t) => t.hard && shared(box, t) > 14);
		name.out = clash(name, box) > 0 || covers || (name.one.rank > 1 && cost > MINOR_WORST);
	}
	for (const name of names.filter((one) => one.out && one.one.lead)) {
		const found = besides(name, names, taken, view);
		if (found) Object.assign(name, { list: [found], pick: 0, out: false });
	}
	const shown = names.filter((name) => !name.out);
	return shown.map((name) => ({ id: name.one.id, size: name.one.size, ...name.list[name.pick] }));
}
