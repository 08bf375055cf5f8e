// A program of steps in the box book: steps from a list, numbers by steppers, what else by choosing.

import { h } from "./dom.js";
import { t } from "./words.js";

const copy = (value) => JSON.parse(JSON.stringify(value));
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const kindOf = (kinds, step) => kinds.find((kind) => kind.id === step.do);

/** The kinds that the next step may be: what begins a program comes first, and once. */
function kindsOfNext(kinds, steps) {
	const first = kinds.filter((kind) => kind.begins);
	const hasBegun = !first.length || steps.some((step) => kindOf(kinds, step)?.begins);
	return hasBegun ? kinds.filter((kind) => !kind.begins) : first;
}

/** Whether the form can show all that a step was given; what was written by hand may hold more. */
function fits(kind, step) {
	return (
		Boolean(kind) &&
		Object.entries(step).every(([key, value]) => {
			if (key === "do") return true;
			const slot = kind.slots.find((one) => one.id === key);
			if (!slot) return false;
			if (slot.kind === "number") return Number.isInteger(value);
			if (slot.kind === "flag") return typeof value === "boolean";
			if (slot.kind === "counts") return typeof value === "object";
			return slot.options.some((option) => same(option.value, value));
		})
	);
}

/** A new step with all that it must be given. */
function begun(kind) {
	const step = { do: kind.id };
	for (const slot of kind.slots) {
		if (!slot.required) continue;
		if (slot.kind === "number")
			step[slot.id] = Math.max(slot.least, Math.min(slot.most, slot.least < 0 ? 1 : slot.least));
		else if (slot.kind === "flag") step[slot.id] = true;
		else if (slot.kind === "counts") step[slot.id] = { [slot.options[0].value]: 1 };
		else step[slot.id] = slot.options[0].value;
	}
	return step;
}

function stepper(key, label, value, least, most, set, none) {
	const move = (by) => {
		if (value === undefined) return set(Math.max(least, Math.min(most, Math.max(1, least))));
		return none && value + by < least ? set(undefined) : set(value + by);
	};
	return h(
		"div",
		{ class: "stepper", role: "group", "aria-label": label },
		h("span", { class: "grow" }, label),
		h(
			"button",
			{
				"data-key": `${key}-less`,
				"aria-label": t("some.less", { name: label }),
				disabled: value === undefined || (value <= least && !none),
				onclick: () => move(-1),
			},
			"−",
		),
		h("output", { class: "count" }, value === undefined ? "–" : value),
		h(
			"button",
			{
				"data-key": `${key}-more`,
				"aria-label": t("some.more", { name: label }),
				disabled: value !== undefined && value >= most,
				onclick: () => move(1),
			},
			"+",
		),
	);
}

function choice(key, slot, value, set) {
	const at = slot.options.findIndex((option) => same(option.value, value));
	return h(
		"label",
		{},
		slot.label,
		h(
			"select",
			{
				"data-key": key,
				onchange: (event) =>
					set(event.target.value === "" ? undefined : slot.options[Number(event.target.value)].value),
			},
			slot.required ? null : h("option", { value: "", selected: at < 0 }, t("program.not_said")),
			slot.options.map((option, index) => h("option", { value: String(index), selected: index === at }, option.text)),
		),
	);
}

function counts(key, slot, value, set) {
	return h(
		"div",
		{ class: "stack", role: "group", "aria-label": slot.label },
		h("span", { class: "small soft" }, slot.label),
		slot.options.map((option) =>
			stepper(`${key}-${option.value}`, option.text, value?.[option.value] || 0, 0, slot.most, (number) => {
				const after = { ...value, [option.value]: number };
				if (!number) delete after[option.value];
				set(Object.keys(after).length ? after : value);
			}),
		),
	);
}

function slotEditor(key, slot, step, set) {
	const value = step[slot.id];
	if (slot.kind === "number") return stepper(key, slot.label, value, slot.least, slot.most, set, !slot.required);
	if (slot.kind === "flag")
		return h(
			"button",
			{
				class: "option",
				"data-key": key,
				"aria-pressed": String(value === true),
				onclick: () => set(value === true ? undefined : true),
			},
			slot.label,
		);
	if (slot.kind === "counts") return counts(key, slot, value, set);
	return choice(key, slot, value, set);
}

/** A list that is unfolded by a tap and stays so when the form is drawn anew. */
function foldable(key, unfolded, change) {
	return {
		class: "no",
		open: unfolded.has(key),
		ontoggle: (event) => {
			const now = event.target.open;
			if (now === unfolded.has(key)) return;
			if (now) unfolded.add(key);
			else unfolded.delete(key);
			change(undefined);
		},
	};
}

/** The steps of `value` with everything to change them; `change` gets the new list (null: none left). */
export function programEditor(key, kinds, value, locked, unfolded, change) {
	const steps = Array.isArray(value) ? value : [];
	const changed = (edit) => {
		const after = copy(steps);
		edit(after);
		change(after.length ? after : null);
	};
	const card = (step, index) => {
		const kind = kindOf(kinds, step);
		const own = `${key}-${index}`;
		const set = (slot) => (next) =>
			changed((after) => {
				if (next === undefined) delete after[index][slot.id];
				else after[index][slot.id] = next;
			});
		return h(
			"li",
			{ class: "card stack" },
			h("p", {}, kind ? kind.text : t("program.by_hand")),
			fits(kind, step)
				? h(
						"div",
						{ class: "fields roomy" },
						kind.slots.map((slot) => slotEditor(`${own}-${slot.id}`, slot, step, locked ? () => {} : set(slot))),
					)
				: h("p", { class: "small soft" }, t("program.as_it_is")),
			h(
				"div",
				{ class: "row" },
				h(
					"button",
					{
						"data-key": `${own}-up`,
						disabled: locked || index === 0 || kindOf(kinds, steps[index - 1])?.begins,
						onclick: () => changed((after) => after.splice(index - 1, 0, ...after.splice(index, 1))),
					},
					t("program.earlier"),
				),
				h(
					"button",
					{
						"data-key": `${own}-out`,
						disabled: locked || (kind?.begins && steps.length > 1),
						onclick: () => changed((after) => after.splice(index, 1)),
					},
					t("program.remove"),
				),
			),
		);
	};
	const open = unfolded.has(key);
	return h(
		"div",
		{ class: "stack" },
		steps.length ? h("ol", { class: "stack steps" }, steps.map(card)) : null,
		h(
			"details",
			foldable(key, unfolded, change),
			h("summary", { "data-key": `${key}-add` }, t(steps.length ? "program.next" : "program.first")),
			open
				? h(
						"div",
						{ class: "options long" },
						kindsOfNext(kinds, steps).map((kind) =>
							h(
								"button",
								{
									class: "option",
									"data-key": `${key}-add-${kind.id}`,
									disabled: locked,
									onclick: () => {
										unfolded.delete(key);
										changed((after) => (kind.begins ? after.unshift(begun(kind)) : after.push(begun(kind))));
									},
								},
								kind.text,
							),
						),
					)
				: null,
		),
	);
}

/** Any of a list: what is chosen as buttons that take it out again, the rest folded away. */
export function someEditor(key, options, value, locked, unfolded, change) {
	const chosen = Array.isArray(value) ? value : [];
	const button = (option) =>
		h(
			"button",
			{
				class: "option",
				"data-key": `${key}-${option.value}`,
				disabled: locked,
				"aria-pressed": String(chosen.includes(option.value)),
				onclick: () =>
					change(options.map((one) => one.value).filter((one) => (one === option.value) !== chosen.includes(one))),
			},
			option.text,
		);
	const open = unfolded.has(key);
	return h(
		"div",
		{ class: "stack" },
		chosen.length
			? h("div", { class: "options long" }, options.filter((one) => chosen.includes(one.value)).map(button))
			: null,
		h(
			"details",
			foldable(key, unfolded, change),
			h("summary", { "data-key": `${key}-list` }, t("program.choose")),
			open
				? h(
						"div",
						{ class: "options long" },
						options.filter((one) => !chosen.includes(one.value)).map(button),
						h(
							"button",
							{ class: "option", "data-key": `${key}-none`, disabled: locked, onclick: () => change([]) },
							t("program.none_of_them"),
						),
					)
				: null,
		),
	);
}
