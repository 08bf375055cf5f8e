"""The Battle of Five Armies: one module a chapter of the rulebook."""
