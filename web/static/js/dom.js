// Elements without a framework: h("button", {class: "main", onclick: f}, "text", child, ...).

document.documentElement.dataset.started = ""; // this browser reads our scripts (old.js)

const NS = "http://www.w3.org/2000/svg";

const handlers = new WeakMap(); // of each element, by event: they can change while the element stays

const relay = (event) => handlers.get(event.currentTarget)[event.type]?.(event);

function listen(node, type, handler) {
	const known = handlers.get(node) || {};
	if (!(type in known)) node.addEventListener(type, relay);
	handlers.set(node, { ...known, [type]: handler });
}

function fill(node, props, children) {
	for (const [key, value] of Object.entries(props || {})) {
		if (value === undefined || value === null || value === false) continue;
		if (key.startsWith("on")) listen(node, key.slice(2), value);
		else if (key === "value" || key === "checked") node[key] = value;
		else node.setAttribute(key, value === true ? "" : String(value));
	}
	for (const child of children.flat(Infinity)) {
		if (child === null || child === undefined || child === false) continue;
		node.append(child instanceof Node ? child : String(child));
	}
	return node;
}

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);
export const add = (host, ...children) => fill(host, null, children);
export const s = (tag, props, ...children) => fill(document.createElementNS(NS, tag), props, children);
/**
 * @param {string} id
 * @returns {any} the element: pages have it, and its kind is known where it is asked for
 */
export const $ = (id) => document.getElementById(id);

/** @returns {HTMLElement | null} what the keyboard is on */
export const focused = () => (document.activeElement instanceof HTMLElement ? document.activeElement : null);

const tops = new WeakMap(); // how far each host is scrolled, noted as it happens: asking the host would lay it out

document.addEventListener(
	"scroll",
	(event) => {
		if (event.target instanceof Element) tops.set(event.target, event.target.scrollTop);
	},
	{ capture: true, passive: true },
);

/** Replaces what `host` holds; keyboard focus stays on the element with the same data-key. */
export function show(host, ...children) {
	const active = document.activeElement;
	const key = active instanceof HTMLElement && host.contains(active) ? active.dataset.key : null;
	const top = tops.get(host) || 0;
	host.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
	if (top) host.scrollTop = top;
	if (key) host.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** Draws a part of a page only where what it shows has changed: the answer to a tap is on screen sooner. */
export function redraw(shown, name, now, draw) {
	const text = JSON.stringify(now);
	if (shown[name] === text) return;
	shown[name] = text;
	draw();
}

const alike = (one, other) => one.nodeName === other.nodeName && one.dataset?.key === other.dataset?.key;

/** Makes an element what a newer one like it is: only what differs is touched. */
function become(node, newer) {
	if (!(node instanceof Element)) {
		if (node.nodeValue !== newer.nodeValue) node.nodeValue = newer.nodeValue;
		return;
	}
	for (const { name } of [...node.attributes]) if (!newer.hasAttribute(name)) node.removeAttribute(name);
	for (const { name, value } of newer.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
	if (node instanceof HTMLInputElement && newer instanceof HTMLInputElement) {
		if (node.value !== newer.value && node.type !== "file") node.value = newer.value;
		node.checked = newer.checked;
	}
	const gone = Object.fromEntries(Object.keys(handlers.get(node) || {}).map((type) => [type, null]));
	for (const [type, handler] of Object.entries({ ...gone, ...handlers.get(newer) })) listen(node, type, handler);
	patch(node, [...newer.childNodes]);
}

/**
 * As `show`, for something that is drawn again: what is there already stays, focus and scrolling with it.  Elements
 * that were made for it may not be kept by whoever made them: the ones on screen are those of the first drawing.
 */
export function patch(host, ...children) {
	let at = host.firstChild;
	for (const wanted of children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false)) {
		let found = at;
		while (found && !alike(found, wanted)) found = found.nextSibling;
		if (!found) {
			host.insertBefore(wanted, at);
			continue;
		}
		while (at !== found) {
			const next = at.nextSibling;
			at.remove();
			at = next;
		}
		at = found.nextSibling;
		become(found, wanted);
	}
	while (at) {
		const next = at.nextSibling;
		at.remove();
		at = next;
	}
}

/** Runs `job` once the next frame is on screen: what answers a tap is seen first. */
export const afterPaint = (job) => requestAnimationFrame(() => setTimeout(job, 0));

/** An element that acts as a button in SVG: mouse, touch, Enter and space. */
export function press(node, action) {
	node.addEventListener("click", action);
	node.addEventListener("keydown", (event) => {
		if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			action(event);
		}
	});
	return node;
}
