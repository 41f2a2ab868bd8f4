"""The keys of a TOML text have the lines that a person sees."""

import pytest

from benchmark_data.convert.mapping_lines import KeyLines

TEXT = """# a comment = 1
name = "x"
[items]   # = 2
files = [
  "a",
]
a.b = 5
"quoted key" = 1
[items.difficulty]
values = { easy = "simple" }
[[databases]]
path = "a"
[[databases]]
path = "b"
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 2),
        (("items",), 3),
        (("items", "files"), 4),
        (("items", "a", "b"), 7),
        (("items", "a"), 3),
        (("items", "quoted key"), 8),
        (("items", "difficulty", "values", "easy"), 10),
        (("databases", "0", "path"), 12),
        (("databases", "1", "path"), 14),
        (("databases", "1", "format"), 13),
        (("absent",), 1),
    ],
)
def test_a_key_has_its_line_or_that_of_what_it_stands_in(path: tuple[str, ...], line: int) -> None:
    assert KeyLines(TEXT).line(*path) == line
