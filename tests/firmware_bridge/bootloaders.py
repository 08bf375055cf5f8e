"""The bootloaders that real boards carry."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lights_lab import need_firmware_tools

FOLDER = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")  # Debian's arduino-core-avr
OPTIBOOT = (
    "-Os -w -fno-split-wide-types -mrelax -mmcu=atmega328p -DF_CPU=16000000L -DLED_START_FLASHES=3 "
    "-DBAUD_RATE=115200 -Wl,--section-start=.text=0x7c00 -Wl,--section-start=.version=0x7ffe "
    "-Wl,--relax -Wl,--gc-sections -nostartfiles -nostdlib"
)


def old_nano(folder: Path) -> Path:
    """The bootloader of 57600 baud that most clones carry."""
    return FOLDER / "atmega/ATmegaBOOT_168_atmega328.hex"


def optiboot(folder: Path) -> Path:
    """Optiboot 4.4, built from the package's source: its .hex is 20 bytes longer than the 512 it lies in,
    so that its last function is missing on a real chip; here it gets a section of 1 KB."""
    elf, made = folder / "optiboot.elf", folder / "optiboot.hex"
    source = FOLDER / "optiboot/optiboot.c"
    subprocess.run(["avr-gcc", *OPTIBOOT.split(), "-o", elf, source], check=True)
    parts = "-j .text -j .data -j .version --set-section-flags .version=alloc,load -O ihex"
    subprocess.run(["avr-objcopy", *parts.split(), elf, made], check=True)
    return made


BOOTLOADERS = (old_nano, optiboot)


def need_bootloaders() -> None:
    """Skip, or fail where the firmware must be tested, without the tools and the bootloaders."""
    need_firmware_tools()
    if not FOLDER.exists():
        need_firmware_tools("arduino-core-avr is not installed")
