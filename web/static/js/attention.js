// "Your turn": the title of the page says it, a short sound and a flash of the bar tell who looks elsewhere.
// Each can be turned off on this device.

import { $, h, show } from "./dom.js";
import { t } from "./words.js";

const WAYS = ["title", "flash", "sound"];
const TONES = [
	[660, 0],
	[880, 0.13],
]; // Hz, and seconds until it begins
const LENGTH = 0.22; // seconds of a tone
const LOUD = 0.12; // of 1

const key = (way) => `attention-${way}`;
let asked = false;
let named = document.title;
/** @type {AudioContext | null} */
let sound = null;

function wanted(way) {
	try {
		return localStorage.getItem(key(way)) !== "off";
	} catch {
		return true;
	}
}

/** Two tones; browsers let a page sound once it has been touched. */
async function play() {
	if (!navigator.userActivation?.hasBeenActive || !("AudioContext" in window)) return;
	sound ||= new AudioContext();
	await sound.resume();
	for (const [pitch, after] of TONES) {
		const [tone, volume] = [sound.createOscillator(), sound.createGain()];
		const begin = sound.currentTime + after;
		tone.frequency.value = pitch;
		volume.gain.setValueAtTime(LOUD, begin);
		volume.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH);
		tone.connect(volume).connect(sound.destination);
		tone.start(begin);
		tone.stop(begin + LENGTH);
	}
}

function flash() {
	const bar = $("bar");
	bar.classList.remove("flash");
	requestAnimationFrame(() => bar.classList.add("flash"));
}

/** Told with each state whether this seat is asked; `title` is the page's own. */
export function turnIs(mine, title) {
	const begins = mine && !asked;
	asked = mine;
	named = title;
	document.title = mine && wanted("title") ? `● ${t("attention.yours")} – ${title}` : title;
	if (!begins) return;
	if (wanted("sound")) play();
	if (wanted("flash")) flash();
}

/** Switches for the menu. */
export function attentionButtons() {
	const row = h("div", { class: "row", role: "group", "aria-label": t("attention.when") });
	const draw = () =>
		show(
			row,
			WAYS.map((way) =>
				h(
					"button",
					{
						"data-key": `attention-${way}`,
						"aria-pressed": String(wanted(way)),
						onclick: () => {
							try {
								localStorage.setItem(key(way), wanted(way) ? "off" : "on");
							} catch {
								/* as it is while nothing can be kept */
							}
							turnIs(asked, named);
							draw();
						},
					},
					t(`attention.${way}`),
					wanted(way) ? " ✓" : "",
				),
			),
		);
	draw();
	return row;
}
