#!/bin/sh
# Rules, record, dice and serving on an emulated 64-bit ARM Debian, as a Raspberry Pi has it: `make test-arm`.
#
# SUITE=trixie takes Debian 13 and its Python instead of Debian 12.  ARM_TRAYS says how many trays are read on both
# machines (20; 0: none).  Emulated, everything takes twenty times as long, so that by default a part of each room
# is run; ARM_TESTS names other tests, ARM_TESTS=all takes all of these rooms (some hours).  Needs root (for
# chroot), mmdebstrap and qemu-user-static with binfmt.  Nothing is installed by emulated programs: Debian's packages
# are only unpacked, and pip fetches the wheels for that machine; so only the tests themselves are slow.
set -eu
SUITE=${SUITE:-bookworm}
PYTHON=${PYTHON:-.venv/bin/python}
ROOT=$(pwd)/build/arm-$SUITE
ARM_TESTS=${ARM_TESTS:-"tests/games/five_armies/rules tests/record/test_exchange.py tests/record/test_copies.py
    tests/record/test_pictures.py tests/vision/tray/test_sources.py tests/table/test_serve.py"}
[ "$ARM_TESTS" != all ] || ARM_TESTS="tests/kernel tests/record tests/games/five_armies/rules tests/vision/tray
    tests/table"
PACKAGES=python3,libpython3-stdlib,libffi8,libsqlite3-0,zlib1g,libexpat1,libbz2-1.0,liblzma5,libuuid1,libstdc++6
PACKAGES=$PACKAGES,bash,coreutils,git,tzdata,media-types,procps

[ "$(id -u)" = 0 ] || { echo "As root, please: the emulated system is entered by chroot."; exit 1; }
for tool in mmdebstrap qemu-aarch64-static; do
    command -v $tool >/dev/null || { echo "Missing: apt-get install mmdebstrap qemu-user-static binfmt-support"; exit 1; }
done
binfmt=/proc/sys/fs/binfmt_misc
[ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt
[ -e $binfmt/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64

if [ ! -e "$ROOT/opt/site/.whole" ]; then
    rm -rf --one-file-system "$ROOT"
    mkdir -p "$(dirname "$ROOT")"
    mmdebstrap --quiet --variant=extract --architectures=arm64 --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
        --include=$PACKAGES "$SUITE" "$ROOT" ${MIRROR:+"$MIRROR"}
    # extract runs no scripts: what they would have made
    printf 'root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/usr/sbin/nologin\n' > "$ROOT/etc/passwd"
    printf 'root:x:0:\nnogroup:x:65534:\n' > "$ROOT/etc/group"
    [ -e "$ROOT/usr/bin/sh" ] || ln -s bash "$ROOT/usr/bin/sh"
    version=$(basename "$(ls "$ROOT"/usr/bin/python3.[0-9]*)" | tr -d 'a-z')
    $PYTHON scripts/arm_wheels.py "$version" "$ROOT/opt/site"
    touch "$ROOT/opt/site/.whole"
fi

mkdir -p "$ROOT/opt/table" "$ROOT/dev" "$ROOT/proc" "$ROOT/tmp"
cleanup() {
    for place in opt/table dev/pts dev/shm dev proc; do
        mountpoint -q "$ROOT/$place" && umount -l "$ROOT/$place" || true
    done
}
trap cleanup EXIT
trap "exit 1" INT TERM
cleanup
mount --bind "$(pwd)" "$ROOT/opt/table"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount --make-rslave "$ROOT/dev"

inside() {
    chroot "$ROOT" /usr/bin/env -i HOME=/root PATH=/usr/bin:/bin LANG=C.UTF-8 OPENBLAS_NUM_THREADS=1 \
        PYTHONPATH=/opt/table:/opt/site PYTHONDONTWRITEBYTECODE=1 REFEREE_CACHE=/tmp/cache \
        /bin/sh -c "cd /opt/table && $1"
}

inside "python3 -c 'import platform, sys; print(platform.machine(), sys.version.split()[0])'"
# the same trays, read on this machine and on the emulated one
if [ "${ARM_TRAYS:-20}" != 0 ]; then
    trays=build/arm-trays
    $PYTHON scripts/arm_readings.py draw $trays "${ARM_TRAYS:-20}"
    $PYTHON scripts/arm_readings.py read $trays > $trays/here.json
    inside "python3 scripts/arm_readings.py read $trays" > $trays/arm.json
    $PYTHON scripts/arm_readings.py compare $trays/here.json $trays/arm.json
fi
# shellcheck disable=SC2086
inside "python3 -m pytest -p no:cacheprovider -o timeout=3000 -n 2 --dist loadfile -q $(echo $ARM_TESTS)"
