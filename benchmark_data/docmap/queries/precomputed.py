"""Rewrites SQL that groups the rows below a row into SQL that reads the aggregate beside that row.

`SELECT p.name, COUNT(*) FROM parent p JOIN child c ON c.parent_id = p.id GROUP BY p.id` becomes
`SELECT p.name, p."@children" FROM parent p WHERE p."@children" > 0`, where documents have such a field.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from benchmark_data.docmap.queries.below import JoinedQuery, NoSummaryError, RowsBelow, joined_query, rows_below
from benchmark_data.docmap.queries.grouping import AGGREGATES, aggregates_in
from benchmark_data.docmap.queries.names import output_name
from benchmark_data.docmap.queries.schema import Schema
from benchmark_data.docmap.queries.summaries import Summary, normal_text
from benchmark_data.docmap.vocabulary import Operation

_OPERATIONS: dict[type[exp.Expr], Operation] = {
    exp.Sum: Operation.SUM,
    exp.Avg: Operation.AVG,
    exp.Min: Operation.MIN,
    exp.Max: Operation.MAX,
}


def precomputed(tree: exp.Expr, schema: Schema, summaries: Sequence[Summary]) -> Iterator[exp.Expr]:
    """The query with one of its SELECTs rewritten, for each SELECT and each set of aggregates that fits.

    The rewritten query gives the same rows where no column is NULL that the query counts; so it has to be confirmed.
    """
    ways = dict.fromkeys((each.table, each.links) for each in summaries)
    for place, select in enumerate(tree.find_all(exp.Select)):
        query = joined_query(select, schema)
        for way in ways if query is not None else ():
            own = [each for each in summaries if (each.table, each.links) == way]
            try:
                made = _rewritten(query, rows_below(query, own, schema))  # type: ignore[arg-type]
            except NoSummaryError:
                continue
            yield _replaced(tree, place, made)


def _replaced(tree: exp.Expr, place: int, made: exp.Select) -> exp.Expr:
    whole = tree.copy()
    old = list(whole.find_all(exp.Select))[place]
    if old is whole:
        return made
    old.replace(made)
    return whole


def _rewritten(query: JoinedQuery, found: RowsBelow) -> exp.Select:
    select = query.select
    if not aggregates_in(select.expressions) and not select.args.get("having") and not select.args.get("order"):
        raise NoSummaryError
    keys = select.args["group"].expressions if select.args.get("group") else []
    restating = _Restating(query=query, found=found, keys=tuple(_resolved(each, select) for each in keys))
    made = exp.Select(
        expressions=[
            exp.alias_(restating.restated(each.unalias()), output_name(each), quoted=True)
            for each in select.expressions
        ],
        distinct=select.args.get("distinct"),
        limit=select.args.get("limit"),
        offset=select.args.get("offset"),
    ).copy()
    conditions = [restating.restated(each) for each in query.conditions if not any(each is used for used in found.used)]
    conditions.append(exp.GT(this=restating.column(found.find(Operation.COUNT, None)), expression=exp.convert(0)))
    having = select.args.get("having")
    if having is not None:
        restated = restating.restated(_resolved(having.this, select))
        if restating.is_row:
            conditions.append(exp.Paren(this=restated))
        else:
            made.set("having", exp.Having(this=restated))
    if keys and not restating.is_row:
        made.set("group", exp.Group(expressions=[restating.restated(each) for each in restating.keys]))
    _set_order(made, select, restating)
    _set_tables(made, query, found)
    made.set("where", exp.Where(this=exp.and_(*conditions, copy=False)))
    return made


def _set_order(made: exp.Select, select: exp.Select, restating: "_Restating") -> None:
    order = select.args.get("order")
    if order is None:
        return
    ordered = []
    for each in order.expressions:
        copy = each.copy()
        copy.set("this", restating.restated(_resolved(each.this, select)))
        ordered.append(copy)
    made.set("order", exp.Order(expressions=ordered))


def _set_tables(made: exp.Select, query: JoinedQuery, found: RowsBelow) -> None:
    """The parent first, then the tables above it; their conditions stand in WHERE."""
    kept = [alias for alias in query.tables if alias not in {found.parent, *found.below}]
    entries = [(found.parent, found.table), *((alias, query.tables[alias]) for alias in kept)]
    tables = [exp.alias_(exp.to_table(f'"{table.name}"'), alias, quoted=True, table=True) for alias, table in entries]
    made.set("from_", exp.From(this=tables[0]))
    made.set("joins", [exp.Join(this=each, kind="CROSS") for each in tables[1:]])


def _resolved(node: exp.Expr, select: exp.Select) -> exp.Expr:
    """An expression of GROUP BY, HAVING or ORDER BY with positions and aliases of SELECT replaced."""
    if isinstance(node, exp.Literal) and not node.is_string:
        place = int(node.this) - 1
        return select.expressions[place].unalias() if place in range(len(select.expressions)) else node
    aliases = {each.alias.lower(): each.this for each in select.expressions if isinstance(each, exp.Alias)}
    holder = exp.Paren(this=node.copy())
    for column in list(holder.find_all(exp.Column)):
        if not column.table and column.name.lower() in aliases:
            column.replace(aliases[column.name.lower()].copy())
    found: exp.Expr = holder.this
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Restating:
    """Says expressions of the query in the parent's columns.

    Args:
        query: the query.
        found: the rows below.
        keys: of GROUP BY.
    """

    query: JoinedQuery
    found: RowsBelow
    keys: tuple[exp.Expr, ...]

    @property
    def is_row(self) -> bool:
        """Whether each group has one row of the parent."""
        return any(self._is_key(each) for each in self.keys)

    def column(self, summary: Summary) -> exp.Column:
        """The aggregate as a column."""
        return exp.column(summary.column, table=self.found.parent, quoted=True)

    def restated(self, node: exp.Expr) -> exp.Expr:
        """The expression with aggregates and the parent's key replaced.

        Raises:
            NoSummaryError: a part has no counterpart in the parent's document.
        """
        holder = exp.Paren(this=node.copy())
        self._restate(holder.this)
        found: exp.Expr = holder.this
        return found

    def _restate(self, node: exp.Expr) -> None:
        if isinstance(node, exp.Query):
            raise NoSummaryError
        if isinstance(node, exp.Column):
            node.replace(self._restated_column(node))
        elif isinstance(node, exp.Round) and isinstance(node.this, AGGREGATES) and self.is_row:
            node.replace(self._rounded(node))
        elif isinstance(node, AGGREGATES):
            node.replace(self._aggregate(node))
        else:
            for part in list(node.iter_expressions()):
                self._restate(part)

    def _restated_column(self, node: exp.Column) -> exp.Expr:
        alias = self.query.owner(node)
        if (alias, node.name.lower()) == self.found.foreign_key:
            return exp.column(self.found.key, table=self.found.parent, quoted=True)
        if alias in self.found.below:
            raise NoSummaryError
        return exp.column(node.name, table=alias, quoted=True)

    def _rounded(self, node: exp.Round) -> exp.Expr:
        digits = node.args.get("decimals")
        try:
            return self.column(self._summary(node.this, digits=int(str(digits)) if digits is not None else 0))
        except (NoSummaryError, ValueError):
            made = node.copy()
            made.set("this", self._aggregate(node.this))
            return made

    def _aggregate(self, node: exp.Expr) -> exp.Expr:
        column = self._conditional(node) or self.column(self._summary(node))
        if self.is_row:
            return column
        if isinstance(node, exp.Avg):
            raise NoSummaryError
        if isinstance(node, exp.Count):
            total = exp.Sum(this=column)
            return total if self.keys else exp.Coalesce(this=total, expressions=[exp.convert(0)])
        return type(node)(this=column)

    def _conditional(self, node: exp.Expr) -> exp.Expr | None:
        """`SUM(CASE WHEN p.name = 'x' THEN c.price ELSE 0 END)`: all rows below a row take the same branch."""
        case = node.this
        if not isinstance(node, exp.Sum | exp.Count) or not isinstance(case, exp.Case | exp.If):
            return None
        branches = [case] if isinstance(case, exp.If) else case.args["ifs"]
        default = case.args.get("false" if isinstance(case, exp.If) else "default") or exp.null()
        if isinstance(case, exp.Case) and case.this is not None:
            raise NoSummaryError
        made = exp.Case(default=self._total(default, node))
        for branch in branches:
            condition = self.restated(branch.this)
            made.append("ifs", exp.If(this=condition, true=self._total(branch.args["true"], node)))
        return made

    def _total(self, node: exp.Expr, aggregate: exp.Expr) -> exp.Expr:
        """The aggregate of one branch over all rows below."""
        if isinstance(node, exp.Null):
            return exp.convert(0) if isinstance(aggregate, exp.Count) else exp.null()
        if not isinstance(node, exp.Literal):
            return self.column(self._summary(type(aggregate)(this=node.copy())))
        number = self.column(self.found.find(Operation.COUNT, None))
        if isinstance(aggregate, exp.Count):
            return number
        return exp.Mul(this=node.copy(), expression=number) if str(node.this) != "0" else exp.convert(0)

    def _summary(self, node: exp.Expr, digits: int | None = None) -> Summary:
        if isinstance(node.this, exp.Distinct) or node.expressions:
            raise NoSummaryError
        if isinstance(node, exp.Count):
            return self.found.find(Operation.COUNT, None, digits)
        if self.query.owners(node.this) != {self.found.below[-1]}:
            raise NoSummaryError
        return self.found.find(_OPERATIONS[type(node)], normal_text(node.this), digits)

    def _is_key(self, node: exp.Expr) -> bool:
        if not isinstance(node, exp.Column):
            return False
        place = (self.query.owner(node), node.name.lower())
        primary = [(self.found.parent, name.lower()) for name in self.found.table.primary_key]
        return place in {(self.found.parent, self.found.key), self.found.foreign_key} or [place] == primary
