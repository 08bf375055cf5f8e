import js from "@eslint/js";
import compat from "eslint-plugin-compat";
import esx from "eslint-plugin-es-x";
import globals from "globals";

export default [
  js.configs.recommended,
  // no interface that the oldest browsers which the docs promise lack (browserslist in package.json)
  compat.configs["flat/recommended"],
  {
    files: ["web/static/js/**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    plugins: { "es-x": esx },
    rules: {
      // syntax of ES2022 that iPadOS 15 lacks: a page with it does not start at all
      "es-x/no-regexp-lookbehind-assertions": "error",
      "es-x/no-class-static-block": "error",
      "es-x/no-regexp-v-flag": "error",
      // static functions that eslint-plugin-compat does not look at, younger than those browsers
      "no-restricted-properties": [
        "error",
        { object: "AbortSignal", property: "timeout" },
        { object: "AbortSignal", property: "any" },
        { object: "Promise", property: "withResolvers" },
        { object: "URL", property: "canParse" },
        { object: "Response", property: "json" },
      ],
      "max-len": ["error", { code: 120, tabWidth: 2 }],
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-implied-eval": "error",
      "no-shadow": "error",
    },
  },
  // what tells old browsers that they are old is read by them
  { files: ["web/static/js/old.js"], languageOptions: { ecmaVersion: 5, sourceType: "script" }, rules: { "no-var": "off" } },
];
