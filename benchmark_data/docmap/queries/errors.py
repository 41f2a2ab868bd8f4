"""What the compiler says of SQL that it does not translate."""

from benchmark_data.errors import BenchmarkError


class UntranslatableSqlError(BenchmarkError):
    """A SQL query has no translation by rule.

    Args:
        rule: stable snake_case identifier of what is missing.
        message: a sentence that names the part of the query.
    """

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        self.message = message
        super().__init__(message)
