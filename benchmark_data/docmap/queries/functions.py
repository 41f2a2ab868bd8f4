"""SQLite's functions on text and dates."""

from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.conversion import as_text
from benchmark_data.docmap.queries.dispatch import value, value_rule
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.schema import Kind
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.typed import Typed, constant, expression, unless_null

# What SQLite takes for a date, without time zones and modifiers; a month has 31 days for it.
_DATE = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"[ T]+([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?"
DATE_PATTERN = f"{_DATE}({_TIME})?[ ]*$"
_PARTS = {"Y": (0, 4), "m": (5, 2), "d": (8, 2), "H": (11, 2), "M": (14, 2), "S": (17, 2)}
_RUNS = {"%Y-%m-%d": (0, 10), "%Y-%m": (0, 7), "%m-%d": (5, 5)}
_JULIAN_EPOCH, _DAY = 2440587.5, 86_400_000


@value_rule(exp.Length)
def _length(node: exp.Length, scope: Scope) -> Typed:
    operand = as_text(value(node.this, scope))
    return expression(unless_null([operand], {"$strLenCP": operand.mql}), Kind.INTEGER, nullable=operand.nullable)


@value_rule(exp.Upper, exp.Lower)
def _cased(node: exp.Func, scope: Scope) -> Typed:
    operand = as_text(value(node.this, scope))
    name = "$toUpper" if isinstance(node, exp.Upper) else "$toLower"
    return expression(unless_null([operand], {name: operand.mql}), Kind.TEXT, nullable=operand.nullable)


@value_rule(exp.Trim)
def _trimmed(node: exp.Trim, scope: Scope) -> Typed:
    operand = as_text(value(node.this, scope))
    position = (node.args.get("position") or "").upper()
    name = {"LEADING": "$ltrim", "TRAILING": "$rtrim"}.get(position, "$trim")
    chars = as_text(value(node.expression, scope)) if node.args.get("expression") else constant(" ")
    return expression({name: {"input": operand.mql, "chars": chars.mql}}, Kind.TEXT, nullable=operand.nullable)


@value_rule(exp.Replace)
def _replaced(node: exp.Replace, scope: Scope) -> Typed:
    parts = [as_text(value(node.this, scope))]
    parts += [as_text(value(node.args[name], scope)) for name in ("expression", "replacement")]
    if not parts[1].is_constant or not parts[1].constant:
        raise UntranslatableSqlError("replace", "REPLACE() looks for a text that is not written in the query.")
    mql = {"$replaceAll": {"input": parts[0].mql, "find": parts[1].mql, "replacement": parts[2].mql}}
    return expression(mql, Kind.TEXT, nullable=any(part.nullable for part in parts))


@value_rule(exp.StrPosition)
def _position(node: exp.StrPosition, scope: Scope) -> Typed:
    parts = [as_text(value(node.this, scope)), as_text(value(node.args["substr"], scope))]
    mql = {"$add": [{"$indexOfCP": [part.mql for part in parts]}, 1]}
    return expression(unless_null(parts, mql), Kind.INTEGER, nullable=any(part.nullable for part in parts))


@value_rule(exp.Substring)
def _substring(node: exp.Substring, scope: Scope) -> Typed:
    operand = as_text(value(node.this, scope))
    start = value(node.args["start"], scope)
    length = value(node.args["length"], scope) if node.args.get("length") else None
    parts = [operand, start, *([length] if length else [])]
    mql = unless_null(parts, _slice(operand.mql, start, length))
    return expression(mql, Kind.TEXT, nullable=any(part.nullable for part in parts))


def _slice(text: Any, start: Typed, length: Typed | None) -> Any:
    """Characters of a text by SQLite's rules: positions from 1, negative ones from the end."""
    if start.is_constant and start.constant > 0:
        if length is None:
            return {"$substrCP": [text, start.constant - 1, {"$strLenCP": text}]}
        if length.is_constant and length.constant >= 0:
            return {"$substrCP": [text, start.constant - 1, length.constant]}
    size = {"$strLenCP": text}
    if start.is_constant:
        begin: Any = {"$add": [size, start.constant]} if start.constant < 0 else start.constant - 1
    else:
        backwards = {"$cond": [{"$lt": [start.mql, 0]}, {"$add": [size, start.mql]}, -1]}
        begin = {"$cond": [{"$gt": [start.mql, 0]}, {"$subtract": [start.mql, 1]}, backwards]}
    end = size if length is None else {"$add": ["$$begin", length.mql]}
    low = {"$max": [0, {"$min": ["$$begin", "$$end"]}]}
    high = {"$max": [0, {"$max": ["$$begin", "$$end"]}]}
    inside = {"$substrCP": [text, {"$toInt": "$$low"}, {"$toInt": {"$subtract": ["$$high", "$$low"]}}]}
    bounds = {"$let": {"vars": {"low": low, "high": high}, "in": inside}}
    return {"$let": {"vars": {"begin": begin}, "in": {"$let": {"vars": {"end": end}, "in": bounds}}}}


@value_rule(exp.TimeToStr)
def _formatted(node: exp.TimeToStr, scope: Scope) -> Typed:
    form = value(node.args["format"], scope)
    if not form.is_constant:
        raise UntranslatableSqlError("date_format", "STRFTIME() takes a format that is written in the query.")
    return _date_text(_moment(node.this), str(form.constant), scope)


@value_rule(exp.Date)
def _date(node: exp.Date, scope: Scope) -> Typed:
    if node.expressions or node.args.get("zone"):
        raise UntranslatableSqlError("date_modifier", "Date modifiers have no rule.")
    return _date_text(node.this, "%Y-%m-%d", scope)


@value_rule(exp.CurrentTimestamp)
def _now(node: exp.CurrentTimestamp, scope: Scope) -> Typed:
    return _date_text(None, "%Y-%m-%d %H:%M:%S", scope)


@value_rule(exp.CurrentDate)
def _today(node: exp.CurrentDate, scope: Scope) -> Typed:
    return _date_text(None, "%Y-%m-%d", scope)


def _moment(node: exp.Expr | None) -> exp.Expr | None:
    """The operand of a date function without what the parser puts around it; None is the present."""
    while isinstance(node, exp.TsOrDsToTimestamp | exp.TsOrDsToDate):
        node = node.this
    if node is None or isinstance(node, exp.CurrentTimestamp | exp.CurrentDate):
        return None
    return None if isinstance(node, exp.Literal) and str(node.this).lower() == "now" else node


def _date_text(node: exp.Expr | None, form: str, scope: Scope) -> Typed:
    node = _moment(node)
    if node is None:
        scope.notes.add("uses_now")
        return expression({"$dateToString": {"date": "$$NOW", "format": form}}, Kind.TEXT, nullable=False)
    operand = value(node, scope)
    if operand.place is not None and operand.place.date_format == "%Y-%m-%d" and operand.place.is_uniform:
        _pieces("", form)
        moment = f"${operand.place.path}"
        return expression({"$dateToString": {"date": moment, "format": form}}, Kind.TEXT, nullable=operand.nullable)
    if operand.kind is not Kind.TEXT:
        raise UntranslatableSqlError("date_of_number", "A date function is applied to what may be a number.")
    pieces = _pieces(operand.mql, form)
    mql = pieces[0] if len(pieces) == 1 else {"$concat": pieces}
    matches = {"$regexMatch": {"input": operand.mql, "regex": DATE_PATTERN}}
    return expression({"$cond": [matches, mql, None]}, Kind.TEXT, nullable=True)


def _pieces(text: Any, form: str) -> list[Any]:
    """The parts of a date's text that a format asks for."""
    if form in _RUNS:
        return [{"$substrCP": [text, *_RUNS[form]]}]
    pieces: list[Any] = []
    rest = form
    while rest:
        if rest[0] == "%":
            if rest[1:2] not in _PARTS:
                raise UntranslatableSqlError("date_format", f"STRFTIME() with %{rest[1:2]} has no rule.")
            pieces.append(_part(text, rest[1]))
            rest = rest[2:]
        else:
            plain, percent, after = rest.partition("%")
            pieces.append(constant(plain).mql)
            rest = percent + after
    return pieces or [""]


def _part(text: Any, letter: str) -> Any:
    begin, length = _PARTS[letter]
    piece = {"$substrCP": [text, begin, length]}
    if letter in "HMS":
        # A date without a time has 00 for each part of the time.
        return {"$cond": [{"$gte": [{"$strLenCP": {"$trim": {"input": text}}}, begin + length]}, piece, "00"]}
    return piece


@value_rule(exp.Anonymous)
def _by_name(node: exp.Anonymous, scope: Scope) -> Typed:
    name, operands = node.name.upper(), node.expressions
    if len(operands) <= 1:
        operand = operands[0] if operands else None
        if name == "JULIANDAY":
            return _julian_day(operand, scope)
        if name in {"DATETIME", "DATE", "TIME"}:
            forms = {"DATETIME": "%Y-%m-%d %H:%M:%S", "DATE": "%Y-%m-%d", "TIME": "%H:%M:%S"}
            return _date_text(operand, forms[name], scope)
    raise UntranslatableSqlError("no_rule", f"The function {name}() with {len(operands)} operands has no rule.")


def _julian_day(node: exp.Expr | None, scope: Scope) -> Typed:
    if _moment(node) is None:
        scope.notes.add("uses_now")
        date: Any = "$$NOW"
    else:
        text = _date_text(node, "%Y-%m-%d %H:%M:%S", scope)
        date = {"$dateFromString": {"dateString": text.mql, "format": "%Y-%m-%d %H:%M:%S", "onError": None}}
    days = {"$divide": [{"$toLong": date}, _DAY]}
    return expression({"$add": [days, _JULIAN_EPOCH]}, Kind.REAL, nullable=node is not None)
