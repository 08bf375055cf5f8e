// Shows the page's dialog so that only it can be used: by finger, by keyboard and to screen readers.
// Not `showModal()`: that makes every element of the page inert, which styles and paints all of it anew (600 elements
// on the board of War of the Ring, three frames on a slow tablet); what is here styles the dialog alone.

import { $ } from "./dom.js";

const STOPS = [
	"a[href]",
	"button:not(:disabled)",
	"input:not(:disabled)",
	"select:not(:disabled)",
	"textarea:not(:disabled)",
	"summary",
	"[tabindex='0']",
].join();
const SAID = new Set(["say", "dialog"]); // what screen readers still hear while a dialog is open

const behind = () => [...document.body.children].filter((one) => !SAID.has(one.id) && !one.matches("script, .shade"));
const stops = (dialog) => [...dialog.querySelectorAll(STOPS)].filter((one) => one.getClientRects().length);

/** Tab goes round within the dialog; Escape closes it. */
function key(event) {
	const dialog = $("dialog");
	if (!dialog.open || event.isComposing) return;
	if (event.key === "Escape") {
		event.preventDefault();
		dialog.close();
	}
	if (event.key !== "Tab") return;
	const list = stops(dialog);
	const at = list.indexOf(document.activeElement);
	const next = event.shiftKey ? (at <= 0 ? list.at(-1) : null) : at < 0 || at === list.length - 1 ? list[0] : null;
	if (!next) return;
	event.preventDefault();
	next.focus();
}

/** Focus that comes to the page behind, or backwards out of the first button, goes round within the dialog. */
function held({ target, relatedTarget: from }) {
	const dialog = $("dialog");
	if (!dialog.open || !(target instanceof Element) || (target !== dialog && dialog.contains(target))) return;
	const list = stops(dialog);
	const back = from === list[0] || from === dialog;
	if (target !== dialog || back) (back ? list.at(-1) : list[0])?.focus();
}

function closed() {
	if ($("dialog").open) return; // another one follows
	for (const one of behind()) one.removeAttribute("aria-hidden");
}

/** Opens the dialog, or leaves it open; closing gives the focus back to where it was. */
export function showDialog(dialog) {
	if (dialog.open) return;
	if (!dialog.hasAttribute("aria-modal")) {
		dialog.setAttribute("aria-modal", "true");
		dialog.setAttribute("closedby", "closerequest"); // Android's way back
		dialog.addEventListener("close", closed);
		document.addEventListener("keydown", key, { capture: true });
		document.addEventListener("focusin", held);
	}
	for (const one of behind()) one.setAttribute("aria-hidden", "true");
	dialog.show();
}
