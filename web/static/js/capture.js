// A board is captured from a photograph: corners, areas, what touches what, what is printed there.

import { h, s, press } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get, post } from "./net.js";
import { gameButtons, overview, page } from "./sheet.js";

const LONGEST = 1500; // pixels of a photograph's longer side; the table takes a megabyte
const UNIT = 1000;

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
	const answer = await post(`${path()}/${what}`, data);
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

// --- the corners ----------------------------------------------------------------------------------------

/** Where an event lies in an SVG, in its own units. */
function where(svg, event) {
	const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
	return [point.x, point.y];
}

function corners() {
	const [width, height] = cap.photo;
	const size = Math.max(width, height);
	const quad = s("polygon", { class: "capture-quad" });
	const svg = s("svg", {
		class: "capture-photo",
		viewBox: `0 0 ${width} ${height}`,
		role: "img",
		"aria-label": t("capture.photo"),
	});
	svg.append(s("image", { href: picture("photo"), width, height }), quad);
	const now = cap.corners.map(([x, y]) => [x * width, y * height]);
	const outline = () => quad.setAttribute("points", now.map((one) => one.join(",")).join(" "));
	now.forEach(([x, y], number) => {
		const handle = s("circle", {
			class: "capture-corner",
			cx: x,
			cy: y,
			r: size * 0.028,
			tabindex: "0",
			role: "button",
			"data-key": `corner-${number}`,
			"aria-label": t("capture.corner", { number: number + 1 }),
		});
		const move = (to) => {
			const [px, py] = to;
			now[number] = [Math.min(width, Math.max(0, px)), Math.min(height, Math.max(0, py))];
			handle.setAttribute("cx", now[number][0]);
			handle.setAttribute("cy", now[number][1]);
			outline();
		};
		handle.addEventListener("pointerdown", (event) => {
			handle.setPointerCapture(event.pointerId);
			handle.onpointermove = (moved) => move(where(svg, moved));
			handle.onpointerup = () => {
				handle.onpointermove = null;
			};
		});
		handle.addEventListener("keydown", (event) => {
			const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
			if (!by) return;
			event.preventDefault();
			move([now[number][0] + by[0] * size * 0.004, now[number][1] + by[1] * size * 0.004]);
		});
		svg.append(handle);
	});
	outline();
	return h(
		"section",
		{ class: "panel" },
		h("h2", {}, t("capture.corners")),
		h("p", {}, t("capture.corners_text")),
		h("div", { class: "capture-box" }, svg),
		h(
			"button",
			{
				class: "main",
				"data-key": "corners-right",
				onclick: () => {
					squared = true;
					version += 1;
					const told = now.map(([x, y]) => [x / width, y / height]);
					const same = told.every(([x, y], n) => Math.hypot(x - cap.corners[n][0], y - cap.corners[n][1]) < 0.001);
					return same ? draw() : step({ do: "corners", corners: told });
				},
			},
			t("capture.corners_right"),
		),
	);
}

// --- the areas ------------------------------------------------------------------------------------------

const groupName = (id) => cap.form.groups.find((one) => one.id === id)?.name || t("capture.nothing");
const markOf = (id) => cap.form.marks.find((one) => one.id === id);
const valueName = (mark, id) =>
	mark.values.find((one) => one.id === id)?.name || cap.form.groups.find((one) => one.id === id)?.name || "";

function areaLabel(area) {
	const marks = area.marks.map((one) => markOf(one).name);
	return [area.name || `${groupName(area.group)} ${area.id}`, ...marks].join(", ");
}

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
	const mark = markOf(tool.mark);
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

function board() {
	const svg = s("svg", {
		class: "capture-board",
		viewBox: `0 0 ${UNIT} ${UNIT}`,
		role: "group",
		"aria-label": t("capture.areas"),
	});
	const back = s("image", { href: picture("flat"), width: UNIT, height: UNIT });
	back.addEventListener("click", (event) => tapped(null, where(svg, event)));
	svg.append(back);
	const doubtful = new Set(cap.doubts.flatMap((one) => (one.kind === "area" || one.kind === "group" ? one.areas : [])));
	for (const area of cap.areas) {
		const classes = ["capture-area"];
		if (picks.some((one) => one?.id === area.id) || lit.includes(area.id)) classes.push("picked");
		if (doubtful.has(area.id)) classes.push("doubtful");
		const shape = s("polygon", {
			class: classes.join(" "),
			points: area.outline.map((one) => one.join(",")).join(" "),
			tabindex: "0",
			role: "button",
			"data-key": `area-${area.id}`,
			"aria-label": areaLabel(area),
		});
		press(shape, (event) => tapped(area, event.type === "click" ? where(svg, event) : area.at));
		if (tool.kind === "paint") dragging(svg, shape, area);
		svg.append(shape);
	}
	const middle = Object.fromEntries(cap.areas.map((one) => [one.id, one.at]));
	if (["touch", "doubts"].includes(tool.kind))
		for (const [a, b] of cap.joins)
			svg.append(
				s("line", { class: "capture-join", x1: middle[a][0], y1: middle[a][1], x2: middle[b][0], y2: middle[b][1] }),
			);
	for (const area of cap.areas)
		svg.append(
			s("text", { class: "capture-name", x: area.at[0], y: area.at[1] }, area.name || groupName(area.group)),
			s(
				"text",
				{ class: "capture-name small", x: area.at[0], y: area.at[1] + 26 },
				area.marks.map((one) => markOf(one).name).join(" · "),
			),
		);
	cap.points.forEach((point, number) => svg.append(pointSign(point, number, middle)));
	for (const doubt of cap.doubts) svg.append(doubtSign(doubt));
	return h("div", { class: "capture-box" }, svg);
}

/** A border is dragged: what the finger goes over belongs to the area where it began. */
function dragging(svg, shape, area) {
	shape.addEventListener("pointerdown", (event) => {
		shape.setPointerCapture(event.pointerId);
		const way = [where(svg, event)];
		shape.onpointermove = (moved) => way.push(where(svg, moved));
		shape.onpointerup = () => {
			shape.onpointermove = null;
			const thin = way.filter((_, n) => n % Math.ceil(way.length / 150) === 0);
			const inside = (one) => Math.min(1, Math.max(0, one / UNIT));
			if (way.length > 2) step({ do: "paint", area: area.id, path: thin.map(([x, y]) => [inside(x), inside(y)]) });
		};
	});
}

/** Room for a finger round a sign. */
const hit = ([x, y]) => s("rect", { class: "capture-hit", x: x - 36, y: y - 36, width: 72, height: 72 });

function pointSign(point, number, middle) {
	const mark = markOf(point.mark);
	const label = [mark.name, valueName(mark, point.value)].filter(Boolean).join(" ");
	const chosen = tool.kind === "beside" && tool.point === number;
	const sign = s("g", {
		class: chosen ? "capture-point picked" : "capture-point",
		tabindex: "0",
		role: "button",
		"aria-label": label,
		"data-key": `point-${number}`,
	});
	if (chosen || tool.mark === point.mark)
		for (const id of point.beside)
			sign.append(s("line", { x1: point.at[0], y1: point.at[1], x2: middle[id][0], y2: middle[id][1] }));
	sign.append(
		hit(point.at),
		s("circle", { cx: point.at[0], cy: point.at[1], r: 20 }),
		s("text", { x: point.at[0], y: point.at[1] }, label.slice(0, 1) + (point.value ? label.slice(-1) : "")),
	);
	press(sign, () => {
		tool = { kind: "beside", point: number };
		draw();
	});
	return sign;
}

function doubtSign(doubt) {
	const sign = s("g", {
		class: "capture-doubt",
		tabindex: "0",
		role: "button",
		"aria-label": doubt.text,
		"data-key": `doubt-${doubt.kind}-${doubt.areas.join("-")}`,
	});
	sign.append(
		hit(doubt.at),
		s("circle", { cx: doubt.at[0], cy: doubt.at[1], r: 18 }),
		s("text", { x: doubt.at[0], y: doubt.at[1] }, "?"),
	);
	press(sign, () => {
		tool = { kind: "doubts" };
		picks = doubt.areas.map((id) => cap.areas.find((one) => one.id === id));
		asked = doubt;
		draw();
	});
	return sign;
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

const areaNames = (doubt) => doubt.areas.map((id) => areaLabel(cap.areas.find((one) => one.id === id))).join(" – ");

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
		const mark = markOf(tool.mark);
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

function capture() {
	if (!squared) return corners();
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
