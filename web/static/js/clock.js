// The chess clock of the game page: counts down between what the table tells. It never ends a game.

import { $, h, show } from "./dom.js";
import { t } from "./words.js";
import { get, post } from "./net.js";

let clock = null;
let at = 0;
let game = null;

const words = (seconds) => {
	const whole = Math.abs(Math.trunc(seconds));
	return `${seconds < 0 ? "−" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

function set(told) {
	clock = told;
	at = performance.now();
	draw();
}

async function load() {
	const answer = await get("/api/clock");
	if (answer.ok) set(answer.data.clock);
}

async function pause() {
	const answer = await post("/api/clock/pause", { paused: !clock.paused, who: game.who });
	if (!answer.ok) return game.failed(answer);
	return load();
}

function draw() {
	const host = $("clock");
	host.hidden = !clock;
	if (!clock) return;
	const passed = (performance.now() - at) / 1000;
	const rows = Object.entries(clock.left).map(([seat, left]) => {
		const runs = clock.running.includes(seat);
		const rest = left - (runs ? passed : 0);
		return h(
			"span",
			{ class: `time ${runs ? "runs" : ""} ${rest < 0 ? "over" : ""}`, "data-clock": seat },
			game.seatMark(seat),
			" ",
			game.seatName(seat),
			" ",
			h("b", {}, words(rest)),
		);
	});
	show(
		host,
		rows,
		game.who === "arbiter" || (game.seat && (clock.paused || !game.state.table?.tournament))
			? h(
					"button",
					{ class: "quiet", "data-key": "clock-pause", onclick: pause },
					t(clock.paused ? "clock.go" : "clock.stop"),
				)
			: null,
	);
}

/** Called with each new state of the game page: what has just changed tells the time; one that was kept does not. */
export function followClock(page) {
	const before = game;
	game = page;
	const told = page.state.table?.clock || null;
	if (told && (!before || page.state.kept)) load();
	else if (told || clock) set(told);
}

setInterval(() => clock && !clock.paused && document.visibilityState === "visible" && draw(), 1000);
