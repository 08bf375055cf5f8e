// QR codes that bring another device to this table: one for each network that the table is in.

import { h } from "./dom.js";
import { t } from "./words.js";

const code = (data, alt) => [
	h("img", { class: "qr", src: data.qr, alt, width: 272, height: 272 }),
	h("p", { class: "small", "data-url": data.url }, data.url),
];

/** What `shared_json` of the server says, as elements; a sentence where no other device could come. */
export function codes(data, alt) {
	if (!data.qr) return [h("p", { "data-no-network": "" }, t("link.no_network"))];
	const lead = () => h("p", { class: "small" }, t("link.other_network"));
	const others = data.others.flatMap((other) => [lead(), ...code(other, alt)]);
	return [...code(data, alt), ...others];
}
