#!/bin/sh
# What the browser and firmware tests need from Debian: installed when root, named otherwise.
set -eu
wanted="chromium chromium-driver gcc-avr avr-libc simavr libsimavr-dev libelf-dev gcc libc6-dev pkg-config fonts-dejavu-core webkit2gtk-driver xvfb poppler-utils arduino-core-avr avrdude"
missing=""
for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing what the tests need:$missing"
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "Not installed:$missing"
    echo "Browser and firmware tests will be skipped. As root: apt-get install$missing"
fi
