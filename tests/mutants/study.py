"""Mistakes in studies with people."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

FLOW, SCHEDULE = "tests/study/test_flow.py", "tests/study/test_schedule.py"
TOURNAMENTS, LEAVING = "tests/study/test_tournaments.py", "tests/study/test_leaving.py"
DATA, EXCLUSIONS = "tests/study/test_data.py", "tests/study/test_exclusions.py"

TRUST = "tests/study/test_trust.py"

MISTAKES: list[Mistake] = [
    *of(
        "study/session/schedule.py",
        (
            "two meet again in the next round",
            "circle = [circle[0], circle[-1], *circle[1:-1]]",
            "circle = [circle[-1], circle[0], *circle[1:-1]]",
            SCHEDULE,
        ),
        ("all blocks have one order", '_stream(seed, "block", which)', '_stream(seed, "block", 0)', SCHEDULE),
        (
            "deals can be worked out from the public file",
            '_stream(seed, "deal", secret, group',
            '_stream(seed, "deal", group',
            f"{SCHEDULE} {TOURNAMENTS}",
        ),
        (
            "an agent answers before the least delay",
            "return max(drawn.least, drawn.mean",
            "return max(0.0, drawn.mean",
            SCHEDULE,
        ),
        ("nobody alternates", "pair.sort(key=lambda place: begun[place])", "pair.sort()", SCHEDULE),
    ),
    *of(
        "study/design/orientation.py",
        (
            "the angle is that of the other",
            "math.atan2(others - CENTRE, own - CENTRE)",
            "math.atan2(own - CENTRE, others - CENTRE)",
            "tests/study/test_orientation.py",
        ),
        (
            "five items are enough",
            "if any(item not in positions",
            "if all(item not in positions",
            f"{FLOW} {DATA} tests/study/test_orientation.py",
        ),
    ),
    *of(
        "study/data/folder.py",
        (
            "who loses points pays for it",
            "return max(0.0, round(pay.point * points + 1e-9, 2))",
            "return round(pay.point * points + 1e-9, 2)",
            LEAVING,
        ),
        (
            "the forgotten are on the pay list",
            "if person.base is not None and person.code]",
            "if person.base is not None]",
            f"{DATA} tests/cli/test_study.py",
        ),
    ),
    *of(
        "study/session/entrance.py",
        ("a link need not be signed", "if entry.must_be_signed:", "if False:", f"{TOURNAMENTS} {TRUST}"),
        ("what nobody sees makes another id", 'not in ("Cf", "Cc", "Zl", "Zp")', 'not in ("Zl", "Zp")', TRUST),
        ("everybody may come from one address", "len(recent) >= self.most", "len(recent) > 2 * self.most", TRUST),
    ),
    *of(
        "study/session/scheduler.py",
        (
            "games end in an outage",
            "update(TableRow).where(TableRow.id == id).values(deadline=_moved(then, by))",
            "update(TableRow).where(TableRow.id == id).values(deadline=then)",
            TRUST,
        ),
        ("a stall moves times", "if abs(gap) > STALL else 0.0", "if gap else 0.0", TRUST),
        ("another server's clock moves times", "and jump > -STALL / 2", "and False", TRUST),
    ),
    *of(
        "study/session/flow.py",
        ("one right answer is enough", "if sum(right.values()) >= test.must:", "if any(right.values()):", LEAVING),
        ("somebody skips stages", "elif asked > at and not _looped", "elif False and not _looped", FLOW),
        (
            "a screen is passed without trying",
            "if screen.practice is not None and not await",
            "if False and not await",
            FLOW,
        ),
        ("a choice may be anything", 'question.kind == "choice" and value', 'question.kind == "none" and value', FLOW),
        (
            "the test is open after the study has stopped",
            'if study.row["state"] == "stopped":',
            'if study.row["state"] == "over":',
            f"{LEAVING} {FLOW} {TOURNAMENTS} tests/study/test_researcher.py",
        ),
        ("a failed test pays as the whole study", "study.description.pay.show_up", "study.description.pay.base", FLOW),
    ),
    *of(
        "study/session/tournaments.py",
        (
            "who has left is matched",
            'row["condition"] == condition.name and row["heard"] >= left]',
            'row["condition"] == condition.name]',
            LEAVING,
        ),
        (
            "a game that timed out pays",
            'values |= {"points": payoffs[row["seat"]] if payoffs else 0.0}',
            'values |= {"points": payoffs[row["seat"]] if payoffs else 5.0}',
            f"{TOURNAMENTS} {LEAVING}",
        ),
        (
            "points are the partner's",
            'values |= {"points": payoffs[row["seat"]] if',
            'values |= {"points": payoffs[1 - row["seat"]] if',
            f"{TOURNAMENTS} {FLOW}",
        ),
        (
            "a game ends before its time",
            'if table["deadline"] is None or at < table["deadline"]:',
            'if table["deadline"] is None:',
            f"{TOURNAMENTS} {LEAVING}",
        ),
    ),
    *of(
        "study/design/exclusions.py",
        (
            "the partners of the non-responsive stay",
            'return episodes["episode"].isin(set(theirs))',
            'return episodes["participant"].isin(some)',
            EXCLUSIONS,
        ),
    ),
    *of(
        "study/session/password.py",
        (
            "everybody can read the password",
            "os.O_EXCL, 0o600)",
            "os.O_EXCL, 0o644)",
            "tests/study/test_researcher.py tests/cli/test_study.py",
        ),
    ),
]
