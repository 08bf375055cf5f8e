// Shared by the set-up pages: head, foot, choosing a game, saying what the table answered.

import { $, h, show } from "./dom.js";
import { t } from "./words.js";
import { get } from "./net.js";
import { languageButtons } from "./dialogs.js";

/** Draws a set-up page: title, lead, a note (its room is kept while empty; null: none ever comes), then its parts. */
export function page(title, lead, note, ...parts) {
	show(
		$("sheet"),
		h(
			"header",
			{ class: "hero" },
			h("div", {}, h("h1", {}, title), h("p", { class: "soft" }, lead)),
			languageButtons(""),
		),
		h("p", { class: note ? "card note" : note === null ? "unseen" : "noteroom", role: "status" }, note || ""),
		parts,
		h(
			"div",
			{ class: "row" },
			h("a", { class: "button", href: "/setup" }, t("setup.title")),
			h("a", { class: "button", href: "/" }, t("menu.start")),
		),
	);
}

export async function overview() {
	const answer = await get("/api/setup");
	return answer.ok
		? answer.data
		: { games: [], game: "", ready: false, may_change: false, note: answer.error.sentence };
}

/** Buttons to choose one of several games; nothing where there is only one. */
export function gameButtons(games, chosen, choose) {
	if (games.length < 2) return null;
	return h(
		"div",
		{ class: "options roomy" },
		games.map((game) =>
			h(
				"button",
				{
					class: "option",
					"data-key": `game-${game.id}`,
					"aria-pressed": String(game.id === chosen),
					onclick: () => choose(game.id),
				},
				game.title,
			),
		),
	);
}

/** A picture of the tray that renews itself: the next is asked for once this one is there. */
export function livePicture() {
	const image = h("img", { class: "live", alt: t("camera.live"), width: 720, height: 540 });
	const lost = h("p", { class: "soft", hidden: true }, t("camera.no_picture"));
	let number = 0;
	const next = () => {
		number += 1;
		image.src = `/setup/live.jpg?n=${number}`;
	};
	const later = (pause) => setTimeout(() => (document.visibilityState === "visible" ? next() : later(500)), pause);
	image.addEventListener("load", () => {
		lost.hidden = true;
		image.hidden = false;
		later(250);
	});
	image.addEventListener("error", () => {
		lost.hidden = false;
		image.hidden = true;
		later(2000);
	});
	next();
	return h("div", { class: "stack" }, image, lost);
}
