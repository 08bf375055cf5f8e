"""Makes the file that a Raspberry Pi Pico takes as a USB drive: ``make_uf2.py PROGRAM.bin OUT.uf2``.

The first 252 bytes get the CRC-32 that the mask ROM asks for (RP2040 datasheet 2.8.1.3.1); the blocks are
those of the UF2 format (512 bytes each, 256 of them the program's).
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

FLASH, FAMILY_RP2040 = 0x10000000, 0xE48BFF56
BEGIN, SECOND, END, HAS_FAMILY = 0x0A324655, 0x9E5D5157, 0x0AB16F30, 0x2000
BOOT2, PAYLOAD = 252, 256


def crc32(data: bytes) -> int:
    """Polynomial 0x04C11DB7, start all ones, bits as they come, nothing turned at the end."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return crc


def uf2(program: bytes) -> bytes:
    """The blocks of a program that lies from the flash's begin."""
    program = program[:BOOT2].ljust(BOOT2, b"\0") + struct.pack("<I", crc32(program[:BOOT2])) + program[256:]
    program += b"\0" * (-len(program) % PAYLOAD)
    count = len(program) // PAYLOAD
    blocks = bytearray()
    for number in range(count):
        data = program[PAYLOAD * number : PAYLOAD * (number + 1)]
        address = FLASH + PAYLOAD * number
        blocks += struct.pack(
            "<8I476sI", BEGIN, SECOND, HAS_FAMILY, address, PAYLOAD, number, count, FAMILY_RP2040, data, END
        )
    return bytes(blocks)


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(uf2(Path(sys.argv[1]).read_bytes()))
