// The board: drawn once from data, then stacks, lights and what may be tapped are put on it.

import { s, show, press } from "./dom.js";
import { t } from "./words.js";

const GLYPHS = {
  mountain: "M-14 8 L-5 -8 L2 3 L6 -3 L14 8",
  hill: "M-14 6 Q-7 -8 0 5 Q6 -4 13 6",
  swamp: "M-13 -3 q4 -4 8 0 t8 0 t8 0 M-13 4 q4 -4 8 0 t8 0 t8 0",
  ruins: "M-11 8 V-5 H-5 V0 H0 V-8 H6 V-2 H11 V8",
  forest: "M-8 8 V3 L-14 3 L-8 -9 L-2 3 L-8 3 M7 8 V3 L1 3 L7 -9 L13 3 L7 3",
};
const TAGS = { settlement: "⌂", fortification: "▣", mustering: "⚑", stronghold: "▣", city: "⌂", town: "⌂" };
const DROP = "M0 -12 C7 -3 10 1 10 5 A10 10 0 0 1 -10 5 C-10 1 -7 -3 0 -12 Z";
const STAR = "M0 -13 L4 -4 L13 -4 L6 2 L8.5 12 L0 6 L-8.5 12 L-6 2 L-13 -4 L-4 -4 Z";
const FLAG = "M-8 12 V-12 L10 -7 L-6 -1 V12 Z";
const SQUARE = "M-10 -10 H10 V10 H-10 Z";

const path = (points, close) => `M${points.map((p) => `${p[0]} ${p[1]}`).join("L")}${close ? "Z" : ""}`;

/** Two lines of about the same length. */
function split(words) {
  const total = words.join(" ").length;
  let first = [];
  while (words.length > first.length + 1 && [...first, words[first.length]].join(" ").length <= total / 2 + 2) first = words.slice(0, first.length + 1);
  if (!first.length) first = words.slice(0, 1);
  return [first.join(" "), words.slice(first.length).join(" ")];
}

export class Board {
  /** `data`: the board as JSON; `seats`: seat ids in order; `tap(place)`: called for every place tapped. */
  constructor(host, data, seats, tap) {
    this.data = data;
    this.seats = seats;
    this.unit = data.width / 1000;
    this.svg = s("svg", {
      class: "board", viewBox: `0 0 ${data.width} ${data.height}`, preserveAspectRatio: "xMidYMid meet",
      role: "group", "aria-label": t("board.label"),
    });
    this.svg.style.setProperty("--u", `${this.unit}px`);
    host.style.setProperty("--board-ratio", data.width / data.height);
    this.lights = s("g", {});
    this.stacks = s("g", { "aria-hidden": "true" });
    this.hits = s("g", {});
    this.hit = {};
    this.svg.append(this.ground(), this.marks(), this.lights, this.stacks, this.hits);
    for (const place of Object.values(data.places)) {
      if (place.kind === "rock") continue;
      const node = s("path", { d: path(place.outline, true), class: "hit", role: "button", "data-place": place.id, "data-key": `p-${place.id}` });
      press(node, () => tap(place.id));
      this.hit[place.id] = node;
      this.hits.append(node);
    }
    show(host, this.svg);
  }

  ground() {
    const land = s("g", { "aria-hidden": "true" });
    for (const place of Object.values(this.data.places)) {
      const kind = place.kind === "region" ? place.terrain : place.kind;
      land.append(s("path", { d: path(place.outline, true), class: `land ${kind}` }));
    }
    for (const line of this.data.lines) {
      if (line.kind === "ford") land.append(this.ford(line));
      else if (line.points.length > 1) land.append(s("path", { d: path(line.points, false), class: `line ${line.kind}` }));
    }
    for (const place of Object.values(this.data.places)) {
      const glyph = GLYPHS[place.terrain] || "";
      if (place.kind !== "region") continue;
      const [x, y] = this.middle(place);
      const ring = this.data.territories[place.territory]?.colour;
      const at = `translate(${x} ${y - 26 * this.unit}) scale(${this.unit})`;
      if (ring) land.append(s("circle", { r: 19, class: `ring ${ring}`, transform: at }));
      land.append(s("path", { d: glyph, class: "glyph", transform: at }));
    }
    return land;
  }

  /** A ford: two triangles that face each other across the river. */
  ford(line) {
    const [a, b] = line.between.map((id) => this.data.places[id].label);
    const [x, y] = line.points[Math.floor(line.points.length / 2)];
    const turn = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
    return s("path", { d: "M-3 0 L-19 -11 V11 Z M3 0 L19 -11 V11 Z", class: "ford", transform: `translate(${x} ${y}) rotate(${turn}) scale(${this.unit})` });
  }

  /** Marks of what is printed at a place, above its middle. */
  marks() {
    const group = s("g", { "aria-hidden": "true" });
    for (const place of Object.values(this.data.places)) {
      const text = place.tags.map((tag) => TAGS[tag]).filter(Boolean).join(" ");
      const [x, y] = this.middle(place);
      if (text && place.kind !== "rock") group.append(s("text", { x, y: y - 40 * this.unit, class: "tag" }, text));
    }
    return group;
  }

  /** The middle of a place, moved in from the board's edge so that nothing there is cut off. */
  middle(place) {
    const u = this.unit;
    const [x, y] = place.label;
    return [Math.min(Math.max(x, 56 * u), this.data.width - 56 * u), Math.min(Math.max(y, 58 * u), this.data.height - 66 * u)];
  }

  isNamed(place) {
    return place.kind === "box" || place.tags.includes("settlement") || place.tags.includes("fortification");
  }

  name(place) {
    return this.data.places[place]?.name || place;
  }

  /** Puts the position on the board. `targets`: {place: {refused, text}}; `chosen`: places of the draft. */
  update({ view, lights, targets, chosen }) {
    const stacks = [];
    for (const place of Object.values(this.data.places)) {
      if (place.kind !== "rock") stacks.push(this.stack(place, view.places?.[place.id] || {}));
    }
    this.stacks.replaceChildren(...stacks);
    this.lights.replaceChildren(...Object.entries(lights).flatMap(([id, light]) => this.light(id, light)));
    for (const [id, node] of Object.entries(this.hit)) {
      const target = targets[id];
      const state = chosen.includes(id) ? "chosen" : target ? (target.refused ? "cannot" : "can") : "";
      node.setAttribute("class", `hit ${state}`);
      node.setAttribute("tabindex", target ? "0" : "-1");
      node.setAttribute("aria-label", this.label(id, view.places?.[id], target, lights[id]));
    }
  }

  light(id, light) {
    const place = this.data.places[id];
    if (!place) return [];
    return [s("path", { d: path(place.outline, true), class: `light ${light.pattern}`, stroke: light.colour, "data-light": id })];
  }

  label(id, content, target, light) {
    const parts = [this.name(id)];
    for (const piece of content?.pieces || []) parts.push(`${piece.count} ${piece.name}`);
    for (const marker of content?.markers || []) parts.push(`${marker.count} ${marker.name}`);
    if (target) parts.push(target.refused ? t("board.cannot") : t("board.can"));
    if (light?.text) parts.push(light.text);
    return parts.join(", ");
  }

  seatClass(seat) {
    const index = this.seats.indexOf(seat);
    return index < 0 ? "fill-none" : `fill-seat-${Math.min(index, 3)}`;
  }

  stack(place, content) {
    const [mx, my] = this.middle(place);
    const group = s("g", { transform: `translate(${mx} ${my}) scale(${this.unit})`, "data-stack": place.id });
    const pieces = content.pieces || [];
    const perRow = pieces.length > 4 ? 3 : 2;
    const rows = Math.ceil(pieces.length / perRow);
    pieces.forEach((piece, index) => {
      const row = Math.floor(index / perRow);
      const inRow = Math.min(perRow, pieces.length - row * perRow);
      group.append(this.piece(piece, ((index % perRow) - (inRow - 1) / 2) * 53, (row - (rows - 1) / 2) * 31));
    });
    const markers = content.markers || [];
    let bottom = rows ? rows * 15.5 + 13 : 0;
    markers.forEach((marker, index) => group.append(this.marker(marker, (index - (markers.length - 1) / 2) * 30, bottom)));
    if (markers.length) bottom += rows ? 26 : 30;
    if (this.isNamed(place)) group.append(this.title(place.name, mx / this.unit, bottom + 4, place.kind));
    return group;
  }

  /** A name in one or two lines, moved in from the board's edge. */
  title(name, x, y, kind) {
    const words = name.split(" ");
    const lines = name.length > 12 && words.length > 1 ? split(words) : [name];
    const half = Math.max(...lines.map((line) => line.length)) * 4.8;
    const shift = Math.max(0, half + 4 - x) - Math.max(0, x + half + 4 - 1000);
    return s("text", { class: `place-name ${kind}` }, lines.map((line, index) => s("tspan", { x: shift, y: y + index * 18 }, line)));
  }

  /** Round for the first seat, cut corners for the second, square and slanted after that: not by colour alone. */
  piece(piece, x, y) {
    const index = this.seats.indexOf(piece.seat);
    const character = piece.kind === "character";
    const shapes = ["M-12 -14 H12 A14 14 0 0 1 12 14 H-12 A14 14 0 0 1 -12 -14 Z", "M-14 -13 H14 L22 0 L14 13 H-14 L-22 0 Z",
      "M-21 -13 H21 V13 H-21 Z", "M-15 -13 H22 L15 13 H-22 Z"];
    const group = s("g", { class: `piece ${character ? "character" : "unit"}`, transform: `translate(${x} ${y})` });
    group.append(s("path", { d: shapes[Math.max(0, Math.min(index, 3))], class: `stack-shape ${this.seatClass(piece.seat)}` }));
    const text = character || piece.count === 1 ? piece.short : `${piece.count}${piece.short}`;
    const length = String(text).length;
    group.append(s("text", { "font-size": length <= 3 ? 19 : length === 4 ? 17 : length === 5 ? 14 : 12 }, text));
    return group;
  }

  marker(marker, x, y) {
    const known = { damage: DROP, leadership: STAR, control: FLAG }[marker.id];
    const kind = marker.id === "damage" || marker.id === "leadership" ? marker.id : "other";
    const group = s("g", { class: `marker ${kind}`, transform: `translate(${x} ${y})` });
    const shape = s("path", { d: known || SQUARE });
    if (marker.id === "control") shape.setAttribute("class", this.seatClass(marker.seat));
    group.append(shape);
    if (marker.id !== "control") {
      const text = marker.id === "damage" || marker.id === "leadership" ? marker.count
        : marker.count > 1 ? `${marker.name[0]}${marker.count}` : marker.name[0];
      group.append(s("text", { y: 1 }, text));
    }
    return group;
  }
}
