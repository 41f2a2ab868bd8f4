"""The values of SQL expressions: columns, constants, arithmetic, CASE, CAST."""

import re
from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.conversion import as_number, as_text, cast_integer, cast_real, cast_text
from benchmark_data.docmap.queries.dispatch import test, value, value_rule
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.schema import Affinity, Kind, affinity_of
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.typed import NULL, Typed, constant, expression, is_not_null, unless_null

_ARITHMETIC: dict[type[exp.Expr], str] = {exp.Add: "$add", exp.Sub: "$subtract", exp.Mul: "$multiply"}
_TESTS = (
    exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.And, exp.Or, exp.Not, exp.Is, exp.Like, exp.Between,
    exp.In, exp.Exists, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Escape,
)  # fmt: skip


@value_rule(exp.Column)
def _column(node: exp.Column, scope: Scope) -> Typed:
    return scope.column(node)


@value_rule(exp.Paren)
def _paren(node: exp.Paren, scope: Scope) -> Typed:
    return value(node.this, scope)


@value_rule(exp.Alias)
def _alias(node: exp.Alias, scope: Scope) -> Typed:
    return value(node.this, scope)


@value_rule(exp.Literal)
def _literal(node: exp.Literal, scope: Scope) -> Typed:
    if node.is_string:
        return constant(str(node.this))
    text = str(node.this)
    return constant(
        float(text)
        if re.search(r"[.eE]", text) and text[:2].lower() != "0x"
        else int(text, 16 if text[:2].lower() == "0x" else 10)
    )


@value_rule(exp.Null)
def _null(node: exp.Null, scope: Scope) -> Typed:
    return NULL


@value_rule(exp.Boolean)
def _boolean(node: exp.Boolean, scope: Scope) -> Typed:
    return constant(1 if node.this else 0)


@value_rule(exp.Neg)
def _negative(node: exp.Neg, scope: Scope) -> Typed:
    operand = as_number(value(node.this, scope))
    if operand.is_constant and operand.constant is not None:
        return constant(-operand.constant)
    return expression({"$multiply": [operand.mql, -1]}, operand.kind, nullable=operand.nullable)


@value_rule(*_ARITHMETIC)
def _arithmetic(node: exp.Binary, scope: Scope) -> Typed:
    """+, - and *: NULL with NULL, real with real."""
    left, right = _numbers(node, scope)
    mql = {_ARITHMETIC[type(node)]: [left.mql, right.mql]}
    return expression(mql, _joint_kind(left, right), nullable=left.nullable or right.nullable)


@value_rule(exp.Div)
def _division(node: exp.Div, scope: Scope) -> Typed:
    """Integers divide towards zero; anything divided by zero is NULL."""
    left, right = _numbers(node, scope)
    kind = _joint_kind(left, right)
    quotient: Any = {"$divide": [left.mql, right.mql]}
    if kind is Kind.INTEGER:
        quotient = {"$trunc": [quotient, 0]}
    elif kind is not Kind.REAL:
        quotient = _dynamic_quotient(left, right, quotient)
    never_zero = right.is_constant and right.constant not in (0, None)
    mql = quotient if never_zero else {"$cond": [{"$eq": [right.mql, 0]}, None, quotient]}
    return expression(mql, kind, nullable=left.nullable or right.nullable or not never_zero)


def _dynamic_quotient(left: Typed, right: Typed, quotient: Any) -> Any:
    """Numbers of both kinds may stand in the columns: their BSON types tell."""
    types = [side for side in (left, right) if side.kind is not Kind.INTEGER]
    whole = [{"$in": [{"$type": side.mql}, ["int", "long"]]} for side in types]
    return {"$cond": [whole[0] if len(whole) == 1 else {"$and": whole}, {"$trunc": [quotient, 0]}, quotient]}


@value_rule(exp.Mod)
def _modulo(node: exp.Mod, scope: Scope) -> Typed:
    left, right = (cast_integer(side) for side in _numbers(node, scope))
    mql = {"$cond": [{"$eq": [right.mql, 0]}, None, {"$mod": [left.mql, right.mql]}]}
    return expression(mql, Kind.INTEGER, nullable=True)


def _numbers(node: exp.Binary, scope: Scope) -> tuple[Typed, Typed]:
    return as_number(value(node.left, scope)), as_number(value(node.right, scope))


def _joint_kind(left: Typed, right: Typed) -> Kind:
    if Kind.REAL in {left.kind, right.kind}:
        return Kind.REAL
    return Kind.INTEGER if left.kind is right.kind is Kind.INTEGER else Kind.NUMBER


@value_rule(exp.DPipe)
def _concatenation(node: exp.DPipe, scope: Scope) -> Typed:
    sides = [as_text(value(side, scope)) for side in (node.left, node.right)]
    mql = {"$concat": [side.mql for side in sides]}
    return expression(mql, Kind.TEXT, nullable=any(side.nullable for side in sides))


@value_rule(exp.Case)
def _case(node: exp.Case, scope: Scope) -> Typed:
    conditions = []
    for branch in node.args["ifs"]:
        condition = exp.EQ(this=node.this.copy(), expression=branch.this.copy()) if node.this else branch.this
        conditions.append((test(condition, scope), value(branch.args["true"], scope)))
    default = value(node.args["default"], scope) if node.args.get("default") else NULL
    return _choice(conditions, default)


@value_rule(exp.If)
def _if(node: exp.If, scope: Scope) -> Typed:
    default = value(node.args["false"], scope) if node.args.get("false") else NULL
    return _choice([(test(node.this, scope), value(node.args["true"], scope))], default)


def _choice(branches: list[tuple[Any, Typed]], default: Typed) -> Typed:
    results = [result for _, result in branches] + [default]
    if len(branches) == 1:
        mql: Any = {"$cond": [branches[0][0], branches[0][1].mql, default.mql]}
    else:
        cases = [{"case": condition, "then": result.mql} for condition, result in branches]
        mql = {"$switch": {"branches": cases, "default": default.mql}}
    return expression(mql, merged_kind(results), nullable=any(result.nullable for result in results))


def merged_kind(results: list[Typed]) -> Kind:
    """What values an expression can have that has one of these values."""
    kinds = {result.kind for result in results} - {Kind.NULL}
    if len(kinds) == 1:
        return kinds.pop()
    if not kinds:
        return Kind.NULL
    return Kind.NUMBER if all(kind.is_number for kind in kinds) else Kind.ANY


@value_rule(exp.Cast)
def _cast(node: exp.Cast, scope: Scope) -> Typed:
    operand = value(node.this, scope)
    match affinity_of(node.to.sql(dialect="sqlite")):
        case Affinity.INTEGER:
            return cast_integer(operand)
        case Affinity.REAL:
            return cast_real(operand)
        case Affinity.TEXT:
            return cast_text(operand)
        case Affinity.NUMERIC:
            number = as_number(operand)
            return Typed(mql=number.mql, kind=number.kind, nullable=number.nullable, affinity=Affinity.NUMERIC)
    raise UntranslatableSqlError("cast", f"{node.sql(dialect='sqlite')}: this CAST has no rule.")


@value_rule(*_TESTS)
def _truth_value(node: exp.Expr, scope: Scope) -> Typed:
    """A condition as a value: 1, 0 or NULL."""
    mql = {"$cond": [test(node, scope), 1, {"$cond": [test(node, scope, wanted=False), 0, None]}]}
    return expression(mql, Kind.INTEGER, nullable=True)


@value_rule(exp.Coalesce)
def _coalesce(node: exp.Coalesce, scope: Scope) -> Typed:
    operands = [value(each, scope) for each in (node.this, *node.expressions)]
    nullable = all(operand.nullable for operand in operands)
    return expression({"$ifNull": [each.mql for each in operands]}, merged_kind(operands), nullable=nullable)


@value_rule(exp.Nullif)
def _null_if(node: exp.Nullif, scope: Scope) -> Typed:
    operand = value(node.this, scope)
    equal = test(exp.EQ(this=node.this.copy(), expression=node.expression.copy()), scope)
    return expression({"$cond": [equal, None, operand.mql]}, operand.kind, nullable=True)


@value_rule(exp.Greatest, exp.Least)
def _extreme(node: exp.Expr, scope: Scope) -> Typed:
    """MAX and MIN of several values are NULL where one of them is."""
    operands = [value(each, scope) for each in (node.this, *node.expressions)]
    name = "$max" if isinstance(node, exp.Greatest) else "$min"
    mql = unless_null(operands, {name: [operand.mql for operand in operands]})
    return expression(mql, merged_kind(operands), nullable=any(operand.nullable for operand in operands))


@value_rule(exp.Abs)
def _absolute(node: exp.Abs, scope: Scope) -> Typed:
    operand = as_number(value(node.this, scope))
    return expression({"$abs": operand.mql}, operand.kind, nullable=operand.nullable)


@value_rule(exp.Round)
def _rounded(node: exp.Round, scope: Scope) -> Typed:
    """SQLite rounds halves away from zero, MongoDB to the even neighbour."""
    operand = as_number(value(node.this, scope))
    digits = value(node.args["decimals"], scope) if node.args.get("decimals") else constant(0)
    if not digits.is_constant or not isinstance(digits.constant, int):
        raise UntranslatableSqlError("round", "ROUND() takes a number of digits that is written in the query.")
    power = 10 ** max(0, digits.constant)
    scaled = {"$multiply": [{"$abs": operand.mql}, power]} if power != 1 else {"$abs": operand.mql}
    whole: Any = {"$floor": {"$add": [scaled, 0.5]}}
    size = {"$divide": [whole, power]} if power != 1 else whole
    mql = {"$cond": [{"$lt": [operand.mql, 0]}, {"$multiply": [size, -1]}, size]}
    guarded = {"$cond": [is_not_null(operand.mql), mql, None]} if operand.nullable else mql
    return expression(guarded, Kind.REAL, nullable=operand.nullable)
