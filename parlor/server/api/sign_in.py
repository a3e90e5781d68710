"""Sign-in for a server that is not for everybody: a file with passwords, and a signed cookie.

The file has a line for each person, `name:password`, or one line with a password that all share. The cookie holds
the name, the time until which it is good, and a signature whose key is derived from the password: so nothing is
stored, several servers accept each other's cookies, and a new password ends all that were signed with the old one.
The page itself, which has the form, and the health are open to everybody.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from parlor.game import GameError
from parlor.server.api.limits import address_of, refuse
from parlor.server.tables.store import AWAY

COOKIE = "parlor-sign-in"
LASTS = 30 * 24 * 3600  # seconds that a cookie is good
SHORTEST = 8  # characters of a password
AGAIN = 10.0  # seconds between looks for cookies that were ended
KNOWN = 1000  # addresses from which somebody has signed in
EVERYBODY = ""  # the name of those who share a password
OPEN = ("/api/health", "/api/sign-in", "/api/sign-in/begin", "/api/sign-in/end")
SENTENCE = "This server is not open to everybody: sign in first."


class Passwords:
    """The people who may sign in, with hashes of their passwords."""

    def __init__(self, passwords: Mapping[str, str]) -> None:
        """`passwords` by name."""
        self._passwords = {name: _hash(password) for name, password in passwords.items()}
        self._keys = {
            name: hashlib.scrypt(password.encode(), salt=f"parlor {name}".encode(), n=2**14, r=8, p=1)
            for name, password in passwords.items()
        }
        self.ended: set[str] = set()  # signatures of cookies that were ended by signing out
        self.looked = float("-inf")  # when these were read

    @staticmethod
    def read(path: str) -> Passwords:
        """From a file."""
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise GameError(f"The password file {path} cannot be read: {reason}.") from None
        found: dict[str, str] = {}
        for line in filter(None, map(str.strip, lines)):
            name, colon, password = line.partition(":")
            name, password = (name.strip(), password) if colon else (EVERYBODY, line)
            if len(password) < SHORTEST:
                who = f"The password of {name!r}" if name else "The password"
                raise GameError(f"{who} in {path} must have at least {SHORTEST} characters.")
            if name in found:
                raise GameError(f"{path} has two passwords for {name or 'everybody'!r}.")
            found[name] = password
        if not found:
            raise GameError(f"There is no password in {path}; it must have lines like name:password.")
        return Passwords(found)

    @property
    def named(self) -> bool:
        """Whether people sign in by name."""
        return set(self._passwords) != {EVERYBODY}

    def right(self, name: str, password: str) -> bool:
        """Whether this is the password, in the same time for every wrong one."""
        name = name if name in self._passwords else EVERYBODY
        return hmac.compare_digest(self._passwords.get(name, bytes(32)), _hash(password))

    def known(self, name: str) -> str:
        """The name a person signs in with: that of those who share a password if it has none of its own."""
        return name if name in self._passwords else EVERYBODY

    def sign(self, name: str) -> str:
        """A cookie for a name."""
        said = f"{name.encode().hex()}.{secrets.token_hex(8)}.{int(time.time()) + LASTS}"
        return f"{said}.{self._signature(name, said)}"

    def signed_in(self, scope: Scope) -> str | None:
        """The name in the cookie of a request, if it is good."""
        return next((name for name, _, _ in self.cookies(scope)), None)

    def cookies(self, scope: Scope) -> Iterator[tuple[str, str, int]]:
        """The good cookies of a request: the name in each, its signature, and until when it is good."""
        for key, value in scope["headers"]:
            if key == b"cookie":
                try:
                    found = SimpleCookie(value.decode("latin-1")).get(COOKIE)
                except CookieError:
                    continue
                if found is not None and (name := self._name(found.value)) is not None:
                    said, _, mark = found.value.rpartition(".")
                    yield name, mark, int(said.rpartition(".")[2])

    def by_basic(self, scope: Scope) -> bool:
        """Whether a request has the password in its header, as programs send it."""
        said = next((value for key, value in scope["headers"] if key == b"authorization"), b"")
        try:
            name, _, password = base64.b64decode(said[6:], validate=True).decode().partition(":")
        except ValueError:
            return False
        return said[:6].lower() == b"basic " and self.right(name, password)

    def _name(self, cookie: str) -> str | None:
        said, _, signature = cookie.rpartition(".")
        coded, until = said.partition(".")[0], said.rpartition(".")[2]
        try:
            name = bytes.fromhex(coded).decode()
        except ValueError:
            return None
        key_known = name in self._keys
        good = hmac.compare_digest(self._signature(name, said).encode(), signature.encode())
        good = good and signature not in self.ended
        return name if key_known and good and until.isdecimal() and int(until) > time.time() else None

    def _signature(self, name: str, said: str) -> str:
        return hmac.new(self._keys.get(name, bytes(64)), said.encode(), "sha256").hexdigest()


class SignedIn:
    """Lets only those through who have signed in."""

    def __init__(
        self, app: ASGIApp, passwords: Passwords, attempts: Attempts, closed: tuple[str, ...] = ("/api", "/metrics")
    ) -> None:
        """Require signing in for paths that begin with one of `closed`."""
        self.app = app
        self.passwords = passwords
        self.closed = closed
        self.attempts = attempts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it through, or refuse with a sentence."""
        path = scope.get("path", "")
        await self._look(scope)
        if scope["type"] not in ("http", "websocket") or path in OPEN or not path.startswith(self.closed):
            await self.app(scope, receive, send)
        elif (name := self.passwords.signed_in(scope)) is not None:
            scope["user_name"] = name
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4401, "reason": SENTENCE})
        elif path != "/metrics":
            await refuse(send, 401, SENTENCE, {"www-authenticate": 'Cookie realm="Parlor"'})
        elif self._programs(scope):
            await self.app(scope, receive, send)
        else:
            await refuse(send, 401, SENTENCE, {"www-authenticate": 'Basic realm="Parlor"'})

    async def _look(self, scope: Scope) -> None:
        """Read now and then which cookies were ended, also at another server of the same database."""
        store = getattr(getattr(scope.get("app"), "state", None), "store", None)
        if store is not None and time.monotonic() - self.passwords.looked > AGAIN:
            self.passwords.looked = time.monotonic()
            with contextlib.suppress(*AWAY):
                self.passwords.ended |= await store.ended_cookies()

    def _programs(self, scope: Scope) -> bool:
        """Whether a program has sent the password, and has not guessed too often."""
        address = address_of(scope)
        if not any(key == b"authorization" for key, _ in scope["headers"]) or self.attempts.wait(address) > 0:
            return False
        if not self.passwords.by_basic(scope):
            self.attempts.failed(address)
            return False
        return True


class Attempts:
    """A limit on wrong passwords: few in a row from an address, and not many in all.

    When there are too many in all, an address that has guessed wrong waits; one that has not may try once, and one from
    which somebody has signed in is not stopped by the others: nobody is locked out by somebody else.
    """

    def __init__(self, each: int = 5, all: int = 50, seconds: float = 60.0) -> None:
        """So many within so many seconds."""
        self.each, self.all, self.seconds = each, all, seconds
        self._wrong: list[tuple[float, str]] = []  # when, and from where
        self._right: OrderedDict[str, None] = OrderedDict()  # from where somebody has signed in

    def wait(self, address: str) -> float:
        """Seconds to wait before the next; 0: go ahead."""
        now = time.monotonic()
        self._wrong = [(at, where) for at, where in self._wrong if now - at < self.seconds]
        mine = [at for at, where in self._wrong if where == address]
        if len(mine) < self.each and (len(self._wrong) < self.all or not mine or address in self._right):
            return 0.0
        return self.seconds - (now - (mine[0] if len(mine) >= self.each else self._wrong[0][0]))

    def succeeded(self, address: str) -> None:
        """Remember from where somebody has signed in."""
        self._right[address] = None
        while len(self._right) > KNOWN:
            self._right.popitem(last=False)

    def failed(self, address: str) -> None:
        """Remember a wrong one."""
        self._wrong.append((time.monotonic(), address))


def _hash(password: str) -> bytes:
    return hashlib.sha256(password.encode(errors="replace")).digest()
