"""A cache among threads, for what can be made again at any time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")


class Cache(Generic[K, T]):
    """What was used last, up to a number of values."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> T | None:
        """The value, which then counts as just used."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: K, value: T) -> None:
        """Keeps a value; the one that was not used for longest makes room."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._values.clear()
