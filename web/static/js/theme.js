// Before the first paint: the chosen theme and size of text, so that the screen never flashes in another one.
(() => {
	try {
		// a browser source of a stream has no menu: its address says it
		const theme = new URLSearchParams(location.search).get("theme") || localStorage.getItem("theme");
		if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
		const size = Number(localStorage.getItem("textsize"));
		if (size > 100 && size <= 200) document.documentElement.style.fontSize = `${size}%`;
	} catch {
		/* storage is off: the system's theme it is */
	}
})();
