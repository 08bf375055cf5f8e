#!/bin/sh
# What the browser, firmware, database and paper tests and the checks of JavaScript need from Debian:
# installed when root, named otherwise.
set -eu
wanted="chromium chromium-driver chromium-headless-shell gcc-avr avr-libc simavr libsimavr-dev libelf-dev gcc g++
    libc6-dev pkg-config fonts-dejavu-core webkit2gtk-driver xvfb postgresql poppler-utils systemd iproute2
    arduino-core-avr avrdude gcc-arm-none-eabi"
# Node.js from elsewhere brings npm along and does not go together with Debian's package of that name
command -v node >/dev/null || wanted="$wanted nodejs"
command -v npm >/dev/null || wanted="$wanted npm"
missing=""
for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing what the tests need:$missing"
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "Not installed:$missing"
    echo "The tests that need them will be skipped. As root: apt-get install$missing"
fi
