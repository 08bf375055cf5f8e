// Text enlarged at the root alone (a style of the user's, an app around the page) is not what media queries measure by:
// their em is the browser's own text size. Where the two differ, the widths they ask for are scaled by as much.

import { h, show } from "./dom.js";
import { t } from "./words.js";

const SIZES = [100, 115, 130, 150]; // per cent of the browser's own
const WIDTH = /((?:min|max)-width:\s*)([\d.]+)em/g;
const asked = new Map(); // rule -> its query as written

function queries(rules) {
	for (const rule of rules) {
		if (rule instanceof CSSMediaRule && rule.media.mediaText.search(WIDTH) >= 0) asked.set(rule, rule.media.mediaText);
		if (rule.cssRules) queries(rule.cssRules);
	}
}

const probe = document.createElement("div"); // a letter wide; nothing happens before that changes
probe.className = "letter";
probe.setAttribute("aria-hidden", "true");
document.body.append(probe);

new ResizeObserver(() => {
	const factor = probe.getBoundingClientRect().width / parseFloat(getComputedStyle(probe).fontSize);
	if (!asked.size) {
		if (Math.abs(factor - 1) < 0.01) return; // as almost always: the queries are right
		for (const sheet of document.styleSheets) queries(sheet.cssRules);
	}
	for (const [rule, query] of asked)
		rule.media.mediaText = query.replace(WIDTH, (_, side, width) => `${side}${width * factor}em`);
}).observe(probe);

const chosen = () => Number(parseInt(document.documentElement.style.fontSize, 10)) || SIZES[0];

/** For the menu: how large text is on this device. theme.js sets it before the first paint. */
export function textSizeButtons() {
	const row = h("div", { class: "row", role: "group", "aria-label": t("menu.textsize") });
	const draw = () =>
		show(
			row,
			SIZES.map((size) =>
				h(
					"button",
					{
						"data-key": `textsize-${size}`,
						"aria-pressed": String(chosen() === size),
						onclick: () => {
							document.documentElement.style.fontSize = size === SIZES[0] ? "" : `${size}%`;
							try {
								localStorage.setItem("textsize", String(size));
							} catch {
								/* kept for this page only */
							}
							draw();
						},
					},
					`${size} %`,
					chosen() === size ? " ✓" : "",
				),
			),
		);
	draw();
	return row;
}
