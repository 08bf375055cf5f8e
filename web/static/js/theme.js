// Before the first paint: the chosen theme, so that the screen never flashes in the other one.
(() => {
	try {
		const theme = localStorage.getItem("theme");
		if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
	} catch {
		/* storage is off: the system's theme it is */
	}
})();
