"""Admission of participants: one person is one participant, however the id is written.

The id of a link is brought into one form first. Then it must be one that the study expects: on its list, of its
pattern, or signed by it. And from one address only so many new participants come in an hour: ids that anybody can
invent do not fill a study.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Mapping

from parlor.server.refusal import Refusal
from parlor.study.data.store import signature
from parlor.study.design.description import Entry

HOUR = 3600.0
ADDRESSES = 10_000  # that are remembered
SESSION = re.compile(r"[0-9a-f]{24}")  # on Prolific
INCOMPLETE = "This link is not complete: use the link that you were sent, as it is."


def same_id(written: str) -> str:
    """An id in one form: without spaces around it and characters that nobody sees, and wide letters like others."""
    plain = unicodedata.normalize("NFKC", written)
    return "".join(one for one in plain if unicodedata.category(one) not in ("Cf", "Cc", "Zl", "Zp")).strip()


def check_entry(entry: Entry, secret: str, platform: str, signed: str, parameters: Mapping[str, str]) -> None:
    """Refuse an id that the study does not expect; `parameters` are what else the link says."""
    if not platform or not platform.isascii():
        raise Refusal(403, INCOMPLETE)
    if entry.must_be_signed:
        right = signature(secret, platform)
        if not hmac.compare_digest(right.encode(), signed.encode(errors="replace")):
            raise Refusal(403, INCOMPLETE)
    if entry.study_id and not (
        parameters.get("STUDY_ID", "") == entry.study_id and SESSION.fullmatch(parameters.get("SESSION_ID", ""))
    ):
        raise Refusal(403, INCOMPLETE)
    known = {one.lower() for one in entry.ids}
    if known and platform.lower() not in known:
        raise Refusal(403, "This id is not one of those who were invited: use the link that you were sent, as it is.")
    if entry.pattern and not re.fullmatch(entry.pattern, platform, re.IGNORECASE):
        raise Refusal(403, INCOMPLETE)


def mark_of(secret: str, address: str) -> str | None:
    """A mark by which two who come from one address are noticed; nobody can tell the address from it.

    None where the address says nothing: it is unknown, or everybody comes through a program on this machine.
    """
    try:
        known = ipaddress.ip_network(address, strict=False)
    except ValueError:
        return None
    if known.is_loopback:
        return None
    return hmac.digest(bytes.fromhex(secret), f"address {address}".encode(), "sha256").hex()[:16]


class Arrivals:
    """New participants from each address within the last hour, at this server."""

    def __init__(self, most: int) -> None:
        """So many from one; 0: no limit."""
        self.most = most
        self._came: OrderedDict[str, list[float]] = OrderedDict()

    def full(self, address: str) -> bool:
        """Whether nobody new may come from there now."""
        recent = [at for at in self._came.get(address, []) if time.monotonic() - at < HOUR]
        return self.most > 0 and len(recent) >= self.most

    def came(self, address: str) -> None:
        """Somebody new has come."""
        at = time.monotonic()
        self._came[address] = [*(then for then in self._came.pop(address, []) if at - then < HOUR), at]
        while len(self._came) > ADDRESSES:
            self._came.popitem(last=False)
