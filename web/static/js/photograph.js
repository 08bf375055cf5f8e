// A picture of a roll by this device's own camera: made smaller here, read at the table.

import { h } from "./dom.js";

const LONGEST = 1920; // pixels of its longer side: dice have forty and more where they fill a third of it
const MOST = 900000; // characters of base64; the table takes no body of more than a megabyte
const QUALITIES = [0.9, 0.8, 0.65, 0.5];

/** The file as a `data:` address: the only pictures from elsewhere that the page may load. */
const addressOf = (file) =>
	new Promise((done, failed) => {
		const reader = new FileReader();
		reader.onload = () => done(String(reader.result));
		reader.onerror = failed;
		reader.readAsDataURL(file);
	});

/** A picture file as JPEG in base64, small enough for the table; "" where it is no picture. */
export async function shrunk(file) {
	const picture = new Image();
	try {
		picture.src = await addressOf(file);
		await picture.decode();
	} catch {
		return "";
	}
	const scale = Math.min(1, LONGEST / Math.max(picture.naturalWidth, picture.naturalHeight));
	const canvas = document.createElement("canvas");
	canvas.width = Math.round(picture.naturalWidth * scale);
	canvas.height = Math.round(picture.naturalHeight * scale);
	canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
	const tries = QUALITIES.map((quality) => () => canvas.toDataURL("image/jpeg", quality).split(",")[1]);
	for (const made of tries) {
		const data = made();
		if (data.length <= MOST) return data;
	}
	return "";
}

/** A button that opens the device's camera; `taken(file)` gets the picture. */
export function cameraButton(text, disabled, taken, key = "photograph") {
	const input = h("input", {
		type: "file",
		accept: "image/*",
		capture: "environment",
		hidden: true,
		"data-key": key === "photograph" ? "file" : `${key}-file`,
	});
	input.addEventListener("change", () => input.files[0] && taken(input.files[0]));
	return [h("button", { "data-key": key, disabled, onclick: () => input.click() }, text), input];
}
