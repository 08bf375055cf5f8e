// Shapes of the board: land, lines, marks, pieces and markers. Drawn from data; nothing here knows a game.

import { s } from "./dom.js";

const GLYPHS = {
  mountain: "M-14 8 L-5 -8 L2 3 L6 -3 L14 8",
  hill: "M-14 6 Q-7 -8 0 5 Q6 -4 13 6",
  swamp: "M-13 -3 q4 -4 8 0 t8 0 t8 0 M-13 4 q4 -4 8 0 t8 0 t8 0",
  ruins: "M-11 8 V-5 H-5 V0 H0 V-8 H6 V-2 H11 V8",
  forest: "M-8 8 V3 L-14 3 L-8 -9 L-2 3 L-8 3 M7 8 V3 L1 3 L7 -9 L13 3 L7 3",
};
export const TAGS = { settlement: "⌂", fortification: "▣", mustering: "⚑", stronghold: "♜", city: "⌂", town: "∘" };
const DROP = "M0 -12 C7 -3 10 1 10 5 A10 10 0 0 1 -10 5 C-10 1 -7 -3 0 -12 Z";
const STAR = "M0 -13 L4 -4 L13 -4 L6 2 L8.5 12 L0 6 L-8.5 12 L-6 2 L-13 -4 L-4 -4 Z";
const FLAG = "M-8 12 V-12 L10 -7 L-6 -1 V12 Z";
const SQUARE = "M-10 -10 H10 V10 H-10 Z";

/** Round for the first seat, cut corners for the second, square and slanted after that: not by colour alone. */
const SHAPES = ["M-12 -14 H12 A14 14 0 0 1 12 14 H-12 A14 14 0 0 1 -12 -14 Z", "M-14 -13 H14 L22 0 L14 13 H-14 L-22 0 Z",
  "M-21 -13 H21 V13 H-21 Z", "M-15 -13 H22 L15 13 H-22 Z"];
const ROUND = [19, 19, 19, 18, 16, 14, 12]; // size of the letters by their number
const POINTED = [19, 19, 19, 15, 13, 11, 10];

export const path = (points, close) => `M${points.map((p) => `${p[0]} ${p[1]}`).join("L")}${close ? "Z" : ""}`;

/** Land and the lines between. */
export function ground(data, unit) {
  const land = s("g", { "aria-hidden": "true" });
  for (const place of Object.values(data.places)) {
    const kind = place.kind === "region" || place.terrain === "water" ? place.terrain : place.kind;
    land.append(s("path", { d: path(place.outline, true), class: `land ${kind}` }));
  }
  for (const line of data.lines) {
    if (line.kind === "ford") land.append(ford(data, line, unit));
    else if (line.points.length > 1) land.append(s("path", { d: path(line.points, false), class: `line ${line.kind}` }));
  }
  return land;
}

/** A ford: two triangles that face each other across the river. */
function ford(data, line, unit) {
  const [a, b] = line.between.map((id) => data.places[id].label);
  const [x, y] = line.points[Math.floor(line.points.length / 2)];
  const turn = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
  return s("path", { d: "M-3 0 L-19 -11 V11 Z M3 0 L19 -11 V11 Z", class: "ford", transform: `translate(${x} ${y}) rotate(${turn}) scale(${unit})` });
}

/** What is printed at a place: ring of its territory, terrain, marks; null where there is nothing. */
export function printed(data, place) {
  if (place.kind === "rock") return null;
  const group = s("g", { class: "printed" });
  const ring = data.territories[place.territory]?.colour;
  if (place.kind === "region") {
    if (ring) group.append(s("circle", { cy: -26, r: 19, class: `ring ${ring}` }));
    if (GLYPHS[place.terrain]) group.append(s("path", { d: GLYPHS[place.terrain], class: "glyph", transform: "translate(0 -26)" }));
  }
  const text = place.tags.map((tag) => TAGS[tag]).filter(Boolean).join(" ");
  if (text) group.append(s("text", { y: -40, class: "tag" }, text));
  return group.childNodes.length ? group : null;
}

export function seatClass(seats, seat) {
  const index = seats.indexOf(seat);
  return index < 0 ? "fill-none" : `fill-seat-${Math.min(index, 3)}`;
}

function chip(seats, seat, text, x, y, character) {
  const index = Math.max(0, Math.min(seats.indexOf(seat), 3));
  const size = (index % 2 ? POINTED : ROUND)[Math.min(String(text).length, 6)];
  return s("g", { class: `piece ${character ? "character" : "unit"}`, transform: `translate(${x} ${y})` },
    s("path", { d: SHAPES[index], class: `stack-shape ${seatClass(seats, seat)}` }), s("text", { "font-size": size }, text));
}

function marker(seats, one, x, y) {
  const known = { damage: DROP, leadership: STAR, control: FLAG }[one.id];
  const kind = one.id === "damage" || one.id === "leadership" ? one.id : "other";
  const group = s("g", { class: `marker ${kind}`, transform: `translate(${x} ${y})` });
  const shape = s("path", { d: known || SQUARE });
  if (one.id === "control") shape.setAttribute("class", seatClass(seats, one.seat));
  group.append(shape);
  if (one.id !== "control") {
    const text = kind !== "other" ? one.count : one.count > 1 ? `${one.name[0]}${one.count}` : one.name[0];
    group.append(s("text", { y: 1 }, text));
  }
  return group;
}

/** Figures and markers around (0, 0): {nodes, top, bottom, half}; `half` is half their width. */
export function stack(seats, content) {
  const pieces = content.pieces || [];
  const markers = content.markers || [];
  const perRow = pieces.length > 4 ? 3 : 2;
  const rows = Math.ceil(pieces.length / perRow);
  const nodes = pieces.map((piece, index) => {
    const row = Math.floor(index / perRow);
    const inRow = Math.min(perRow, pieces.length - row * perRow);
    const character = piece.kind === "character";
    const text = character || piece.count === 1 ? piece.short : `${piece.count}${piece.short}`;
    return chip(seats, piece.seat, text, ((index % perRow) - (inRow - 1) / 2) * 50, (row - (rows - 1) / 2) * 30, character);
  });
  let bottom = rows * 15;
  const top = markers.length && !rows ? -13 : -bottom;
  markers.forEach((one, index) => nodes.push(marker(seats, one, (index - (markers.length - 1) / 2) * 27, rows ? bottom + 12 : 0)));
  if (markers.length) bottom += rows ? 25 : 13;
  return { nodes, top, bottom, half: Math.max(Math.min(perRow, pieces.length) * 25, markers.length * 14) };
}

/** From afar: one figure a side with the number of its units; a gold rim where a character is among them. */
export function sketch(seats, content) {
  const sides = new Map();
  for (const piece of content.pieces || []) {
    const side = sides.get(piece.seat) || { units: 0, characters: 0 };
    side[piece.kind === "character" ? "characters" : "units"] += piece.count;
    sides.set(piece.seat, side);
  }
  const list = [...sides];
  const nodes = list.map(([seat, side], index) => chip(seats, seat, side.units || "★", 0, (index - (list.length - 1) / 2) * 30, side.characters > 0));
  const control = (content.markers || []).filter((one) => one.id === "control" || (!list.length && one.id !== "control")).slice(0, 1);
  for (const one of control) nodes.push(marker(seats, one, list.length ? 26 : 0, 0));
  const rows = list.length || (control.length ? 1 : 0);
  return { nodes, top: -15 * rows, bottom: 15 * rows, half: nodes.length ? 22 : 0 };
}
