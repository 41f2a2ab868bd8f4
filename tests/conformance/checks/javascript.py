"""Server-side JavaScript, which a real mongod runs unless security.javascriptEnabled is false."""

from tests.conformance.building import add, aggregation

add(
    "js",
    "$where",
    [{"_id": 1, "a": 1}, {"_id": 2, "a": 2}],
    ("find", "c", {"$where": "this.a > 1"}, {"_id": 1}, {}),
    [{"_id": 2}],
)
aggregation(
    "js",
    "$function",
    [{"_id": 1, "a": 1}],
    [{"$project": {"_id": 0, "r": {"$function": {"body": "function(x){return x+1}", "args": ["$a"], "lang": "js"}}}}],
    [{"r": 2.0}],
)
aggregation(
    "js",
    "$accumulator",
    [{"_id": 1, "a": 1}],
    [
        {
            "$group": {
                "_id": None,
                "r": {
                    "$accumulator": {
                        "init": "function(){return 0}",
                        "accumulate": "function(s,x){return s+x}",
                        "accumulateArgs": ["$a"],
                        "merge": "function(a,b){return a+b}",
                        "lang": "js",
                    }
                },
            }
        }
    ],
    [{"_id": None, "r": 1.0}],
)
