// Faces typed in, where no picture is to be had.

import { h } from "./dom.js";
import { die as dieFace, isDrawn } from "./signs.js";
import { t } from "./words.js";

/** Whether as many faces are typed as dice are rolled. */
export function typedFull(panel) {
	return panel.ask.dice.every((kind) => (panel.typed[kind.type] || []).length === kind.count);
}

/** A row for each kind of die: what is typed, and its faces to tap. */
export function typedBody(panel) {
	return panel.ask.dice.map((kind) => {
		const typed = panel.typed[kind.type] || (panel.typed[kind.type] = []);
		const slots = Array.from({ length: kind.count }, (_, index) =>
			typed[index] === undefined
				? h("span", { class: "slot empty" }, " ")
				: h(
						"button",
						{
							class: "slot",
							"aria-label": t("dice.remove", { face: panel.text(kind.type, typed[index]) }),
							onclick: () => {
								typed.splice(index, 1);
								panel.changed();
							},
						},
						panel.drawn({ type: kind.type, face: typed[index], confidence: 1 }),
					),
		);
		return h(
			"section",
			{ class: "stack" },
			h("h3", {}, `${kind.name} (${typed.length}/${kind.count})`),
			h("div", { class: "slots" }, slots),
			h(
				"div",
				{ class: kind.pips ? "faces" : "faces worded" },
				kind.faces.map((face) =>
					h(
						"button",
						{
							class: kind.pips ? "" : "words",
							"data-key": `type-${kind.type}-${face.id}`,
							"data-typed": face.id,
							disabled: typed.length >= kind.count,
							onclick: () => {
								typed.push(face.id);
								panel.changed();
							},
						},
						isDrawn(face.id) ? dieFace(face.id, kind.body, { size: 44 }) : null,
						h("span", { class: kind.pips && isDrawn(face.id) ? "unseen" : "" }, face.text),
					),
				),
			),
		);
	});
}
