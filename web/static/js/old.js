// For browsers that cannot read the page's own scripts: one plain sentence. Written for the oldest there are.
(function () {
	var sentence = document.currentScript && document.currentScript.getAttribute("data-sentence");
	window.addEventListener("load", function () {
		if (document.documentElement.getAttribute("data-started") !== null || !sentence) return;
		var told = document.createElement("p");
		told.setAttribute("role", "alert");
		told.setAttribute("data-too-old", "");
		told.style.padding = "1rem";
		told.appendChild(document.createTextNode(sentence));
		document.body.insertBefore(told, document.body.firstChild);
	});
})();
