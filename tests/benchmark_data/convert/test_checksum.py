"""The checksum of the xz library is that of MongoDB's archives."""

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.convert.checksum import Crc64Check
from tests.benchmark_data.convert.dumps import crc64


def test_the_known_answer_of_crc_64_xz_is_found() -> None:
    check = Crc64Check()
    check.update(b"123456789")
    assert check.matches(0x995DC9BBDF1939FA)


@given(pieces=st.lists(st.binary(max_size=300), max_size=8))
@settings(max_examples=40, deadline=None)
def test_pieces_have_the_checksum_of_the_whole(pieces: list[bytes]) -> None:
    stated = crc64(b"".join(pieces))
    for number, expected in ((stated, True), (stated ^ 1, False)):
        check = Crc64Check()
        for piece in pieces:
            check.update(piece)
        assert check.matches(number) is expected


def test_a_piece_longer_than_a_chunk_counts_whole() -> None:
    data = bytes(range(256)) * 300
    check = Crc64Check()
    check.update(data)
    assert check.matches(crc64(data))
