// A sheet that is made to be printed: its button opens the browser's own dialog.

import { $ } from "./dom.js";
import { pageReady } from "./ready.js";

await pageReady();
$("print").addEventListener("click", () => window.print());
