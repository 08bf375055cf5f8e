// The screen stays on during play where the browser allows it; where not, the menu says what to do.

import { t } from "./words.js";

export function keepAwake() {
	let lock = null;
	const refused = !("wakeLock" in navigator);
	async function ask() {
		if (refused || lock || document.visibilityState !== "visible") return;
		try {
			// eslint-disable-next-line compat/compat -- asked for above
			lock = await navigator.wakeLock.request("screen");
			lock.addEventListener("release", () => {
				lock = null;
			});
		} catch {
			lock = null;
		}
	}
	document.addEventListener("visibilitychange", ask);
	document.addEventListener("pointerdown", ask, { passive: true });
	ask();
	return () =>
		t(lock ? "awake.on" : !window.isSecureContext ? "awake.insecure" : refused ? "awake.impossible" : "awake.off");
}
