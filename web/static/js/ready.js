// What a page needs before it draws, so that nothing moves when it comes: its texts and its fonts.

import { loadWords } from "./words.js";

const PATIENCE = 3000; // ms; a font that has not come by then is done without

function loadFonts() {
	const all = Promise.allSettled([...document.fonts].map((face) => face.load()));
	return Promise.race([
		all,
		new Promise((done) => {
			setTimeout(done, PATIENCE);
		}),
	]);
}

export const pageReady = () => Promise.all([loadWords(), loadFonts()]);
