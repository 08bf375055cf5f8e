// A board is captured from a photograph: corners, areas, what touches what, what is printed there.

import { areaLabel, captureBoard, markOf, UNIT } from "./captureboard.js";
import { corners } from "./capturecorners.js";
import { h } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get, post, READING } from "./net.js";
import { gameButtons, overview, page } from "./sheet.js";

const LONGEST = 1500; // pixels of a photograph's longer side; the table takes a megabyte

await pageReady();
const setup = await overview();
let games = [];
let game = null;
let form = null;
let name = "";
let note = setup.note || "";
let cap = null; // the capture as the table tells it
let squared = false; // the corners have been looked at
let tool = { kind: "doubts" };
let picks = []; // areas or points that a tool waits for
let lit = []; // areas that a trouble is about
let version = 0; // pictures are fetched anew after each change of corners
let busy = false;

const path = () => `/api/setup/capture/${game.id}/${form.id}/${encodeURIComponent(name)}`;
const picture = (which) => `/setup/capture/${game.id}/${form.id}/${encodeURIComponent(name)}/${which}.jpg?v=${version}`;

async function load() {
	const answer = await get("/api/setup/capture");
	if (!answer.ok) {
		note = answer.error.sentence;
		return;
	}
	games = answer.data.games;
	game = games.find((one) => one.id === game?.id) || games[0] || null;
	form = game?.forms.find((one) => one.id === form?.id) || game?.forms[0] || null;
}

async function act(what, data = {}) {
	if (busy) return;
	busy = true;
	const answer = await post(`${path()}/${what}`, data, READING);
	busy = false;
	note = answer.ok ? "" : answer.error.sentence;
	if (answer.ok) {
		cap = answer.data;
		if (cap.digest) note = t("capture.kept", { name, digest: cap.digest.slice(0, 12) });
	}
	picks = [];
	lit = [];
	draw();
}

const step = (data) => act("step", { step: data });

/** The photograph as base64, no larger than the table takes. */
async function small(file) {
	const bitmap = await createImageBitmap(file);
	const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
	const canvas = document.createElement("canvas");
	canvas.width = Math.round(bitmap.width * scale);
	canvas.height = Math.round(bitmap.height * scale);
	canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
	return canvas.toDataURL("image/jpeg", 0.85).split(",")[1];
}

async function begin(file) {
	try {
		const data = await small(file);
		version += 1;
		squared = false;
		tool = { kind: "doubts" };
		await act("begin", { picture: data });
	} catch {
		note = t("capture.no_picture");
		draw();
	}
}

async function goOn() {
	const answer = await get(path());
	note = answer.ok ? "" : answer.error.sentence;
	cap = answer.ok ? answer.data : null;
	squared = Boolean(cap?.corners_done);
	version += 1;
	draw();
}

// --- choosing what is captured --------------------------------------------------------------------------

function chooser() {
	if (!games.length) return h("p", { class: "panel" }, t("capture.no_game"));
	const file = h("input", {
		type: "file",
		accept: "image/*",
		capture: "environment",
		"data-key": "capture-file",
		disabled: !name,
		onchange: (event) => event.target.files[0] && begin(event.target.files[0]),
	});
	return h(
		"section",
		{ class: "panel" },
		gameButtons(games, game.id, (id) => {
			game = games.find((one) => one.id === id);
			form = game.forms[0];
			cap = null;
			draw();
		}),
		options(t("capture.what"), game.forms, form.id, "form", (one) => {
			form = one;
			cap = null;
			draw();
		}),
		h(
			"label",
			{},
			t("capture.name"),
			h("input", {
				type: "text",
				maxlength: "40",
				autocomplete: "off",
				value: name,
				"data-key": "capture-name",
				onchange: (event) => {
					name = event.target.value.trim().replace(/\s+/g, "_");
					cap = null;
					draw();
				},
			}),
		),
		game.boards.length ? h("p", { class: "small soft" }, t("capture.known", { names: game.boards.join(", ") })) : null,
		h("label", {}, t("capture.take"), file),
		h("p", { class: "small soft" }, t("capture.stays")),
		h("button", { "data-key": "capture-go-on", disabled: !name, onclick: goOn }, t("capture.go_on")),
	);
}

function options(label, list, chosen, key, choose) {
	return h(
		"div",
		{ class: "options", role: "group", "aria-label": label },
		list.map((one) =>
			h(
				"button",
				{
					class: "option",
					"data-key": `${key}-${one.id}`,
					"aria-pressed": String(one.id === chosen),
					onclick: () => choose(one),
				},
				one.name,
			),
		),
	);
}

// --- the areas ------------------------------------------------------------------------------------------

/** What a tap on an area does with the tool that is chosen. */
function tapped(area, at) {
	const share = [at[0] / UNIT, at[1] / UNIT];
	const two = (then) => {
		picks.push(area);
		return picks.length < 2 ? draw() : then(picks[0], picks[1]);
	};
	switch (tool.kind) {
		case "group":
			return area ? step({ do: "group", area: area.id, group: tool.value }) : null;
		case "mark":
			return area ? step({ do: "mark", area: area.id, mark: tool.mark }) : null;
		case "place":
			return placed(share);
		case "beside":
			return area ? step({ do: "beside", point: tool.point, area: area.id }) : null;
		case "touch":
			return area ? two((a, b) => step({ do: "touch", areas: [a.id, b.id], joined: !joined(a.id, b.id) })) : null;
		case "merge":
			return area ? two((a, b) => step({ do: "merge", areas: [a.id, b.id] })) : null;
		case "split":
			picks.push({ ...area, point: share });
			if (picks.length < 2) return draw();
			return step({ do: "split", area: picks[0].id, points: picks.map((one) => one.point) });
		case "rock":
			return area ? step({ do: "rock", area: area.id }) : step({ do: "area", at: share });
		case "name":
			return area ? naming(area) : null;
		default:
			return null;
	}
}

const joined = (a, b) => cap.joins.some((pair) => pair.includes(a) && pair.includes(b));

async function placed(share) {
	const mark = markOf(cap, tool.mark);
	await step({ do: "place", mark: mark.id, value: tool.value, at: share });
	if (mark.where !== "group" || note) return;
	const rest = cap.form.groups.filter((one) => !cap.points.some((p) => p.mark === mark.id && p.value === one.id));
	if (rest.length) tool = { ...tool, value: rest[0].id };
	draw();
}

let named = null;
function naming(area) {
	named = area;
	draw();
}

// --- tools ----------------------------------------------------------------------------------------------

let asked = null; // the doubtful spot that is looked at

function doubts() {
	const doubt =
		cap.doubts.find((one) => one.kind === asked?.kind && String(one.at) === String(asked.at)) || cap.doubts[0];
	if (!doubt) return h("p", {}, t("capture.no_doubts"));
	const areas = doubt.areas;
	const share = [doubt.at[0] / UNIT, doubt.at[1] / UNIT];
	const answers = {
		touch: [
			["yes", () => step({ do: "touch", areas, joined: true })],
			["no", () => step({ do: "touch", areas, joined: false })],
		],
		one: [
			["yes", () => step({ do: "merge", areas })],
			["no", () => step({ do: "sure", areas })],
		],
		stone: [
			["yes", () => step({ do: "area", at: share })],
			["no", () => step({ do: "stone", at: share })],
		],
		area: [
			["yes", () => step({ do: "sure", areas })],
			["no", () => step({ do: "rock", area: areas[0] })],
		],
		group: cap.form.groups.map((one) => [one.name, () => step({ do: "group", area: areas[0], group: one.id })]),
	}[doubt.kind];
	return h(
		"div",
		{ class: "stack", "data-doubt": doubt.kind },
		h("p", {}, h("b", {}, t("capture.doubts", { count: cap.doubts.length })), " ", doubt.text, " ", areaNames(doubt)),
		h(
			"div",
			{ class: "row" },
			answers.map(([answer, then]) =>
				h(
					"button",
					{ "data-key": `doubt-${answer}`, onclick: then },
					["yes", "no"].includes(answer) ? t(`capture.${answer}`) : answer,
				),
			),
			h(
				"button",
				{
					class: "quiet",
					"data-key": "doubt-next",
					onclick: () => {
						asked = cap.doubts[(cap.doubts.indexOf(doubt) + 1) % cap.doubts.length];
						picks = asked.areas.map((id) => cap.areas.find((one) => one.id === id));
						draw();
					},
				},
				t("capture.next"),
			),
		),
	);
}

const areaNames = (doubt) =>
	doubt.areas
		.map((id) =>
			areaLabel(
				cap,
				cap.areas.find((one) => one.id === id),
			),
		)
		.join(" – ");

function tools() {
	const marks = cap.form.marks;
	const list = [
		{ id: "doubts", name: t("capture.tool_doubts", { count: cap.doubts.length }), kind: "doubts" },
		...cap.form.groups.map((one) => ({ id: `group-${one.id}`, name: one.name, kind: "group", value: one.id })),
		...marks.map((one) => ({
			id: `mark-${one.id}`,
			name: one.name,
			kind: one.where === "area" ? "mark" : "place",
			mark: one.id,
			value: one.where === "group" ? cap.form.groups[0].id : one.values[0]?.id || "",
		})),
		...["touch", "merge", "split", "paint", "rock", ...(cap.form.named ? ["name"] : [])].map((one) => ({
			id: one,
			name: t(`capture.tool_${one}`),
			kind: one,
		})),
	];
	const chosen = list.find(
		(one) => one.kind === tool.kind && one.mark === tool.mark && (one.kind !== "group" || one.value === tool.value),
	);
	return [
		options(t("capture.tools"), list, chosen?.id, "tool", (one) => {
			tool = one;
			picks = [];
			named = null;
			draw();
		}),
		detail(),
	];
}

/** What the chosen tool wants. */
function detail() {
	if (tool.kind === "doubts") return doubts();
	if (tool.kind === "place") {
		const mark = markOf(cap, tool.mark);
		const values = mark.where === "group" ? cap.form.groups : mark.values;
		const counted = (one) => cap.points.filter((p) => p.mark === mark.id && p.value === one.id).length;
		const list = values.map((one) => ({ id: one.id, name: `${one.name} (${counted(one)})` }));
		return h(
			"div",
			{ class: "stack" },
			list.length
				? options(mark.name, list, tool.value, "value", (one) => {
						tool = { ...tool, value: one.id };
						draw();
					})
				: null,
			h("p", {}, t("capture.tap_point")),
		);
	}
	if (tool.kind === "beside")
		return h(
			"div",
			{ class: "row" },
			h("p", {}, t("capture.tap_beside")),
			h("button", { class: "danger", "data-key": "lift", onclick: () => lift(tool.point) }, t("capture.lift")),
		);
	if (tool.kind === "name" && named)
		return h(
			"label",
			{},
			t("capture.area_name"),
			h("input", {
				type: "text",
				maxlength: "40",
				autocomplete: "off",
				value: named.name,
				"data-key": "area-name",
				onchange: (event) => step({ do: "name", area: named.id, name: event.target.value }),
			}),
		);
	return h("p", {}, t(`capture.tap_${tool.kind}`));
}

function lift(point) {
	tool = { kind: "doubts" };
	return step({ do: "lift", point });
}

function numbers() {
	return cap.form.numbers.map((one) =>
		h(
			"label",
			{},
			one.name,
			h("input", {
				type: "text",
				inputmode: "numeric",
				maxlength: "60",
				autocomplete: "off",
				value: (cap.numbers[one.id] || []).join(", "),
				"data-key": `numbers-${one.id}`,
				onchange: (event) =>
					step({ do: "numbers", id: one.id, values: (event.target.value.match(/\d+/g) || []).map(Number) }),
			}),
		),
	);
}

function troubles() {
	if (!cap.troubles.length) return h("p", { class: "card" }, t("capture.complete"));
	return h(
		"details",
		{ class: "no", open: cap.troubles.length < 6 },
		h("summary", { "data-key": "troubles" }, t("capture.missing", { count: cap.troubles.length })),
		h(
			"div",
			{ class: "options long" },
			cap.troubles.map((one, number) =>
				h(
					"button",
					{
						class: "option",
						"data-key": `trouble-${number}`,
						onclick: () => {
							lit = one.areas;
							draw();
						},
					},
					one.text,
				),
			),
		),
	);
}

function board() {
	return captureBoard(
		cap,
		{ tool, picks, lit, flat: picture("flat") },
		{
			tap: tapped,
			paint: (area, way) => step({ do: "paint", area: area.id, path: way }),
			point: (number) => {
				tool = { kind: "beside", point: number };
				draw();
			},
			doubt: (doubt) => {
				tool = { kind: "doubts" };
				picks = doubt.areas.map((id) => cap.areas.find((one) => one.id === id));
				asked = doubt;
				draw();
			},
		},
	);
}

function cornered(told, moved) {
	squared = true;
	version += 1;
	return moved ? step({ do: "corners", corners: told }) : draw();
}

function capture() {
	if (!squared) return corners(cap, picture("photo"), cornered);
	return h(
		"section",
		{ class: "panel capture" },
		board(),
		h("div", { class: "stack" }, tools(), numbers(), troubles()),
		h(
			"div",
			{ class: "row" },
			h("button", { "data-key": "capture-back", disabled: !cap.steps, onclick: () => act("back") }, t("ask.back")),
			h(
				"button",
				{
					class: "main",
					"data-key": "capture-finish",
					disabled: cap.troubles.length > 0,
					onclick: () => act("finish"),
				},
				t("capture.finish"),
			),
		),
	);
}

function draw() {
	page(t("capture.title"), t("capture.lead"), note, chooser(), cap ? capture() : null);
}

await load();
draw();
