"""The applications, their releases, the devices' models and the known crash signatures."""

from typing import Final, NamedTuple


class App(NamedTuple):
    """An application: its row, and how often it is used beside the others."""

    app_id: str
    name: str
    category: str
    paid: str
    launched: str
    popularity: int


class Release(NamedTuple):
    """A version of an application; 4.10.0 comes after 4.9.0."""

    app_id: str
    version: str
    channel: str
    released: str


class Model(NamedTuple):
    """A model of device, its possible system versions, its memory in megabytes, and how common it is."""

    name: str
    system: str
    versions: tuple[str, ...]
    memory: int
    popularity: int


class Signature(NamedTuple):
    """A crash signature: its row, and how often it strikes beside the others."""

    signature_id: str
    title: str
    component: str
    fixed_in: str | None
    duplicate_of: str | None
    weight: int


APPS: Final = (
    App("notely", "Notely", "Productivity", "N", "2019-04-02", 30),
    App("pacer", "Pacer", "Health", "Y", "2020-09-21", 22),
    App("kettle", "Kettle Timer", "Utilities", "N", "2021-02-11", 8),
    App("orrery", "Orrery", "Education", "Y", "2022-05-30", 12),
    App("sumo", "Sumo Sudoku", "Games", "N", "2018-11-14", 26),
    App("tandem", "Tandem", "Social", "N", "2023-08-08", 16),
)

RELEASES: Final = (
    Release("notely", "4.8.0", "S", "2023-10-03"),
    Release("notely", "4.9.0", "S", "2023-12-11"),
    Release("notely", "4.10.0", "S", "2024-02-06"),
    Release("notely", "4.11.0-b1", "B", "2024-02-20"),
    Release("notely", "4.11.0-b2", "B", "2024-03-05"),
    Release("notely", "4.11.0", "S", "2024-03-12"),
    Release("pacer", "2.9.0", "S", "2023-11-15"),
    Release("pacer", "2.10.0", "S", "2024-01-23"),
    Release("pacer", "2.11.0-b1", "B", "2024-02-27"),
    Release("pacer", "2.11.0", "S", "2024-03-19"),
    Release("kettle", "1.4.2", "S", "2023-06-30"),
    Release("kettle", "1.5.0", "S", "2024-01-08"),
    Release("orrery", "0.9.8", "S", "2023-09-19"),
    Release("orrery", "0.9.10", "S", "2023-12-01"),
    Release("orrery", "1.0.0-n77", "N", "2024-02-29"),
    Release("orrery", "1.0.0-n84", "N", "2024-03-09"),
    Release("sumo", "7.1.0", "S", "2023-08-22"),
    Release("sumo", "7.2.0", "S", "2023-11-28"),
    Release("sumo", "7.3.0", "S", "2024-03-07"),
    Release("tandem", "0.3.0", "B", "2023-12-20"),
    Release("tandem", "0.4.0", "B", "2024-02-14"),
    Release("tandem", "0.5.0-n12", "N", "2024-03-03"),
    Release("tandem", "0.5.0", "B", "2024-03-15"),
)

MODELS: Final = (
    Model("Pixel 7", "Android", ("13", "14"), 8192, 14),
    Model("pixel 7", "android", ("14",), 8192, 3),
    Model("Galaxy A14", "Android", ("12", "13"), 4096, 20),
    Model("Galaxy S23", "Android", ("13", "14"), 8192, 12),
    Model("Redmi 9A", "Android", ("10",), 2048, 11),
    Model("iPhone 12", "iOS", ("16.7", "17.2", "17.3"), 4096, 16),
    Model("iPhone 15", "iOS", ("17.2", "17.3"), 6144, 12),
    Model("iPad 9", "iOS", ("16.7", "17.3"), 3072, 7),
    Model("IPAD 9", "ios", ("17.3",), 3072, 2),
    Model("Surface Go", "Windows", ("10", "11"), 8192, 6),
)
COUNTRIES: Final = {"US": 24, "DE": 18, "IN": 16, "BR": 12, "PL": 8, "JP": 6, "KE": 4}
FLAGS: Final = ("betaBadge", "compactList", "darkMode", "newSearch", "offlineSync", "quickReply")

KINDS: Final = {
    "Productivity": {"screen": 34, "tap": 36, "sync": 16, "search": 10, "share": 2, "error": 2},
    "Health": {"screen": 40, "tap": 25, "sync": 27, "purchase": 2, "share": 3, "error": 3},
    "Utilities": {"screen": 55, "tap": 43, "error": 2},
    "Education": {"screen": 50, "tap": 28, "search": 14, "purchase": 2, "share": 4, "error": 2},
    "Games": {"screen": 26, "tap": 62, "purchase": 5, "share": 3, "error": 4},
    "Social": {"screen": 30, "tap": 34, "sync": 16, "search": 6, "share": 8, "error": 6},
}
FAILURES: Final = {"sync": 18, "search": 4, "purchase": 12, "share": 6, "error": 100}
PRICES: Final = (99, 99, 199, 299, 499, 999)

SIGNATURES: Final = (
    Signature("SIG-001", "null list in SyncQueue.drain", "sync", "4.11.0", None, 20),
    Signature("SIG-002", "drain of SyncQueue hit null", "sync", None, "SIG-001", 9),
    Signature("SIG-003", "SyncQueue.drain: Null list", "sync", None, "SIG-002", 4),
    Signature("SIG-004", "out of memory decoding bitmap", "graphics", None, None, 24),
    Signature("SIG-005", "OutOfMemory in BitmapCache", "graphics", None, "SIG-004", 8),
    Signature("SIG-006", "deadlock between Player and Clock", "audio", "2.10.0", None, 5),
    Signature("SIG-007", "index out of range in SearchIndex", "search", "4.10.0", None, 9),
    Signature("SIG-008", "range check failed: SearchIndex", "search", None, "SIG-007", 3),
    Signature("SIG-009", "bad date: 2024-02-30", "calendar", None, None, 6),
    Signature("SIG-010", "main thread blocked by Store.open", "storage", None, None, 11),
    Signature("SIG-011", "Store.open blocked MAIN thread", "storage", None, "SIG-010", 4),
    Signature("SIG-012", "Store.open waits for lock", "storage", None, "SIG-011", 2),
    Signature("SIG-013", "unknown emoji 🫠 in renderer", "graphics", "7.3.0", None, 3),
    Signature("SIG-014", "certificate of push host expired", "network", None, None, 7),
)
