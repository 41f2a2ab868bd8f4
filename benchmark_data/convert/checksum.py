"""Compares the CRC-64 of a stream with the one stated, at the speed of the xz library."""

import lzma
import struct
import zlib

_CHUNK = 64 * 1024
_HEADER = b"\xfd7zXZ\0"
_CRC64 = b"\0\x04"


class Crc64Check:
    """Checks the CRC-64/XZ (ECMA-182 polynomial, reflected) of bytes that come in pieces.

    Python has no CRC-64, and a loop over gigabytes would take an hour. The xz format has this very checksum: the bytes
    are handed to its decoder as a stream of stored chunks that ends in the checksum stated, and the decoder compares.
    Format: The .xz File Format 1.2.1, sections 2.1.1 and 3.1; LZMA2 chunk type 1 (stored, dictionary reset).
    """

    def __init__(self) -> None:
        self._decoder = lzma.LZMADecompressor(format=lzma.FORMAT_XZ)
        self._written = 0
        # Block header: 12 bytes, one filter, LZMA2 (0x21) with the smallest dictionary.
        block = b"\x02\0\x21\x01\0\0\0\0"
        for part in (_HEADER + _with_crc(_CRC64, of=_CRC64), _with_crc(block, of=block)):
            self._feed(part)

    def update(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        for start in range(0, len(data), _CHUNK):
            piece = data[start : start + _CHUNK]
            self._feed(b"\x01" + struct.pack(">H", len(piece) - 1) + piece)

    def matches(self, stated: int) -> bool:
        """Whether the checksum of all bytes is the one stated, a signed or unsigned 64-bit number; ends the check."""
        # The block's end mark is followed by zeros up to a multiple of four bytes, then by the checksum.
        end = b"\0" + b"\0" * (-(self._written + 1) % 4)
        try:
            self._feed(end + struct.pack("<Q", stated % 2**64))
        except lzma.LZMAError:
            return False
        return True

    def _feed(self, data: bytes) -> None:
        self._written += len(data)
        self._decoder.decompress(data)


def _with_crc(data: bytes, *, of: bytes) -> bytes:
    return data + struct.pack("<I", zlib.crc32(of))
