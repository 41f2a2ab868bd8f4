"""The guard's lists: every name that a query may use, and every name that is refused with a reason of its own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Kind(StrEnum):
    """Where a name stands in a query."""

    METHOD = "method"
    STAGE = "stage"
    QUERY_OPERATOR = "query operator"
    EXPRESSION = "expression operator"
    ACCUMULATOR = "accumulator"
    WINDOW = "window operator"
    WRAPPER = "value wrapper"
    VARIABLE = "system variable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One name that is allowed.

    Args:
        name: exactly as the server spells it; `$$` is left out of a system variable.
        kind: where it may stand.
        reason: why it is harmless.
        since: first server version that knows it.
    """

    name: str
    kind: Kind
    reason: str
    since: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One name that is refused with a reason of its own; every name on no list is refused as unknown.

    Args:
        name: the method, command, stage, operator or variable.
        reason: the stable identifier of the refusal.
        why: what it would do.
    """

    name: str
    reason: str
    why: str


# (kind, why it is harmless, {first server version: names})
_ALLOWED: tuple[tuple[Kind, str, Mapping[str, str]], ...] = (
    (
        Kind.METHOD,
        "reads documents or counts them",
        {"1.0": "find findOne count distinct", "2.2": "aggregate", "4.0": "countDocuments estimatedDocumentCount"},
    ),
    (
        Kind.STAGE,
        "filters, shapes, groups or orders the documents that reach it",
        {
            "2.2": "$match $project $group $sort $limit $skip $unwind",
            "3.2": "$sample $lookup",
            "3.4": "$addFields $bucket $bucketAuto $count $facet $graphLookup $replaceRoot $sortByCount",
            "4.2": "$set $unset $replaceWith",
            "4.4": "$unionWith",
            "5.0": "$setWindowFields",
            "5.1": "$densify $documents",
            "5.3": "$fill",
        },
    ),
    (Kind.STAGE, "keeps or drops parts of the documents that reach it", {"2.6": "$redact"}),
    (Kind.STAGE, "orders documents by distance", {"2.4": "$geoNear"}),
    (
        Kind.QUERY_OPERATOR,
        "compares a field of the document with a constant",
        {
            "1.0": "$gt $gte $lt $lte $ne $in $nin $all $size $exists $mod $type $regex $options $not $elemMatch",
            "2.0": "$and $or $nor",
            "3.0": "$eq",
            "3.2": "$bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet",
        },
    ),
    (
        Kind.QUERY_OPERATOR,
        "compares a place with a constant shape",
        {
            "1.4": "$near $nearSphere $maxDistance",
            "2.4": "$geoWithin $geoIntersects $geometry $box $center $centerSphere $polygon",
            "2.6": "$minDistance",
        },
    ),
    (Kind.QUERY_OPERATOR, "old spelling of $geoWithin", {"1.4": "$within $uniqueDocs"}),
    (
        Kind.QUERY_OPERATOR,
        "searches a text index of the collection",
        {"2.6": "$text $search $language $caseSensitive $diacriticSensitive"},
    ),
    (Kind.QUERY_OPERATOR, "compares the document with a JSON schema", {"3.6": "$jsonSchema"}),
    (Kind.QUERY_OPERATOR, "an expression over the document's own fields", {"3.6": "$expr"}),
    (Kind.QUERY_OPERATOR, "a note in the query", {"3.2": "$comment"}),
    (Kind.QUERY_OPERATOR, "orders documents as they are stored", {"1.0": "$natural"}),
    (Kind.QUERY_OPERATOR, "keeps a random share of the documents", {"4.4": "$sampleRate"}),
    (Kind.QUERY_OPERATOR, "cuts an array in a projection", {"1.6": "$slice"}),
    (
        Kind.EXPRESSION,
        "arithmetic on its operands",
        {
            "2.2": "$add $subtract $multiply $divide $mod",
            "3.2": "$abs $ceil $exp $floor $ln $log $log10 $pow $sqrt $trunc",
            "4.2": "$round $sin $cos $tan $asin $acos $atan $atan2 $sinh $cosh $tanh $asinh $acosh $atanh "
            "$degreesToRadians $radiansToDegrees",
            "8.1": "$sigmoid",
        },
    ),
    (Kind.EXPRESSION, "bit arithmetic on its operands", {"6.3": "$bitAnd $bitOr $bitXor $bitNot"}),
    (
        Kind.EXPRESSION,
        "compares its operands or chooses between them",
        {"2.2": "$and $or $not $cmp $eq $gt $gte $lt $lte $ne $cond $ifNull", "3.4": "$switch"},
    ),
    (
        Kind.EXPRESSION,
        "reads or builds an array from its operands; growth is bounded by the resource rules",
        {
            "2.6": "$map $size",
            "3.2": "$arrayElemAt $concatArrays $filter $isArray $slice",
            "3.4": "$arrayToObject $in $indexOfArray $objectToArray $range $reduce $reverseArray $zip",
            "4.4": "$first $last",
            "5.2": "$firstN $lastN $maxN $minN $sortArray",
        },
    ),
    (
        Kind.EXPRESSION,
        "treats its operands as sets",
        {"2.6": "$allElementsTrue $anyElementTrue $setDifference $setEquals $setIntersection $setIsSubset $setUnion"},
    ),
    (
        Kind.EXPRESSION,
        "reads or builds text from its operands; growth is bounded by the resource rules",
        {
            "2.2": "$strcasecmp $substr $toLower $toUpper",
            "2.4": "$concat",
            "3.4": "$indexOfBytes $indexOfCP $split $strLenBytes $strLenCP $substrBytes $substrCP",
            "4.0": "$ltrim $rtrim $trim",
            "4.2": "$regexFind $regexFindAll $regexMatch",
            "4.4": "$replaceAll $replaceOne",
        },
    ),
    (
        Kind.EXPRESSION,
        "reads or builds a date from its operands",
        {
            "2.2": "$dayOfMonth $dayOfWeek $dayOfYear $hour $minute $month $second $week $year",
            "2.4": "$millisecond",
            "3.0": "$dateToString",
            "3.4": "$isoDayOfWeek $isoWeek $isoWeekYear",
            "3.6": "$dateFromParts $dateFromString $dateToParts",
            "5.0": "$dateAdd $dateDiff $dateSubtract $dateTrunc",
            "5.1": "$tsIncrement $tsSecond",
        },
    ),
    (
        Kind.EXPRESSION,
        "changes or tells the type of its operand",
        {
            "3.4": "$type",
            "4.0": "$convert $toBool $toDate $toDecimal $toDouble $toInt $toLong $toObjectId $toString",
            "4.4": "$isNumber $binarySize $bsonSize",
            "8.0": "$toUUID",
            "8.1": "$toArray $toObject",
        },
    ),
    (
        Kind.EXPRESSION,
        "reads or builds a sub-document from its operands",
        {"3.4": "$mergeObjects", "5.0": "$getField $setField $unsetField"},
    ),
    (Kind.EXPRESSION, "a constant, or names for values", {"2.6": "$let $literal"}),
    (Kind.EXPRESSION, "metadata of the document, such as its text score", {"2.6": "$meta"}),
    (Kind.EXPRESSION, "a random number", {"4.4": "$rand"}),
    (Kind.EXPRESSION, "a hash key of its operand", {"4.4": "$toHashedIndexKey"}),
    (
        Kind.ACCUMULATOR,
        "combines values of one group",
        {
            "2.2": "$addToSet $avg $first $last $max $min $push $sum",
            "3.2": "$stdDevPop $stdDevSamp",
            "3.6": "$mergeObjects",
            "5.0": "$count",
            "5.2": "$bottom $bottomN $firstN $lastN $maxN $minN $top $topN",
            "7.0": "$median $percentile",
            "8.1": "$concatArrays $setUnion",
        },
    ),
    (
        Kind.WINDOW,
        "combines values of neighbouring documents",
        {
            "5.0": "$covariancePop $covarianceSamp $denseRank $derivative $documentNumber $expMovingAvg $integral "
            "$rank $shift",
            "5.3": "$linearFill $locf",
            "8.1": "$minMaxScaler",
        },
    ),
    (
        Kind.WRAPPER,
        "parts of a database reference, which is a constant",
        {"1.0": "$ref $id"},
    ),
    (
        Kind.VARIABLE,
        "the document that is being read, or no value at all",
        {"2.6": "ROOT CURRENT DESCEND PRUNE KEEP", "3.6": "REMOVE"},
    ),
    (Kind.VARIABLE, "the time of the query: allowed with a flag, because the answer changes", {"4.2": "NOW"}),
    (Kind.VARIABLE, "the position inside an array", {"8.3": "IDX"}),
)

_VERBS: Final = (
    "insert update replace delete remove drop create save upsert bulk initializeOrdered initializeUnordered findAnd "
    "findOneAnd findByIdAnd ensureIndex reIndex hideIndex unhideIndex rename convertToCapped clone copy collMod grant "
    "revoke change addUser set enable disable kill shutdown fsync repair truncate compact modify configure"
)
WRITE_VERBS = tuple(_VERBS.split())
"""First words of methods that change something; a method named so is refused as a write, listed nowhere or not."""

# (reason, what it would do, names)
_REFUSED_METHODS: tuple[tuple[str, str, str], ...] = (
    (
        "server_side_js",
        "runs JavaScript inside the server",
        "mapReduce inlineMapReduce group eval loadServerScripts $where",
    ),
    ("command_not_allowed", "runs a command of the server's administrators", "adminCommand _adminCommand command"),
)

_REFUSED_COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("server_side_js", "runs JavaScript inside the server", "mapReduce mapreduce group eval $eval"),
)

_REFUSED_OPERATORS: tuple[tuple[str, str, str], ...] = (
    ("write_stage", "writes the result into a collection", "$out $merge"),
    ("server_side_js", "runs JavaScript inside the server", "$where $function $accumulator $code $scope"),
)

_REFUSED_VARIABLES: tuple[tuple[str, str, str], ...] = (
    ("unknown_variable", "tells about the server, not about the data", "CLUSTER_TIME USER_ROLES SEARCH_META JS_SCOPE"),
)

READ_COMMANDS = frozenset({"find", "aggregate", "count", "distinct"})
"""Commands that `runCommand` may name; each is rebuilt from its parts and sent as a method call."""


def _entries() -> Iterator[Entry]:
    for kind, reason, versions in _ALLOWED:
        for since, names in versions.items():
            for name in names.split():
                yield Entry(name=name, kind=kind, reason=reason, since=since)


def _refusals(table: tuple[tuple[str, str, str], ...]) -> Mapping[str, Refusal]:
    return MappingProxyType(
        {name: Refusal(name=name, reason=reason, why=why) for reason, why, names in table for name in names.split()}
    )


def _names(*kinds: Kind) -> frozenset[str]:
    return frozenset(entry.name for entry in ENTRIES if entry.kind in kinds)


ENTRIES: tuple[Entry, ...] = tuple(_entries())
METHODS = _names(Kind.METHOD)
STAGES = _names(Kind.STAGE)
OPERATORS = _names(Kind.QUERY_OPERATOR, Kind.EXPRESSION, Kind.ACCUMULATOR, Kind.WINDOW, Kind.WRAPPER)
VARIABLES = _names(Kind.VARIABLE)
REFUSED_METHODS = _refusals(_REFUSED_METHODS)
REFUSED_COMMANDS = _refusals(_REFUSED_COMMANDS)
REFUSED_OPERATORS = _refusals(_REFUSED_OPERATORS)
REFUSED_VARIABLES = _refusals(_REFUSED_VARIABLES)
