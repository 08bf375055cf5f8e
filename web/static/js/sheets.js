// Surfaces beside the board: tableaus, wheels, rows of cards. Their cells are tapped like places, with a finger or by
// keys.

import { h } from "./dom.js";
import { seatClass, seatMark } from "./looks.js";
import { signCells } from "./signs.js";
import { t } from "./words.js";

const AROUND = 2 * Math.PI;

/** All cells of a view: {id: cell}. */
export function cellsOf(view) {
	const cells = {};
	for (const sheet of view.sheets || []) for (const cell of sheet.cells) cells[cell.id] = cell;
	return cells;
}

const MANY = 7; // sheets, from which their names lie in two lines and are pushed sideways

export class Sheets {
	/** `game`: {tapped(cell), changed()} of the page. */
	constructor(game) {
		this.game = game;
		this.open = null; // what a person chose to see: a sheet, or "" for the board
		this.at = null; // at which step of which question; the next one shows what it is about
	}

	/** Which sheet is over the board now: the one that was opened, or the one that the question is about. */
	shown(view, targets, question) {
		const sheets = view.sheets || [];
		const find = (id) => sheets.find((sheet) => sheet.id === id) || null;
		if (this.open !== null && this.at === question) return find(this.open);
		return sheets.find((sheet) => sheet.cells.some((cell) => targets[cell.id] && !targets[cell.id].refused)) || null;
	}

	choose(id, question) {
		[this.open, this.at] = [id, question];
		this.game.changed();
	}

	/** The button beside the zoom; null where the game has no sheets. */
	button(view, question) {
		const sheets = view.sheets || [];
		if (!sheets.length) return null;
		return h(
			"button",
			{
				"data-key": "sheets",
				"aria-label": t("sheets.title"),
				title: t("sheets.title"),
				onclick: () => this.choose(document.querySelector(".sheets") ? "" : sheets[0].id, question),
			},
			h("span", { "aria-hidden": "true" }, "▣"),
		);
	}

	/** The sheet over the board, with the others a tap away. */
	draw(sheet, view, { targets, chosen, lights, question }) {
		const tabs = view.sheets.map((one) =>
			h(
				"button",
				{
					class: "chip",
					"data-key": `sheet-${one.id}`,
					"aria-pressed": String(one.id === sheet.id),
					onclick: () => this.choose(one.id, question),
				},
				one.seat ? seatMark(one.seat) : null,
				one.title,
			),
		);
		const cells = sheet.cells.map((cell) =>
			this.cell(cell, targets[cell.id], chosen.includes(cell.id), lights[cell.id]),
		);
		const body = h(
			"div",
			{
				class: `cells ${sheet.kind} ${seatClass(sheet.seat)}`,
				role: "group",
				"aria-label": sheet.title,
				onkeydown: (event) => walk(event, cells, sheet),
			},
			cells,
		);
		if (sheet.kind === "grid") body.style.setProperty("--columns", sheet.columns);
		if (sheet.kind === "ring") place(cells);
		return h(
			"div",
			{ class: "sheets", "data-sheet": sheet.id },
			h(
				"div",
				{ class: `tabs ${tabs.length > MANY ? "many" : ""}`, role: "group", "aria-label": t("sheets.title") },
				h(
					"button",
					{
						class: "chip",
						"data-key": "sheet-board",
						"aria-pressed": "false",
						onclick: () => this.choose("", question),
					},
					t("sheets.board"),
				),
				tabs,
			),
			body,
		);
	}

	cell(cell, target, isChosen, light) {
		const state = isChosen ? "chosen" : target ? (target.refused ? "cannot" : "can") : "";
		const pieces = cell.pieces.map((piece) =>
			h(
				"span",
				{ class: `pawn ${seatClass(piece.seat, "of-seat")}` },
				piece.count > 1 ? `${piece.count}${piece.short}` : piece.short,
			),
		);
		const markers = cell.markers.map((one) =>
			h("span", { class: "pawn" }, one.count > 1 ? `${one.name[0]}${one.count}` : one.name[0]),
		);
		const things = [...cell.pieces, ...cell.markers].map((one) => `${one.count} × ${one.name}`);
		const what = [cell.text && cell.text !== cell.name ? cell.text : "", ...things].filter(Boolean).join(", ");
		const says = [
			cell.name,
			what || (cell.text ? "" : t("sheets.empty")),
			isChosen ? t("sheets.chosen") : "",
			target ? t(target.refused ? "board.cannot" : "board.can") : "",
			light?.text,
		];
		const node = h(
			"button",
			{
				class: `cell ${state} ${light ? `lit ${light.pattern}` : ""} ${cell.seat ? seatClass(cell.seat) : ""}`,
				"data-place": cell.id,
				"data-key": `p-${cell.id}`,
				"aria-label": says.filter(Boolean).join(", "),
				tabindex: target || isChosen ? "0" : "-1",
				onclick: () => this.game.tapped(cell.id),
			},
			h("span", { class: "cell-name" }, cell.name),
			cell.text && cell.text !== cell.name ? printed(cell) : null,
			pieces,
			markers,
		);
		if (light) node.style.setProperty("--lit", light.colour);
		return node;
	}
}

/** What a cell says: the first thing in bold, what stands behind a dot each in a line of its own. */
const lines = (text) => text.split(" · ").map((one, at) => h(at ? "span" : "b", { class: at ? "more" : "" }, one));

/** What is printed on a cell: its sign with the word for it, or what it says. */
const printed = (cell) =>
	cell.sign?.some(Boolean)
		? h("span", { class: "signed" }, signCells([cell.sign], 32), h("b", {}, cell.text))
		: lines(cell.text);

/** Cells of a ring in a circle, the first at the top. */
function place(cells) {
	cells.forEach((node, index) => {
		const angle = (index / cells.length) * AROUND;
		node.style.setProperty("left", `${(50 + 38 * Math.sin(angle)).toFixed(2)}%`);
		node.style.setProperty("top", `${(50 - 41 * Math.cos(angle)).toFixed(2)}%`);
	});
}

/** Arrow keys go from cell to cell: along a row, up and down in a grid, round a ring. */
function walk(event, cells, sheet) {
	const at = cells.indexOf(document.activeElement);
	const down = sheet.kind === "grid" ? sheet.columns : 1;
	const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: down, ArrowUp: -down }[event.key];
	if (at < 0 || !step) return;
	event.preventDefault();
	const next = sheet.kind === "ring" ? (at + step + cells.length) % cells.length : at + step;
	cells[next]?.focus();
}
