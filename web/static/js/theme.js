// Before the first paint: the chosen theme and size of text, so that the screen never flashes in another one.
(() => {
	try {
		const theme = localStorage.getItem("theme");
		if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
		const size = Number(localStorage.getItem("textsize"));
		if (size > 100 && size <= 200) document.documentElement.style.fontSize = `${size}%`;
	} catch {
		/* storage is off: the system's theme it is */
	}
})();
