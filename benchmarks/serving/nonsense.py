"""Requests made from the schema: right ones, nearly right ones, and bytes that are no request at all."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

RIGHT, NEARLY = 0.45, 0.4  # shares of the requests; the others are nonsense
#: values that are seldom thought of
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 15, 16, 2**31, 2**53, 2**63, -(2**63), 10**30, 0.5, -0.0, 1e308, "", " ", "0", "-1", "null",
    "é", "\u0000", "\u202e", "\ud800", "💥" * 50, "x" * 5000, "../../etc/passwd", "%00", "a/b", "a.py:B", "random",
    "look-ahead(policy=look-ahead(policy=look-ahead))", "mcts(simulations=999999999999)", "kuhn(", "leduc(players=99)",
    "search(worlds=x,simulations=-3)", "((((((((((", "name=value", [], {}, [[]], [None], {"": ""}, {"a": {"b": []}},
)  # fmt: skip
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW")


@dataclass
class Known:
    """What there is to ask about: replaced now and then, so that much is found and much has gone."""

    tables: list[tuple[str, str]] = field(default_factory=list)  # with the token of a seat
    participants: list[str] = field(default_factory=list)  # tokens
    legal: dict[str, list[Any]] = field(default_factory=dict)  # of a table
    plies: dict[str, int] = field(default_factory=dict)
    agents: list[str] = field(default_factory=list)
    games: list[str] = field(default_factory=list)


class Nonsense:
    """Makes requests, the same ones for the same seed as long as the same is known."""

    def __init__(self, schema: Mapping[str, Any], seed: int) -> None:
        self.schema, self.dice, self.known = schema, random.Random(seed), Known()
        self.asked = [(path, method, one) for path, ways in schema["paths"].items() for method, one in ways.items()]

    def request(self) -> bytes:
        """The bytes of one."""
        path, method, about = self.dice.choice(self.asked)
        kind = self.dice.random()
        if kind > RIGHT + NEARLY:
            return self._bytes(path, method, about)
        odd = 0.0 if kind < RIGHT else 0.3
        table, token = self.dice.choice(self.known.tables) if self.known.tables else ("x" * 22, "y")
        if self.dice.random() < odd:
            token = str(self._odd())
        if "/study" in path and self.known.participants:
            token = self.dice.choice(self.known.participants)
        target = self._target(path, about, table, odd)
        body = None
        if "requestBody" in about:
            content = about["requestBody"]["content"].get("application/json", {})
            body = json.dumps(self._body(path, content.get("schema", {}), table, odd)).encode()
        return self._written(method.upper(), target, body, token)

    def _written(self, method: str, target: str, body: bytes | None, token: str, more: str = "") -> bytes:
        head = f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{more}"
        address = f"10.{self.dice.randrange(4)}.{self.dice.randrange(250)}.7"
        clean = "".join(letter for letter in token if 32 < ord(letter) < 127)[:200]
        head += f"X-Forwarded-For: {address}\r\nAuthorization: Bearer {clean}\r\n"
        head += f"Content-Length: {len(body or b'')}\r\n\r\n"
        return head.encode("latin-1", "replace") + (body or b"")

    # ----------------------------------------------------------------------------------------------- addresses

    def _target(self, path: str, about: Mapping[str, Any], table: str, odd: float) -> str:
        query = []
        for one in about.get("parameters", ()):
            value = self._named(one["name"], one.get("schema", {}), table, odd)
            text = quote(_as_text(value), safe="" if self.dice.random() < 0.9 else "/")
            if one["in"] == "path":
                path = path.replace(f"{{{one['name']}}}", text or "%20")
            elif one.get("required") or self.dice.random() < 0.5:
                query.append(f"{one['name']}={text}")
        return path + ("?" + "&".join(query) if query else "")

    def _named(self, name: str, schema: Mapping[str, Any], table: str, odd: float) -> Any:
        """A value for a parameter: often one that is there."""
        dice, known = self.dice, self.known
        if dice.random() < odd:
            return self._odd()
        if name == "table":
            return table
        if name in ("agent", "other") and known.agents:
            return dice.choice(known.agents)
        if name == "game" and known.games:
            return dice.choice(known.games)
        if name in ("ply", "since"):
            return max(0, known.plies.get(table, 0) - dice.choice((0, 0, 0, 1, 2, 5)))
        if name == "move" and known.legal.get(table):
            return dice.choice(known.legal[table])
        if name == "seat":
            return dice.randrange(3)
        return self._of(schema, table, odd)

    # ----------------------------------------------------------------------------------------------- bodies

    def _body(self, path: str, schema: Mapping[str, Any], table: str, odd: float) -> Any:
        if self.dice.random() < odd / 3:
            return self._odd()
        return self._of(schema, table, odd)

    def _of(self, schema: Mapping[str, Any], table: str, odd: float, depth: int = 0) -> Any:
        """A value that fits a schema, but for oddities."""
        dice = self.dice
        if dice.random() < odd / 2:
            return self._odd()
        if "$ref" in schema:
            schema = self.schema["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        for several in ("anyOf", "oneOf", "allOf"):
            if several in schema:
                return self._of(dice.choice(schema[several]), table, odd, depth)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return dice.choice(schema["enum"])
        kind = schema.get("type")
        if kind == "object":
            return self._object(schema, table, odd, depth)
        if kind == "array":
            count = dice.randrange(4) if depth < 4 else 0
            return [self._of(schema.get("items", {}), table, odd, depth + 1) for _ in range(count)]
        return self._plain(kind, schema)

    def _plain(self, kind: str | None, schema: Mapping[str, Any]) -> Any:
        dice = self.dice
        if kind in ("integer", "number"):
            low, high = schema.get("minimum", -5), schema.get("maximum", 100)
            return dice.choice((low, high, dice.randint(int(low), max(int(low), min(int(high), int(low) + 50)))))
        if kind == "boolean":
            return dice.random() < 0.5
        if kind == "string":
            words = [*self.known.agents[:40], *self.known.games, "Ann", "x"]
            return dice.choice(words)[: schema.get("maxLength", 1000)]
        return None

    def _object(self, schema: Mapping[str, Any], table: str, odd: float, depth: int) -> dict[str, Any]:
        found, needed = {}, schema.get("required", ())
        for name, one in schema.get("properties", {}).items():
            if name in needed and self.dice.random() < odd / 3:
                continue
            if name in needed or self.dice.random() < 0.3:
                found[name] = self._named(name, one, table, odd) if depth < 2 else self._of(one, table, odd, depth + 1)
        if self.dice.random() < odd:
            found[str(self._odd())] = self._odd()
        return found

    def _odd(self) -> Any:
        return self.dice.choice(ODD)

    # ----------------------------------------------------------------------------------------------- no requests

    def _bytes(self, path: str, method: str, about: Mapping[str, Any]) -> bytes:
        """Requests that no client library would send."""
        dice, table = self.dice, self.dice.choice(self.known.tables)[0] if self.known.tables else "x" * 22
        target = self._target(path, about, table, 0.5)
        body = json.dumps({"ply": 0, "move": "pass"}).encode()
        bodies: Sequence[bytes] = (
            b"", b"{", b"[" * 10_000, b'{"a":' * 5000, b"NaN", b'"\\ud800"', b"\xff\xfe", b"null", b"0", b"-", b"{}{}",
            b'{"game":"kuhn","game":"leduc"}', b'{"ply":1e400}', b'{"ply":' + b"9" * 5000 + b"}", b"x" * 70_000,
        )  # fmt: skip
        return dice.choice(
            (
                lambda: self._written(dice.choice(METHODS), target, None, "t"),
                lambda: self._written(method.upper(), target, dice.choice(bodies), "t"),
                lambda: self._written("POST", target, dice.choice(bodies), self.dice.choice(("", "t", "é"))),
                lambda: self._written("GET", target + "?" + "a=b&" * dice.randrange(1000), None, "t"),
                lambda: self._written("GET", "/" + "/".join("..") * dice.randrange(50), None, "t"),
                lambda: self._written("POST", target, body, "t", "Content-Type: text/plain\r\n"),
                lambda: self._written("POST", target, body, "t", "Transfer-Encoding: chunked\r\n"),
                lambda: self._written("GET", target, None, "t", "Cookie: a=\xff\r\nX-A: " + "y" * 3000 + "\r\n"),
                lambda: self._written("GET", target, None, "t", "Upgrade: websocket\r\nConnection: Upgrade\r\n"),
                lambda: self._written("GET", target, None, "t", "Accept-Encoding: gzip\r\nRange: bytes=5-2\r\n"),
                lambda: bytes(dice.randrange(256) for _ in range(dice.randrange(1, 300))) + b"\r\n\r\n",
                lambda: f"{method} {target} HTTP/9.9\r\n\r\n".encode("latin-1", "replace"),
                lambda: b"GET /api/games HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
            )
        )()


def _as_text(value: Any) -> str:
    """As it stands in an address; what cannot be written there is left out."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "ignore").decode()
