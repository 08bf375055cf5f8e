// The board by keyboard: one stop of the tabulator; arrows go from place to place.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 2.2; // how much dearer it is to go aside than ahead

/** The way of an arrow key: [right, down]; undefined for all others. */
export const wayOf = (key) => WAYS[key];

/** The place of `list` that lies next to `from` in a direction; null where none lies there. */
export function nextPlace(from, list, [right, down]) {
	let best = null;
	let least = Infinity;
	for (const place of list) {
		const [x, y] = [place.label[0] - from.label[0], place.label[1] - from.label[1]];
		const ahead = x * right + y * down;
		const aside = Math.abs(x * down) + Math.abs(y * right);
		const cost = ahead + ASIDE * aside;
		if (place === from || ahead <= 0 || aside > 2 * ahead || cost >= least) continue;
		[best, least] = [place, cost];
	}
	return best;
}
