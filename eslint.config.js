import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["web/static/js/**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    rules: {
      "max-len": ["error", { code: 120, tabWidth: 2 }],
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-implied-eval": "error",
      "no-shadow": "error",
    },
  },
];
