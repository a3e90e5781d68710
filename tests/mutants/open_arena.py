"""Mistakes in the open arena, in shuffles, and in programs over the network."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

ARENA = "tests/server/test_arena.py"
PROGRAMS = "tests/server/test_table_programs.py"
DUPLICATE = f"{ARENA}::test_deals_are_duplicate_and_can_be_verified"
LEAVING = f"{ARENA}::test_whoever_leaves_loses_the_whole_deal"
PLAYING = f"{ARENA}::test_programs_play_each_other_and_the_server"

MISTAKES: list[Mistake] = [
    *of(
        "server/open_arena/match_play.py",
        (
            "every game has a deal of its own",
            "dealt = number if self.duplicate else",
            "dealt = 0 if False else",
            DUPLICATE,
        ),
        (
            "whoever leaves loses one game",
            "if self.gone is not None:",
            "if False:",
            f"{ARENA}::test_failures_are_counted_losses",
        ),
        (
            "a server that stops costs games",
            'if failure.kind == "crash":',
            "if False:",
            f"{ARENA}::test_a_server_that_stops_costs_nobody_a_game",
        ),
        (
            "a failure is no loss",
            "payoffs = await self._lost(failed.player, who, failed.failure.kind)",
            "payoffs = [0.0] * self.game.players",
            f"{ARENA}::test_failures_are_counted_losses",
        ),
        (
            "a program is told what its seat does not see",
            "if (happened := event(before, move, self.player)) is not None:",
            "if (happened := Event(before.turn, move)) is not None:",
            PLAYING,
        ),
        (
            "agents' moves can be foreseen in the second game of a deal",
            "pending.draw(agents_source, choices)",
            "pending.draw(source, choices)",
            DUPLICATE,
        ),
    ),
    *of(
        "server/open_arena/open_arena.py",
        (
            "a match that this server plays is given up",
            "await self.store.beat(self._alive, at)",
            "pass",
            f"{ARENA}::test_a_match_that_goes_slowly_is_not_given_up",
        ),
        ("a pair never has played enough", "if played < GAMES and", "if", PLAYING),
        ("anybody plays for an agent", "if row is None:", "if False:", f"{ARENA}::test_wrong_requests_get_a_sentence"),
        (
            "there may be any number of agents",
            "if mine >= MAX_FROM_ADDRESS or",
            "if",
            f"{ARENA}::test_registrations_are_bounded",
        ),
    ),
    *of(
        "server/open_arena/standings_of.py",
        (
            "who sat where is confused",
            "games[i ^ 1] for i in range(len(games))",
            "games[i] for i in range(len(games))",
            f"{ARENA}::test_a_pair_is_counted_from_both_sides",
        ),
        (
            "games in which somebody was replaced count",
            'any(seat["left"] for seat in seats)',
            "False",
            f"{ARENA}::test_games_of_people_stand_apart",
        ),
    ),
    *of(
        "server/open_arena/arena_store.py",
        (
            "deals that somebody chose count",
            "& ~TableRow.seed_chosen",
            "",
            f"{ARENA}::test_games_of_people_stand_apart",
        ),
        (
            "games in which an agent moved for a person count",
            "COUNTING, ~STOOD_IN,",
            "COUNTING,",
            f"{ARENA}::test_games_of_people_stand_apart",
        ),
        (
            "a deal is added to a match whose secret was told",
            "if connection.execute(change).rowcount != 1:",
            "if connection.execute(change).rowcount > 1:",
            f"{ARENA}::test_nothing_is_added_to_a_match_whose_secret_was_told",
        ),
    ),
    *of(
        "server/open_arena/arena_queries.py",
        (
            "the secret is told too soon",
            'secret=row["secret"] if over else None,',
            'secret=row["secret"],',
            f"{ARENA}::test_a_secret_is_told_when_the_match_is_over",
        ),
    ),
    *of(
        "server/tables/shuffle.py",
        ("nothing is drawn again", "if expected != move:", "if False:", DUPLICATE),
        (
            "draws of another table are judged",
            "and ply >= since:",
            ":",
            f"{PROGRAMS}::test_a_branch_draws_from_a_secret_of_its_own",
        ),
    ),
    *of(
        "server/tables/table_queries.py",
        (
            "the secret of a running game is told",
            "shown = secret if await tables.is_open(session) else None",
            "shown = secret",
            f"{PROGRAMS}::test_a_shuffle_is_committed_to_and_told_afterwards",
        ),
        (
            "an undone branch answers for the draws before it",
            'since = min(since, first["parent_ply"] or 0)',
            "since = 0",
            f"{PROGRAMS}::test_an_undone_branch_answers_for_its_own_draws_only",
        ),
    ),
    *of(
        "server/programs/table_program.py",
        (
            "a program may be wrong for ever",
            'if failure.kind != "illegal" or refused == MAX_REFUSED:',
            'if failure.kind != "illegal":',
            f"{PROGRAMS}::test_what_cannot_be_played_is_said_and_asked_again",
        ),
        (
            "a program is asked at a seat that was left",
            'session.is_agents(seat) or session.seats[seat]["left"] is not None',
            "session.is_agents(seat)",
            f"{PROGRAMS}::test_nothing_is_asked_at_a_seat_that_was_left",
        ),
    ),
    *of(
        "server/api/socket_wire.py",
        ("a flood is kept", "self.end(FLOOD)", "pass", f"{PROGRAMS}::test_a_flood_ends_the_connection"),
    ),
]
