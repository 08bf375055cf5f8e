// Paints the land of any board from its data alone: the same data, the same picture on every device. No images and no
// filters, only strokes and fills; runs in a worker, or on the page where there is none.

import { chains, chance, distance, inside, boxOf, seedOf, along, mix, smooth, trace } from "./geometry.js";
import { LAND, tintOf } from "./landcolours.js";
import { CROSSINGS, crossing } from "./landcrossings.js";
import { SIGNS } from "./landsigns.js";

/** What stands on a terrain, and how far apart, in units of a sign. */
const SCATTERED = {
	rock: ["peak", 46],
	mountain: ["peak", 62],
	hill: ["hill", 66],
	forest: ["tree", 21],
	swamp: ["reed", 44],
	plain: ["grass", 64],
	ruins: ["rubble", 62],
	other: ["grass", 80],
};
const USUAL = 225; // board units across a place of the size that signs are drawn for
const WASH = 1 / 15; // scale of the small picture whose colours run into each other
const EDGES = ["border", "slope", "wall", "black", "river"];

export class Painter {
	/** `board`: the board as JSON. `canvas(width, height)`: makes a canvas to paint small pictures on. */
	constructor(board, canvas) {
		this.board = board;
		this.canvas = canvas;
		this.places = Object.entries(board.places).map(([id, place]) => ({
			...place,
			id,
			tags: place.tags || [],
			box: boxOf(place.outline),
			ground: this.groundOf(place),
		}));
		this.byId = Object.fromEntries(this.places.map((place) => [place.id, place]));
		const held = this.places.filter((place) => place.kind !== "rock");
		const spread = Math.sqrt((board.width * board.height) / Math.max(1, held.length));
		/** How large signs are, 1 for large regions. */
		this.size = Math.min(1, Math.max(0.2, spread / USUAL));
		this.caves = held.some((place) => place.terrain === "cave");
		// walls between regions are ranges of peaks; those of rock are its edge
		this.ridges = board.lines.filter(
			(line) => (line.kind === "wall" || line.kind === "black") && this.between(line).every((p) => p.ground !== "rock"),
		);
		this.rivers = chains(board.lines.filter((line) => line.kind === "river").map((line) => line.points));
		this.coast = chains(board.lines.filter((line) => line.kind === "coast").map((line) => line.points));
		this.stamps = this.scatter();
	}

	groundOf(place) {
		const wet = place.terrain === "water" || place.kind === "river";
		if (place.kind === "rock") return wet ? "water" : "rock";
		if (place.kind === "box") return "box";
		return place.terrain in LAND.light.ground ? place.terrain : wet ? "water" : "other";
	}

	between(line) {
		return line.between.map((id) => this.byId[id]).filter(Boolean);
	}

	/** Where signs stand: by chance, but always the same; none where figures and names will be. */
	scatter() {
		const s = this.size;
		/** @type {any[]} */
		const found = this.places.flatMap((place) => this.scattered(place, this.caves ? ["facet", 58] : null));
		for (const line of this.ridges)
			for (const [x, y] of along(line.points, 24 * s)) {
				const v = seedOf(`${Math.trunc(x)},${Math.trunc(y)}`);
				const r = 0.18 + (v % 100) / 240;
				found.push({ kind: "peak", x: x + ((v % 9) - 4) * s, y: y + 9 * s, r, v, rock: true, ridge: true });
			}
		return found.sort((a, b) => a.y - b.y);
	}

	scattered(place, rock) {
		const [kind, every] = (place.ground === "rock" && rock) || SCATTERED[place.ground] || [];
		if (!kind || place.tags.includes("siege")) return [];
		const s = this.size;
		const gap = every * s;
		const { x1, y1, x2, y2 } = place.box;
		const dice = chance(seedOf(place.id));
		const here = [];
		const tries = Math.min(900, (((x2 - x1) * (y2 - y1)) / (gap * gap)) * 9);
		const clear = (place.ground === "rock" ? 2 : place.ground === "forest" ? 11 : 17) * s;
		const rivers = this.rivers.filter((line) =>
			line.some(([x, y]) => x > x1 - 40 && x < x2 + 40 && y > y1 - 40 && y < y2 + 40),
		);
		for (let n = 0; n < tries; n += 1) {
			const [x, y] = [x1 + dice() * (x2 - x1), y1 + dice() * (y2 - y1)];
			if (!inside(place.outline, x, y)) continue;
			const far = Math.hypot((x - place.label[0]) / (72 * s), (y - place.label[1] - 4 * s) / (54 * s));
			if (place.kind !== "rock" && far < 1 && x2 - x1 > 150 * s) continue;
			if (distance(place.outline, x, y) < clear) continue;
			if (here.some((q) => Math.hypot(q.x - x, (q.y - y) * 1.25) < gap * (0.86 + 0.3 * q.r))) continue;
			if (rivers.some((line) => distance(line, x, y, false) < 20 * s)) continue;
			const v = Math.floor(dice() * 1e9);
			here.push({ kind, x, y, r: dice(), v, rock: place.ground === "rock", pine: y < this.board.height * 0.45 });
		}
		return here;
	}

	/** Paints the part `view` {x, y, scale (pixels a board unit)} of the board, so wide and high as the canvas is. */
	paint(canvas, { x, y, scale }, theme) {
		const pen = canvas.getContext("2d");
		const C = LAND[theme];
		pen.setTransform(1, 0, 0, 1, 0, 0);
		pen.clearRect(0, 0, canvas.width, canvas.height);
		pen.setTransform(scale, 0, 0, scale, -x * scale, -y * scale);
		pen.beginPath();
		pen.rect(0, 0, this.board.width, this.board.height);
		pen.clip();
		[pen.lineJoin, pen.lineCap] = ["round", "round"];
		const seen = {
			x1: x - 120 * this.size,
			y1: y - 120 * this.size,
			x2: x + canvas.width / scale + 120 * this.size,
			y2: y + canvas.height / scale + 120 * this.size,
		};
		const sees = (box) => box.x1 <= seen.x2 && box.x2 >= seen.x1 && box.y1 <= seen.y2 && box.y2 >= seen.y1;
		const places = this.places.filter((place) => sees(place.box));
		const lines = this.board.lines.filter((line) => line.points.length && sees(boxOf(line.points)));
		this.wash(pen, C, places, theme);
		this.sea(pen, C, places);
		this.bands(pen, places, theme);
		if (this.caves) this.hollows(pen, C, places, lines);
		else this.borders(pen, C, places, lines);
		for (const river of this.rivers) this.river(pen, C, river);
		for (const line of lines.filter((one) => CROSSINGS.includes(one.kind)))
			crossing(pen, C, this.size, line, this.between(line));
		this.cliffs(pen, C, places, lines);
		for (const stamp of this.stamps)
			if (stamp.x > seen.x1 && stamp.x < seen.x2 && stamp.y > seen.y1 && stamp.y < seen.y2)
				SIGNS[stamp.kind](pen, C, this.size, stamp);
		this.boxes(pen, C, places);
		this.grain(pen, C);
	}

	/** Watercolour: the colours of the terrains on a small canvas, enlarged, so that they run into each other. */
	wash(pen, C, places, theme) {
		const { width, height } = this.board;
		const small = this.canvas(Math.ceil(width * WASH), Math.ceil(height * WASH));
		const thin = small.getContext("2d");
		thin.fillStyle = C.paper;
		thin.fillRect(0, 0, small.width, small.height);
		thin.scale(WASH, WASH);
		thin.lineWidth = 6;
		for (const place of places) {
			thin.fillStyle = thin.strokeStyle = C.ground[place.ground];
			trace(thin, place.outline);
			thin.fill();
			thin.stroke();
		}
		pen.imageSmoothingEnabled = true;
		pen.imageSmoothingQuality = "high";
		pen.drawImage(small, 0, 0, small.width / WASH, small.height / WASH);
		// a hint of its own colour keeps each region one thing where terrains run together
		pen.globalAlpha = 0.34;
		for (const place of places) {
			pen.fillStyle = C.ground[place.ground];
			trace(pen, place.outline);
			pen.fill();
		}
		pen.globalAlpha = 1;
		this.blotches(pen, C, theme);
	}

	/** Blotches, as pigment settles. */
	blotches(pen, C, theme) {
		const dice = chance(7);
		const [alpha, light] = C.pigment;
		for (let i = 0; i < 200; i += 1) {
			const [x, y, r] = [dice() * this.board.width, dice() * this.board.height, (30 + dice() * 120) * this.size];
			const dark = dice() < 0.5;
			const colour = dark ? "96,66,24" : "255,246,220";
			const strength = dark ? alpha * (theme === "dark" ? 1.3 : 1) : alpha * light;
			const spot = pen.createRadialGradient(x, y, 0, x, y, r);
			spot.addColorStop(0, `rgba(${colour},${strength})`);
			spot.addColorStop(1, `rgba(${colour},0)`);
			pen.fillStyle = spot;
			pen.fillRect(x - r, y - r, 2 * r, 2 * r);
		}
	}

	/** The sea, deeper away from the coast, with lines of water along it. */
	sea(pen, C, places) {
		const seas = places.filter((place) => place.ground === "water");
		if (!seas.length) return;
		pen.save();
		pen.beginPath();
		for (const { outline } of seas) {
			outline.forEach((p, i) => (i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1])));
			pen.closePath();
		}
		pen.clip();
		pen.fillStyle = this.coast.length ? C.seaDeep : C.ground.water;
		pen.fillRect(0, 0, this.board.width, this.board.height);
		const run = (width, style, alpha) => {
			[pen.strokeStyle, pen.lineWidth, pen.globalAlpha] = [style, width, alpha];
			for (const line of this.coast) {
				smooth(pen, line);
				pen.stroke();
			}
		};
		for (let i = 7; i > 0; i -= 1) run(i * 30, C.ground.water, 0.24);
		for (let i = 5; i > 0; i -= 1) {
			const width = [0, 16, 34, 56, 84, 118][i];
			run(width + 2, C.seaLine, 1 - i * 0.15);
			run(width, i > 1 ? mix(C.seaDeep, C.ground.water, 1 - i / 7) : C.ground.water, 1);
		}
		pen.restore();
		run(2.6, C.coast, 1);
		pen.globalAlpha = 1;
		this.waves(pen, C, seas);
	}

	waves(pen, C, seas) {
		const dice = chance(11);
		[pen.strokeStyle, pen.lineWidth] = [C.seaLine, 1.6];
		pen.beginPath();
		for (const { box, outline } of seas)
			for (let n = 0; n < 6; n += 1) {
				const [x, y] = [box.x1 + dice() * (box.x2 - box.x1), box.y1 + dice() * (box.y2 - box.y1)];
				if (!inside(outline, x, y) || this.coast.some((line) => distance(line, x, y, false) < 70)) continue;
				for (let i = 0; i < 3; i += 1) {
					pen.moveTo(x + i * 16 - 22, y);
					pen.quadraticCurveTo(x + i * 16 - 18, y - 6, x + i * 16 - 8, y);
				}
			}
		pen.stroke();
	}

	/** Edges of regions that a territory does not share with itself, by region; found once. */
	get outer() {
		if (this.outerEdges) return this.outerEdges;
		const name = ([x, y]) => `${x.toFixed(0)},${y.toFixed(0)}`;
		const key = (a, b) => [name(a), name(b)].sort().join("|");
		const pairs = ({ outline }) => outline.map((a, i) => [a, outline[(i + 1) % outline.length]]);
		const owners = new Map();
		const owned = this.places.filter((place) => place.kind === "region" && this.board.territories?.[place.territory]);
		for (const place of owned)
			for (const [a, b] of pairs(place)) owners.set(key(a, b), [...(owners.get(key(a, b)) || []), place.territory]);
		const within = (a, b) => {
			const found = owners.get(key(a, b));
			return found.length === 2 && found[0] === found[1];
		};
		this.outerEdges = new Map(owned.map((place) => [place.id, pairs(place).filter(([a, b]) => !within(a, b))]));
		return this.outerEdges;
	}

	/** Territories and nations: a band of tint inside the outer border, as in hand-coloured atlases. */
	bands(pen, places, theme) {
		for (const place of places) {
			const edges = this.outer.get(place.id);
			const tint = edges?.length ? tintOf(this.board, place, theme) : null;
			if (!tint) continue;
			pen.save();
			trace(pen, place.outline);
			pen.clip();
			pen.strokeStyle = tint;
			pen.beginPath();
			for (const [a, b] of edges) {
				pen.moveTo(a[0], a[1]);
				pen.lineTo(b[0], b[1]);
			}
			for (const [width, alpha] of [
				[44, 0.1],
				[30, 0.14],
				[18, 0.2],
				[9, 0.3],
			]) {
				[pen.lineWidth, pen.globalAlpha] = [width * this.size, alpha];
				pen.stroke();
			}
			pen.restore();
		}
	}

	/** Borders on a pale case; slopes as hachures downhill. */
	borders(pen, C, places, lines) {
		const s = this.size;
		const edges = lines.filter((line) => EDGES.includes(line.kind) && line.points.length > 1);
		// a board that has no lines between its places: their outlines part them
		const ringed = places.map(({ outline }) => ({ points: [...outline, outline[0]] }));
		const drawn = edges.length ? edges : ringed;
		for (const [style, width] of [
			[C.borderCase, 6],
			[C.border, 2.3],
		]) {
			[pen.strokeStyle, pen.lineWidth] = [style, width * s];
			pen.beginPath();
			for (const { points } of drawn) points.forEach((p, i) => (i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1])));
			pen.stroke();
		}
		[pen.strokeStyle, pen.lineWidth, pen.globalAlpha] = [C.ink, 2.2 * s, 0.75];
		pen.beginPath();
		for (const line of lines.filter((one) => one.kind === "slope")) {
			const low = this.byId[line.between[0]]; // the lower side is named first
			for (const [x, y, turn] of low ? along(line.points, 9 * s) : []) {
				const [nx, ny] = [-Math.sin(turn), Math.cos(turn)];
				const side = inside(low.outline, x + nx * 8 * s, y + ny * 8 * s) ? 1 : -1;
				const length = (8 + (seedOf(`${Math.trunc(x)}`) % 7)) * s * side;
				pen.moveTo(x, y);
				pen.lineTo(x + nx * length, y + ny * length);
			}
		}
		pen.stroke();
		pen.globalAlpha = 1;
		this.sections(pen, C, lines);
	}

	/** Lines that part the board into sections: dots from edge to edge, on a pale case so that woods do not hide them. */
	sections(pen, C, lines) {
		const s = this.size;
		const drawn = lines.filter((one) => one.kind === "section");
		pen.setLineDash([0.1, 20 * s]);
		for (const [style, width] of [
			[C.borderCase, 15],
			[C.section, 10.5],
		]) {
			[pen.strokeStyle, pen.lineWidth] = [style, width * s];
			for (const line of drawn) {
				trace(pen, line.points, false);
				pen.stroke();
			}
		}
		pen.setLineDash([]);
	}

	river(pen, C, points) {
		const s = this.size;
		smooth(pen, points);
		for (const [width, style] of [
			[19, C.riverEdge],
			[14.5, C.river],
		]) {
			[pen.lineWidth, pen.strokeStyle] = [width * s, style];
			pen.stroke();
		}
		pen.save();
		pen.translate(-2.2 * s, -2.2 * s);
		smooth(pen, points);
		[pen.lineWidth, pen.strokeStyle, pen.globalAlpha] = [3.2 * s, C.riverShine, 0.75];
		pen.stroke();
		pen.restore();
	}

	/** Rock throws a shadow on the region beside it. */
	cliffs(pen, C, places, lines) {
		const walls = lines.filter((line) => line.kind === "wall" && !this.ridges.includes(line));
		[pen.strokeStyle, pen.lineCap] = [C.shadow, "round"];
		for (const place of places.filter((one) => one.kind !== "rock")) {
			const own = walls.filter((line) => line.between.includes(place.id));
			if (!own.length) continue;
			pen.save();
			trace(pen, place.outline);
			pen.clip();
			for (const { points } of own)
				for (const [width, alpha] of [
					[40, 0.16],
					[26, 0.2],
					[13, 0.26],
				]) {
					[pen.lineWidth, pen.globalAlpha] = [width * this.size, alpha];
					trace(pen, points, false);
					pen.stroke();
				}
			pen.restore();
		}
		[pen.strokeStyle, pen.lineWidth] = [C.cliff, 3.6 * this.size];
		for (const { points } of walls) {
			trace(pen, points, false);
			pen.stroke();
		}
	}

	/** Caves: lit hollows in the rock, and tunnels between them. */
	hollows(pen, C, places, lines) {
		for (const [extra, style] of [
			[14, C.caveRim],
			[5, C.caveLight],
			[0, C.ground.cave],
		])
			for (const line of lines.filter((one) => one.points.length > 1)) {
				[pen.lineWidth, pen.strokeStyle] = [(28 + extra) * this.size, style];
				smooth(pen, line.points);
				pen.stroke();
			}
		for (const place of places.filter((one) => one.kind === "region")) {
			const { box, label, outline } = place;
			const floor = C.ground[place.ground];
			const reach = Math.max(box.x2 - box.x1, box.y2 - box.y1) * 0.6;
			for (const [width, style] of [
				[13, C.caveRim],
				[5, C.caveLight],
			]) {
				[pen.lineWidth, pen.strokeStyle] = [width * this.size, style];
				trace(pen, outline);
				pen.stroke();
			}
			const light = pen.createRadialGradient(label[0], label[1], reach * 0.1, label[0], label[1], reach);
			light.addColorStop(0, mix(floor, "#ffe6b0", 0.35));
			light.addColorStop(0.7, floor);
			light.addColorStop(1, mix(floor, "#000000", 0.3));
			pen.fillStyle = light;
			pen.fill();
		}
	}

	/** Boxes beside the map: sheets of paper on it. */
	boxes(pen, C, places) {
		for (const place of places.filter((one) => one.kind === "box")) {
			trace(pen, place.outline);
			[pen.fillStyle, pen.globalAlpha] = [C.ground.box, 0.9];
			pen.fill();
			[pen.strokeStyle, pen.lineWidth, pen.globalAlpha] = [C.frame, 2.4 * this.size, 1];
			pen.stroke();
		}
	}

	/** Fibres of the paper, darker corners, a frame. */
	grain(pen, C) {
		const { width, height } = this.board;
		const dice = chance(3);
		pen.fillStyle = C.speck;
		for (let i = 0; i < 1800; i += 1) pen.fillRect(dice() * width, dice() * height, 1 + dice() * 9, 1 + dice() * 1.6);
		const [r, g, b, most] = C.vignette;
		const middle = [width / 2, height / 2];
		const corner = pen.createRadialGradient(
			...middle,
			Math.min(width, height) * 0.42,
			...middle,
			Math.hypot(width, height) * 0.56,
		);
		corner.addColorStop(0, `rgba(${r},${g},${b},0)`);
		corner.addColorStop(1, `rgba(${r},${g},${b},${most})`);
		pen.fillStyle = corner;
		pen.fillRect(0, 0, width, height);
		const fine = Math.min(width, height) / 1400;
		pen.strokeStyle = C.frame;
		for (const [inset, line] of [
			[2.5, 5],
			[11, 1.6],
		]) {
			pen.lineWidth = line * fine;
			pen.strokeRect(inset * fine, inset * fine, width - 2 * inset * fine, height - 2 * inset * fine);
		}
	}
}
