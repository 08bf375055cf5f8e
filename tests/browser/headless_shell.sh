#!/bin/sh
# Chromium's engine without its windows.  Where no page is named it opens none, and chromedriver finds none.
exec chromium-headless-shell "$@" about:blank
