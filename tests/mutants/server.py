"""Mistakes in the server."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

SERVER = "tests/server/test_owners.py tests/server/test_tables.py"
OPERATING = "tests/server/test_operating.py"
SEATS = "tests/server/test_seats.py"
UNNOTICED = "tests/server/test_unnoticed.py"
SECRETS = "tests/server/test_seats.py tests/server/test_secrets.py"

OPPONENTS = "tests/server/test_opponents.py"

MISTAKES: list[Mistake] = [
    *of(
        "server/catalogue/standings.py",
        (
            "levels are told where intervals overlap",
            "one.low > mine.high or one.high < mine.low",
            "one.low > mine.low or one.high < mine.high",
            f"{OPPONENTS}::test_a_level_is_told_only_where_intervals_separate",
        ),
    ),
    *of(
        "server/catalogue/characters.py",
        (
            "two of a game have the same name",
            "        used.add(found[source])\n",
            "",
            f"{OPPONENTS}::test_characters_of_a_game_have_names_of_their_own",
        ),
    ),
    *of(
        "server/tables/tables.py",
        (
            "a wrong token is the host's",
            "        if seat is None:\n            raise Refusal(\n",
            "        if seat is None:\n            return 0\n            raise Refusal(\n",
            SERVER,
        ),
        (
            "a game opens while one with its cards runs",
            'if any(aware(row["at"] or row["created"]) > long_ago for row in going):',
            "if False:",
            SEATS,
        ),
        (
            "an address begins as many games as it likes",
            "if 0 < self.most <= await",
            "if 0 > self.most <= await",
            f"{OPERATING}::test_the_running_games_of_an_address_are_bounded",
        ),
        (
            "anybody may watch",
            "if seat is None and not is_open and not (",
            "if seat is None and False and not (",
            SERVER,
        ),
    ),
    *of(
        "server/tables/table_queries.py",
        (
            "the mind of an ended game shows cards",
            "inside = own or viewer is None or (is_open and not outside)",
            "inside = own or viewer is None or session.ended",
            SECRETS,
        ),
        (
            "a running game is reviewed",
            "if not is_open:\n    raise Refusal(409, "
            '"A game can be reviewed when it, and all that share its cards, are over.")',
            "if False:\n    pass",
            "tests/server/test_review.py",
        ),
        (
            "a running game shows what was possible, and so what is hidden",
            "if not is_open:\n    raise Refusal(409, "
            '"What was possible is shown when the game, and all that share its cards, are over.")',
            "if False:\n    pass",
            "tests/server/test_deal_or_no_deal.py",
        ),
    ),
    *of(
        "server/tables/branches.py",
        ("a running game is branched", "if not await tables.is_open(session):", "if False:", SECRETS),
        (
            "a move of a game between two people is taken back",
            "if session.people != [seat]:",
            "if seat not in session.people:",
            f"{SEATS}::test_where_several_people_play_nothing_is_taken_back",
        ),
    ),
    *of(
        "server/tables/table_moves.py",
        ("a move sent twice is made twice", "if _already(session, seat, wanted):", "if False:", SERVER),
        (
            "a move of another ply is made now",
            "and session.ply_of(seat, False, wanted.ply) == session.ply",
            "and True",
            SERVER,
        ),
        (
            "the clock stands still",
            "            if overdue(session):\n                await tables.catch_up(session)\n",
            "",
            SEATS,
        ),
    ),
    *of(
        "server/catalogue/seating.py",
        (
            "anybody may make the server think for hours",
            'if not re.fullmatch("[0-9]{1,9}", wanted) or not least <= int(wanted) <= most:',
            "if False:",
            "tests/server/test_made_from_files.py",
        ),
    ),
    *of(
        "server/tables/table_seats.py",
        (
            "somebody joins at a taken seat",
            'free = [seat["seat"] for seat in session.seats if seat["kind"] == "open"]',
            'free = [seat["seat"] for seat in session.seats if seat["kind"] != "agent"]',
            f"{SEATS}::test_people_join_by_link_and_agents_fill_what_is_left",
        ),
        (
            "the code of a seat works twice",
            '{"token": hashed(token), "code": None, "code_expires": None}',
            '{"token": hashed(token)}',
            f"{SEATS}::test_a_seat_moves_to_another_browser_by_a_code_once",
        ),
        (
            "the code of a seat works for ever",
            ' and aware(s["code_expires"]) > now()]',
            "]",
            f"{SEATS}::test_a_seat_moves_to_another_browser_by_a_code_once",
        ),
        (
            "anybody lets others watch",
            'if seat != session.row["host"]:',
            "if False:",
            f"{SEATS}::test_only_the_host_sets_pace_and_watching",
        ),
    ),
    *of(
        "server/explain/jobs.py",
        (
            "random play is a reference agent",
            "key=lambda id: id == RANDOM)",
            "key=lambda id: False)",
            "tests/server/test_review.py::test_random_play_is_no_reference_agent_for_whoever_beat_it",
        ),
    ),
    *of(
        "server/api/routes/health.py",
        (
            "a server that cannot write is healthy",
            "        await store.ping()\n",
            "",
            f"{OPERATING}::test_a_server_that_cannot_write_is_not_healthy",
        ),
    ),
    *of(
        "server/tables/store.py",
        (
            "a move lands after the game was resigned elsewhere",
            ".with_for_update(key_share=True)",
            "",
            "tests/server/test_store.py::test_no_move_lands_after_a_resignation_at_another_server",
        ),
        (
            "moves are added to an ended table",
            "(TableRow.id == _ID) & TableRow.ended.is_(None) &",
            "(TableRow.id == _ID) &",
            "tests/server/test_store.py",
        ),
        ("a part of the moves is enough", "if added.rowcount != len(moves):", "if False:", SERVER),
        (
            "a game ends twice",
            "same if over else same & TableRow.ended.is_(None)",
            "same",
            "tests/server/test_store.py",
        ),
    ),
    *of(
        "server/tables/session.py",
        (
            "any token is that of a seat",
            ' if s["token"] and hmac.compare_digest(s["token"], given)]',
            ' if s["token"]]',
            "tests/server/test_owners.py",
        ),
        (
            "the time is never up",
            "return deadline is not None and now() > deadline",
            "return False",
            f"{SEATS}::test_when_the_time_is_up_an_agent_makes_this_decision",
        ),
        (
            "a loser of three is told it won",
            'won = mine > 0 if kind == "zero-sum" else mine == best',
            "won = mine > 0",
            SERVER,
        ),
        ("a draw is a loss", 'outcome = "drawn" if drawn else', 'outcome = "lost" if drawn else', SERVER),
        (
            "a secret move carries its data",
            "move=None, text=text, secret=True",
            "move=move, text=text, secret=True",
            "tests/server/test_secrets.py",
        ),
        (
            "what was secret is told before the end",
            "history=(seen.opened if is_open else seen.events)",
            "history=(seen.opened)",
            "tests/server/test_secrets.py",
        ),
    ),
    *of(
        "server/api/limits.py",
        (
            "a given header is written twice",
            "if pair[0] not in names)",
            "if True)",
            "tests/server/test_bounds.py",
        ),
        (
            "a branch is as cheap as a look",
            'r"/api/(tables(/import|/[^/]*/(branch|undo))?|study/enter|arena/agents)/?"',
            'r"/api/(tables(/import)?|study/enter|arena/agents)/?"',
            "tests/server/test_seats.py",
        ),
        ("bodies are as large as they like", "if read > most:", "if False:", "tests/server/test_bounds.py"),
        (
            "an address opens as many WebSockets as it likes",
            "if self.open[address] >= self.most:",
            "if False:",
            f"{OPERATING}::test_the_websockets_of_an_address_are_bounded",
        ),
        ("the rate has no bound", "enough = left >= cost", "enough = True", "tests/server/test_bounds.py"),
    ),
    *of(
        "arena/ratings.py",
        (
            "ten to one is not 400 points",
            "SCALE = 400.0 / math.log(10.0)",
            "SCALE = 400.0 / math.log(2.0)",
            "tests/arena/test_ratings.py",
        ),
        (
            "among n players equals are not level",
            "math.log(share * (self.players - 1) / (1.0 - share))",
            "math.log(share / (1.0 - share))",
            "tests/arena/test_ratings.py",
        ),
        (
            "distant results weigh as much as close ones",
            "misfit = MISFIT * math.cosh(self.difference / (2.0 * SCALE))",
            "misfit = MISFIT",
            "tests/arena/test_ratings.py",
        ),
        (
            "a few equal payoffs are certain",
            "error = max(error, self.deviation / self.games)",
            "error = max(error, 0.0)",
            "tests/arena/test_ratings.py",
        ),
    ),
    *of(
        "game/keys.py",
        (
            "a name depends on the order of the entries",
            "json.dumps(data, sort_keys=True,",
            "json.dumps(data, sort_keys=False,",
            "tests/games/monopoly_deal/test_monopoly_deal_view.py tests/policies/test_policy_lookup.py",
        ),
        (
            "keys in names are read as decimal",
            "int(match[1], 16)",
            "int(match[1], 10)",
            "tests/policies/test_policy_lookup.py",
        ),
    ),
    *of(
        "game/parameters.py",
        (
            "the upper bound of an option is refused",
            "if not (low <= one <= high and",
            "if not (low <= one < high and",
            "tests/game/test_loading.py",
        ),
    ),
    *of(
        "game/parameters.py",
        (
            "an inner load forgets the outer one",
            "        _loading = outer",
            "        _loading = None",
            "tests/game/test_loading.py tests/game/test_game.py",
        ),
    ),
    *of(
        "solvers/best_response.py",
        (
            "exploitability is the sum",
            "return self.nash_conv / len(self.values)",
            "return self.nash_conv",
            "tests/solvers/test_best_response.py",
        ),
        (
            "a best response is the worst one",
            "np.argmax(options)).astype",
            "np.argmin(options)).astype",
            "tests/solvers/test_best_response.py",
        ),
        (
            "all follow the last policy",
            "own = slice(None) if len(policies) == 1 else np.repeat(t.player == p, t.counts)",
            "own = slice(None)",
            "tests/solvers/test_best_response.py",
        ),
    ),
    *of(
        "search/tracking.py",
        (
            "a copy of a world is followed by another's hidden event",
            "if event.move is None or world.game.hidden.unseen is not None or id(world) not in known:",
            "if id(world) not in known:",
            "tests/search/test_belief.py",
        ),
        (
            "weights are not normalised",
            "return [(world, weight / total) for world, weight in grown]",
            "return [(world, weight) for world, weight in grown]",
            "tests/search/test_belief.py",
        ),
        (
            "worlds that look different are kept",
            "return (world, weight) if world.view(player) == event.view else None",
            "return world, weight",
            "tests/search/test_belief.py",
        ),
        (
            "resampling repeats the first world",
            "            i += 1\n            total += weights[i]",
            "            i += 1\n            total += weights[0]",
            "tests/search/test_belief.py",
        ),
    ),
    *of(
        "runs/metrics.py",
        (
            "a number that is not finite is written",
            "return None if isinstance(value, float) and not math.isfinite(value) else value",
            "return value",
            "tests/runs/test_metrics.py",
        ),
    ),
    *of(
        "runs/run.py",
        (
            "the checkpoint before is thinned out too",
            "checkpoints(folder)[2:]",
            "checkpoints(folder)[1:]",
            "tests/poker/test_blueprint_files.py tests/runs/test_strategy_files.py tests/runs/test_saved.py",
        ),
        (
            "a run that somebody trains is locked for nobody",
            "fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)",
            "pass",
            "tests/runs/test_run.py tests/server/test_runs.py",
        ),
    ),
    *of(
        "compile/cache.py",
        (
            "what must not be computed is computed",
            "token = _may_compute.set(False)",
            "token = _may_compute.set(True)",
            "tests/server/test_holdem.py",
        ),
    ),
    *of(
        "cli/arguments.py",
        (
            "a misspelt option gets no hint",
            'near = same or get_close_matches(name, [one for one in names if one.startswith("-")], 1, 0.7)',
            "near = same or get_close_matches(name, [], 1, 0.7)",
            "tests/cli/test_cli.py",
        ),
        ("one too many is accepted", "rest = rest[len(values) :]", "rest = []", "tests/cli/test_cli.py"),
    ),
    *of(
        "cli/flags.py",
        (
            "a run that is resumed takes any setting",
            "if options.game or options.out or more.keys() - set(ends):",
            "if options.game or options.out:",
            "tests/cli/test_psro.py",
        ),
    ),
    *of(
        "cli/screen.py",
        (
            "an infinite number breaks the JSON",
            "return None if isinstance(value, float) and not math.isfinite(value) else value",
            "return value",
            "tests/cli/test_cli.py tests/cli/test_arena.py tests/cli/test_rate.py",
        ),
        (
            "a file is overwritten",
            "while path.exists():",
            "while False:",
            "tests/cli/test_cli.py tests/cli/test_train.py",
        ),
    ),
    *of(
        "server/api/sign_in.py",
        (
            "a cookie never ends",
            "and int(until) > time.time() else None",
            "else None",
            "tests/server/test_operating.py",
        ),
        (
            "a password may be guessed without end",
            "        self._wrong.append((time.monotonic(), address))",
            "        pass",
            "tests/server/test_operating.py",
        ),
        (
            "two lines for a name: the last counts",
            "            if name in found:",
            "            if False:",
            "tests/server/test_operating.py",
        ),
    ),
    *of(
        "server/operations/lru_cache.py",
        (
            "the value used last is dropped first",
            "self.popitem(last=False)",
            "self.popitem(last=True)",
            "tests/server/test_lru_cache.py",
        ),
    ),
    *of(
        "server/tables/pending.py",
        (
            "draws do not depend on the ply",
            "seed_stream(stream, source, ply)",
            "seed_stream(stream, source, 0)",
            "tests/server/test_tables.py tests/server/test_owners.py",
        ),
    ),
    *of(
        "game/words.py",
        (
            "a verb for the reader is in the third person",
            '_SECOND_PERSON.get(verb, verb.removesuffix("s"))',
            "verb",
            "tests/games/test_rules.py tests/server/test_tables.py "
            "tests/games/monopoly_deal/test_monopoly_deal_view.py",
        ),
    ),
    *of(
        "server/tables/session.py",
        (
            "unnoticed moves are counted",
            "        if goes_unnoticed(before, after.last, viewer):\n            return\n",
            "",
            UNNOTICED,
        ),
        ("a clock tells of tries in vain", "present and (is_whole or turn == viewer)", "present", UNNOTICED),
        (
            "a branch tells the number of all moves",
            'ply=self.number_of(viewer, is_open, self.row["parent_ply"])',
            'ply=self.row["parent_ply"]',
            UNNOTICED,
        ),
        (
            "minds tell sealed bids",
            "if viewer is None or viewer in self.players[ply:]",
            "if viewer is None or True",
            "tests/server/test_leodopoly.py::test_the_minds_of_sealed_bids_are_shown_after_ones_own",
        ),
    ),
    *of(
        "server/tables/tables.py",
        (
            "a step ends after a try in vain",
            "return not all(goes_unnoticed(",
            "return True or all(goes_unnoticed(",
            UNNOTICED,
        ),
        (
            "who waits for a solution keeps others from sitting down",
            'self._tried(id, game), "seating")',
            "self._tried(id, game))",
            "tests/server/test_costly.py",
        ),
    ),
    *of(
        "server/catalogue/catalogue.py",
        ("lists are never made again", "if of is not found:", "if of is None:", "tests/server/test_costly.py"),
    ),
    *of(
        "server/tables/tables.py",
        (
            "a long game is replayed while others wait",
            "        await self.see(session, viewer)\n        return session.state",
            "        return session.state",
            "tests/server/test_costly.py",
        ),
    ),
    *of(
        "server/tables/session.py",
        (
            "spectators are told what nobody else sees",
            "if visible_move(before, after.last, viewer) is None:",
            "if viewer is not None and visible_move(before, after.last, viewer) is None:",
            "tests/server/test_hidden_worlds.py",
        ),
    ),
    *of(
        "server/explain/review.py",
        (
            "a review plays on from what was hidden",
            "world, _ = spot.worlds[choose(spot.stream, weights, len(weights))]",
            "world = spot.position",
            "tests/server/test_review.py",
        ),
    ),
    *of(
        "game/game.py",
        (
            "every position keeps the whole history",
            "after._line, after.ply = (self._line, names[index]), self.ply + 1",
            "after._begun, after.ply = (*self.history, names[index]), self.ply + 1",
            "tests/server/test_costly.py::test_a_long_game_takes_no_more_memory_for_a_move_than_a_short_one",
        ),
    ),
    *of(
        "server/tables/branches.py",
        (
            "a file is replayed while others wait",
            'pending = await in_thread(lambda: replayed_record(row["id"], game, record))',
            'pending = replayed_record(row["id"], game, record)',
            "tests/server/test_costly.py::test_a_file_is_replayed_where_nobody_waits_and_nothing_is_kept",
        ),
    ),
    *of(
        "server/thinking/pool.py",
        (
            "a long task is sent while others wait",
            "await loop.run_in_executor(self._threads, _send, process, (job.function, job.task))",
            "_send(process, (job.function, job.task))",
            "tests/server/test_thinking.py::test_a_long_task_is_not_sent_where_all_requests_are_answered",
        ),
    ),
    *of(
        "study/data/deletion.py",
        (
            "PostgreSQL keeps samples of what was deleted",
            '"episodes", "pg_statistic")',
            '"episodes", "labels")',
            "tests/study/test_trust.py",
        ),
    ),
    *of(
        "server/operations/watch.py",
        (
            "a stall is forgotten at once",
            "self.stalls[0] = max(self.stalls[0], time",
            "self.stalls[0] = min(self.stalls[0], time",
            "tests/server/test_costly.py::test_a_stall_is_told",
        ),
    ),
]
