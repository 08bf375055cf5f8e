// Where is that place: a search by name, over all places of the board; what stands there is said along with it.

import { afterPaint, h, show } from "./dom.js";
import { t } from "./words.js";
import { close, open } from "./dialogs.js";

const MOST = 30;
const FIRST = 12; // what fits on a screen; the others follow once these are seen

/** Letters without case, accents and hyphens, so that "dun" finds "Dûn". */
export const plain = (text) =>
	text
		.normalize("NFD")
		.replace(/[\u0300-\u036f]/g, "")
		.replace(/[-'’\s]+/g, " ")
		.toLowerCase();

/** All places in the order of the letters they are found by: reckoned once a board, before somebody looks for one. */
export function sorted(board) {
	board.byName ||= board.list
		.map((place) => ({ place, letters: plain(place.name) }))
		.sort((a, b) => (a.letters < b.letters ? -1 : a.letters > b.letters ? 1 : 0));
	return board.byName;
}

export function openFind(board) {
	const list = h("div", { class: "options long", "aria-live": "polite" });
	const field = h("input", {
		type: "search",
		autocomplete: "off",
		enterkeyhint: "search",
		autofocus: true,
		"data-key": "place-query",
		oninput: () => find(),
	});
	let number = 0; // of the search that is shown
	const go = (place) => () => {
		close();
		board.show(place.id);
	};

	function find() {
		const wanted = plain(field.value.trim());
		const found = sorted(board).filter(({ letters }) => letters.includes(wanted));
		// names that begin so come first
		const hits = [true, false]
			.flatMap((first) => found.filter(({ letters }) => letters.startsWith(wanted) === first))
			.map(({ place }) => place);
		const mine = (number += 1);
		show(list, hits.length ? null : h("p", {}, t("rules.none")), hits.slice(0, FIRST).map(row));
		if (hits.length > FIRST) afterPaint(() => mine === number && others(hits));
	}

	function others(hits) {
		list.append(...hits.slice(FIRST, MOST).map(row));
		if (hits.length > MOST) list.append(h("p", { class: "soft" }, t("rules.more", { count: hits.length - MOST })));
	}

	const row = (place) =>
		h(
			"button",
			{ class: "option", "data-key": `find-${place.id}`, "data-find": place.id, onclick: go(place) },
			h("span", {}, place.name, here(place)),
		);

	function here(place) {
		const content = board.last?.view.places?.[place.id];
		const text = (content?.pieces || []).map((piece) => `${piece.count} ${piece.name}`).join(", ");
		return text ? [h("br"), h("span", { class: "small soft" }, text)] : null;
	}

	open(t("board.find"), h("label", {}, t("board.find_label"), field), () => {
		if (!number) find();
		return list;
	});
}
