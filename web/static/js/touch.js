// Nothing is redrawn under a finger: what arrives while one is down waits until it is lifted and its tap is done.
// So no tap is lost, and none meets a newer question than the one that was seen.

let down = false;
const waiting = new Map();

function lifted() {
	down = false;
	setTimeout(() => {
		if (down) return;
		const jobs = [...waiting.values()];
		waiting.clear();
		for (const job of jobs) job();
	}, 0);
}

document.addEventListener(
	"pointerdown",
	() => {
		down = true;
	},
	{ capture: true, passive: true },
);
for (const name of ["pointerup", "pointercancel"])
	document.addEventListener(name, lifted, { capture: true, passive: true });
window.addEventListener("blur", lifted);

/** Runs `job` now, or once no finger is down; a later job of the same name replaces an earlier one. */
export function whenFree(name, job) {
	if (down) waiting.set(name, job);
	else job();
}
