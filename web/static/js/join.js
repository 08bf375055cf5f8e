// Trading the token of a link for a seat. The token stands after #, so no server log ever holds it.

import { $, h, show } from "./dom.js";
import { pageReady } from "./ready.js";
import { t } from "./words.js";
import { get, post } from "./net.js";

await pageReady();
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);

function draw(title, text, ...more) {
	show(
		$("join"),
		h(
			"section",
			{ class: "panel" },
			h("h1", {}, title),
			h("p", {}, text),
			h("div", { class: "row" }, more, h("a", { class: "button", href: "/" }, t("menu.start"))),
		),
	);
}

async function join() {
	const answer = await post("/api/join", { token });
	if (!answer.ok) return draw(t("join.title"), answer.error.sentence);
	const { seat, state } = answer.data;
	if (state === "taken") return location.replace(`/seat/${seat}`);
	draw(t("join.title"), t("join.asked_link"));
	const timer = setInterval(async () => {
		const wish = await get(`/api/wish/${seat}`);
		if (!wish.ok || wish.data.state === "asked") return;
		clearInterval(timer);
		if (wish.data.state === "taken") location.replace(`/seat/${seat}`);
		else
			draw(
				t("join.title"),
				t(`join.${wish.data.state}`),
				h("button", { class: "main", "data-key": "join", onclick: join }, t("join.again")),
			);
	}, 1000);
	return null;
}

/** Which seat the link opens, before it is taken. */
async function look() {
	const answer = await post("/api/join/look", { token });
	if (!answer.ok) return draw(t("join.title"), answer.error.sentence);
	const { name, title } = answer.data;
	return draw(
		t("join.as", { name }),
		`${title}. ${t("join.text")}`,
		h("button", { class: "main", "data-key": "join", onclick: join }, t("join.do")),
	);
}

if (token) look();
else draw(t("join.title"), t(document.body.dataset.lost ? "error.not_your_seat" : "join.no_token"));
