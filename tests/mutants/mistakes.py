"""The mistakes: in which file, what stands there, what is planted instead, and the tests that should notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """A small mistake somebody might make. `old` stands in the file exactly once."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def planted(self, text: str) -> str:
        """The file with the mistake in it."""
        if text.count(self.old) != 1:
            raise ValueError(
                f"{self.name}: {self.file} has {self.old!r} {text.count(self.old)} times; it must stand there once."
            )
        return text.replace(self.old, self.new)


def _of(file: str, *rows: tuple[str, str, str, str]) -> list[Mistake]:
    """Several mistakes of one file: name, old, new, tests in a line."""
    return [Mistake(name, f"parlor/{file}", old, new, tuple(tests.split())) for name, old, new, tests in rows]


RULES = "tests/games/test_goldens.py tests/games/test_rules.py"
DEAL = "tests/games/test_monopoly_deal.py tests/games/test_monopoly_deal_debts.py"
SOLVERS = "tests/solvers/test_cfr.py tests/solvers/test_mccfr.py tests/solvers/test_best_response.py"
SERVER = "tests/server/test_owners.py tests/server/test_tables.py"
SPECTATORS = "tests/server/test_secrets.py::test_neither_seats_nor_spectators_are_told_what_is_hidden_from_them"
OPERATING = "tests/server/test_operating.py"
SEATS, SECRETS = "tests/server/test_seats.py", "tests/server/test_seats.py tests/server/test_secrets.py"

MISTAKES: list[Mistake] = [
    # ------------------------------------------------------------------------------------------------ the foundation
    *_of(
        "rng.py",
        ("streams of two seeds are the same", "h = mix(mix(0, seed), index)", "h = mix(0, index)", "tests/test_rng.py"),
        ("a weight of zero can be drawn", "if weights[i] > 0.0:", "if weights[i] >= 0.0:", "tests/test_rng.py"),
        (
            "below never gives the highest",
            "return (draw(r) * n) >> 32",
            "return (draw(r) * (n - 1)) >> 32",
            "tests/test_rng.py",
        ),
    ),
    *_of(
        "schema.py",
        (
            "a copied state shares its arrays",
            'f"{value}[:]" if depth == 1',
            'f"{value}" if depth == 1',
            "tests/test_game.py tests/games/test_rules.py",
        ),
        (
            "everybody sees what belongs to one",
            'frozen(f"s.{name}[p]" if owned else',
            'frozen(f"s.{name}" if owned else',
            "tests/test_game.py tests/games/test_rules.py",
        ),
        ("nobody's fields are seen", 'if field.seen_by != "nobody"}', "}", "tests/test_game.py tests/contract"),
    ),
    *_of(
        "observation.py",
        (
            "the history tells secret moves",
            "Event(before.turn, visible_move(before, move, player))",
            "Event(before.turn, move)",
            "tests/test_visibility.py",
        ),
        (
            "whoever acts, everybody sees the legal moves",
            "mine = turn == player",
            "mine = turn >= 0",
            "tests/test_visibility.py",
        ),
    ),
    *_of(
        "distribution.py",
        (
            "negative probabilities pass",
            'not 0.0 <= chance < float("inf")',
            'not chance < float("inf")',
            "tests/agents/test_python_agents.py",
        ),
        (
            "probabilities may sum to less than one",
            "if not abs(total - 1.0) <= TOLERANCE:",
            "if total > 1.0 + TOLERANCE:",
            "tests/agents/test_python_agents.py",
        ),
    ),
    *_of(
        "agents/agent.py",
        (
            "compiled weights are not checked",
            "return n if least >= 0.0 and abs(total - 1.0) <= TOLERANCE else UNSOUND - n",
            "return n",
            "tests/agents/test_python_agents.py",
        ),
    ),
    *_of(
        "position.py",
        (
            "whoever changes the list of actions changes the position",
            "return self._actions.copy()",
            "return self._actions",
            "tests/test_game.py",
        ),
        (
            "outcomes have the odds of others",
            "{name: odds[a] for name, a in zip(",
            "{name: odds[0] for name, a in zip(",
            "tests/games/test_goldens.py tests/games/test_rules.py tests/test_game.py",
        ),
    ),
    *_of(
        "server/connections.py",
        (
            "starting a server closes the log handlers of others",
            "log_config=None,",
            "",
            "tests/commands/test_cards.py",
        ),
    ),
    *_of(
        "server/watch.py",
        (
            "the standard output is closed with the log",
            "self._file = _opened(access_log) if access_log and not self._print else None",
            "self._file = sys.stdout if self._print else _opened(access_log) if access_log else None",
            OPERATING,
        ),
    ),
    *_of(
        "visibility.py",
        ("a spectator sees what is private", 'if field.seen_by != "all":', "if False:", SPECTATORS),
        ("a spectator sees what one player sees", "seen = all(", "seen = any(", SPECTATORS),
        (
            "secret moves are visible",
            "return None if secret else move",
            "return move",
            "tests/server/test_secrets.py tests/commands/test_cli.py",
        ),
        (
            "outcomes count only if possible",
            "number = game.outcomes if position.turn == CHANCE else game.actions",
            "number = len(position.actions)",
            "tests/server/test_secrets.py",
        ),
    ),
    *_of(
        "moves.py",
        (
            "ids of a range may jump",
            "== step > 0 and this.id - before.id == id_step",
            "== step > 0",
            "tests/test_moves.py",
        ),
        ("other cards are in a range", "_alike(first) != _alike(this)", "False", "tests/test_moves.py"),
    ),
    *_of(
        "policy.py",
        (
            "an agent plays its neighbour's row",
            "return low if low < end and keys[low] == k else -1",
            "return low if low < end else -1",
            "tests/test_policy.py",
        ),
        (
            "unknown keys get a neighbour's row",
            "if i == len(self.keys) or self.keys[i] != key:",
            "if i == len(self.keys):",
            "tests/test_policy.py",
        ),
        (
            "rows of many keys ignore the key",
            "known = self.keys[found] == keys",
            "known = self.keys[found] >= 0",
            "tests/test_policy.py",
        ),
    ),
    *_of(
        "native/link.py",
        (
            "a helper of the same name is taken for another",
            "while linked in names and not _same(names[linked], target):",
            "while False:",
            "tests/test_native.py",
        ),
    ),
    *_of(
        "native/compile.py",
        (
            "the cache does not see the text",
            'digest = hashlib.sha256("\\0".join((text, layout, *settings)).encode()).hexdigest()',
            'digest = hashlib.sha256("\\0".join((entry, layout, *settings)).encode()).hexdigest()',
            "tests/test_native.py",
        ),
        (
            "a stored helper does not see what it uses",
            "reached += [used for used in uses[other] if used in sources and used not in reached]",
            "pass",
            "tests/test_native.py",
        ),
    ),
    *_of(
        "native/helpers.py",
        (
            "a stored helper does not see the fields of a bundle",
            'getattr(type_, "fields", ())',
            "()",
            "tests/test_native.py",
        ),
    ),
    # ------------------------------------------------------------------------------------------------ games
    *_of(
        "games/kuhn.py",
        ("the pot forgets who called", "pot += 2 if stays(s, q) else 1", "pot += 2", RULES),
        ("the key forgets the card", "((p * 8 + s.card[p]) * 16 + s.moves)", "((p * 8) * 16 + s.moves)", RULES),
    ),
    *_of(
        "games/leduc.py",
        ("a pair is no better than a high card", "return rank + CARDS if rank ==", "return rank + 0 if rank ==", RULES),
        ("raises are as large after the board", "(2 if s.round == 0 else 4)", "2", RULES),
        (
            "three players: a folder is asked again",
            "while s.out[s.actor] == 1:",
            "while False:",
            "tests/games/test_openspiel.py",
        ),
        (
            "three players: the pot is shared by all",
            "winners = 0\n            if strength(s, q) == best:",
            "winners = 1\n            if strength(s, q) == best:",
            "tests/games/test_openspiel.py",
        ),
    ),
    *_of(
        "games/liars_dice.py",
        ("the wild face does not count", "if face != FACES - 1:", "if face == FACES:", RULES),
        (
            "keys of larger dice mix up faces",
            "mine = mine * (DICE + 1) + s.dice[p][face]",
            "mine = mine + s.dice[p][face]",
            "tests/games/test_openspiel.py",
        ),
    ),
    *_of(
        "games/goofspiel.py",
        (
            "a tie gives the prize to the first",
            "elif s.bid[p] == highest:\n            winner = -1",
            "elif s.bid[p] == highest:\n            winner = winner",
            RULES,
        ),
        ("the last prize is not turned up", "turn_up(s, lowest(s.left))", "pass", RULES),
    ),
    *_of(
        "games/monopoly_deal/intents.py",
        ("$3 is paid for a debt of $1", "return 100 - value if value >= rest else value", "return value", DEAL),
        (
            "greedy takes the lowest cash",
            "return CASH_VALUE[a]\n    return due",
            "return -CASH_VALUE[a]\n    return due",
            DEAL,
        ),
    ),
    *_of(
        "games/monopoly_deal/abstraction.py",
        ("a key forgets part payments", "s.demand << 16 | s.owed << 8 | s.paid", "s.demand << 16 | s.owed << 8", DEAL),
        ("a key sees the other hand", "s.hand[p][kind] << 8", "s.hand[1 - p][kind] << 8", DEAL),
    ),
    *_of(
        "games/monopoly_deal/rules.py",
        ("an empty hand draws two", "EMPTY_HAND if s.held[p] == 0 else DRAWS", "DRAWS", DEAL),
        (
            "the other sees which card was drawn",
            "a if s.drawing == 0 or s.drawer == p else ACTIONS",
            "a",
            "tests/games/test_monopoly_deal.py tests/games/test_monopoly_deal_view.py",
        ),
    ),
    *_of(
        "games/monopoly_deal/responses/sly_deal.py",
        (
            "full sets can be stolen from",
            "0 < s.property[p][colour] < SET_SIZE[colour]",
            "0 < s.property[p][colour]",
            DEAL,
        ),
    ),
    *_of(
        "games/holdem/translation.py",
        (
            "the pot of the tree falls behind the real one",
            "there, code = with_pot(b[BASE], raiser, opening, opening_code, there, code, row, u)",
            "pass",
            "tests/games/test_holdem_translation.py::test_it_never_takes_a_large_pot_for_a_small_one",
        ),
    ),
    *_of(
        "games/holdem/bets.py",
        (
            "unmatched chips are won",
            "return min(b[IN], b[IN + 1])",
            "return max(b[IN], b[IN + 1])",
            "tests/games/test_holdem.py",
        ),
    ),
    *_of(
        "poker/hand_ranges.py",
        (
            "AT+ leaves out AK",
            "for rank in range(low, high)]",
            "for rank in range(low, high - 1)]",
            "tests/poker/test_cards.py tests/poker/test_equity.py tests/commands/test_equity.py",
        ),
    ),
    *_of(
        "poker/public_mccfr.py",
        (
            "player 1 learns player 0's payoffs",
            "sign = 1.0 - 2.0 * traverser",
            "sign = 1.0",
            "tests/poker/test_public_mccfr.py",
        ),
        ("the winner's sign is lost", "winner * shows[~node]", "shows[~node]", "tests/poker/test_public_mccfr.py"),
    ),
    # ------------------------------------------------------------------------------------------------ solvers
    *_of(
        "solvers/infoset_table.py",
        (
            "a lookup ignores the key",
            "if slots[slot] & 0xFFFFFFFF == tag and ints[slots[slot] >> 32] == k:",
            "if slots[slot] & 0xFFFFFFFF == tag:",
            "tests/solvers/test_infoset_table.py",
        ),
        (
            "a row is found by its mark alone",
            "if seen & 0xFFFFFFFF == tag and ints[seen >> 32] == k:",
            "if seen & 0xFFFFFFFF == tag:",
            "tests/solvers/test_infoset_table.py",
        ),
    ),
    *_of(
        "solvers/cfr.py",
        ("CFR+ keeps negative regrets", '"cfr+": Variant(inf, -inf, 1.0)', '"cfr+": Variant(inf, inf, 1.0)', SOLVERS),
        ("the average forgets reach", "total[q] += share * reach[q]", "total[q] += share", SOLVERS),
        (
            "regrets are not discounted",
            "r = r * (keep_positive if r > 0.0 else keep_negative) + gain",
            "r = r + gain",
            SOLVERS,
        ),
    ),
    *_of(
        "solvers/traversals.py",
        (
            "the wrong player's average is fed",
            "averaged = (traverser + 1) % players  # whose",
            "averaged = traverser  # whose",
            SOLVERS,
        ),
        (
            "outcome sampling forgets how likely it was",
            "utility = weight * payoff(s, traverser) / sampled",
            "utility = weight * payoff(s, traverser)",
            SOLVERS,
        ),
        (
            "negative regrets are played",
            "strategy[i] = max(floats[row + 1 + i], 0.0)",
            "strategy[i] = abs(floats[row + 1 + i])",
            SOLVERS,
        ),
        (
            "a baseline learns before it is used",
            "values[d][i] += (utility - values[d][i]) / odds[d][ODDS]",
            "values[d][i] = floats[row + 1 + (2 + traverser) * n + i] + (utility - values[d][i]) / odds[d][ODDS]",
            "tests/solvers/test_mccfr_options.py",
        ),
        (
            "all players learn one baseline",
            "at = row + 1 + (2 + traverser) * n + i",
            "at = row + 1 + 2 * n + i",
            "tests/solvers/test_mccfr_options.py",
        ),
        (
            "what was sampled counts as if it were certain",
            "share = weight / odds[d][REACH]",
            "share = weight",
            "tests/solvers/test_mccfr_options.py",
        ),
        (
            "a fold is pruned",
            "hopeless = turn(states[spare]) != OVER",
            "hopeless = True",
            "tests/solvers/test_mccfr_options.py",
        ),
    ),
    *_of(
        "solvers/rollouts.py",
        (
            "latest and average are mixed up",
            "1 if who == player else 2, r)",
            "2 if who == player else 1, r)",
            "tests/solvers/test_rollout_cfr.py",
        ),
        (
            "all training games are the same",
            "seed_stream(r, seed, number)",
            "seed_stream(r, seed, 0)",
            "tests/solvers/test_rollout_cfr.py tests/runs/test_learned.py",
        ),
    ),
    *_of(
        "solvers/rollout_cfr.py",
        (
            "a policy is only its newest",
            "self.ring[(self.pushed - 1) % len(self.ring)]",
            "self.ring[0]",
            "tests/solvers/test_rollout_cfr.py",
        ),
    ),
    *_of(
        "games/leodopoly/estate.py",
        (
            "a full set earns no more",
            "return 2 * RENT[k] if has_set(s, k) else RENT[k]",
            "return RENT[k]",
            "tests/games/test_leodopoly.py",
        ),
    ),
    *_of(
        "games/leodopoly/auctions.py",
        (
            "a sealed bid goes one above its limit",
            "if s.limit[p] > s.bid:",
            "if s.limit[p] >= s.bid:",
            "tests/games/test_leodopoly_trade.py",
        ),
    ),
    *_of(
        "games/leodopoly/deals.py",
        (
            "an offer that cannot be paid is open",
            "<= s.money[p] - transfer_cost(s, k)",
            "<= MOST",
            "tests/games/test_leodopoly_trade.py",
        ),
    ),
    *_of(
        "search/rollout.py",
        (
            "a rollout gives everybody the payoff of the first",
            "values[q] = payoff(s, q)",
            "values[q] = payoff(s, 0)",
            "tests/agents/test_look_ahead.py tests/search/test_mcts.py",
        ),
    ),
    *_of(
        "search/max_n.py",
        (
            "max-n keeps the worst move",
            "if b.found[d] and below[who] <= values[who]:",
            "if b.found[d] and below[who] >= values[who]:",
            "tests/search/test_max_n.py",
        ),
    ),
    *_of(
        "runs/tuning/tuner.py",
        (
            "every evaluation of a tuner has the same deals",
            "seed = mix(mix(mix(0, self.config.seed), 1), self._evaluations)",
            "seed = mix(mix(mix(0, self.config.seed), 1), 0)",
            "tests/runs/test_tuning.py",
        ),
    ),
    # ------------------------------------------------------------------------------------------------ agents, arena
    *_of(
        "solvers/population/plans.py",
        (
            "a joint target is answered by its marginals",
            "if mixture.independent or len(others) == 1:",
            "if True:",
            "tests/solvers/test_psro.py",
        ),
        (
            "the average forgets how likely it is to be there",
            "np.where(before > 0.0, reach[t.rows] / before, uniform)",
            "np.where(before > 0.0, reach[t.rows], uniform)",
            "tests/solvers/test_psro.py",
        ),
        (
            "one of several equally good answers is always preferred",
            "strategy[q] = 1.0 / ties",
            "strategy[q] = 1.0 if ties == 1 else float(q == first[i])",
            "tests/solvers/test_psro.py",
        ),
    ),
    *_of(
        "solvers/population/empirical_game.py",
        (
            "seats are drawn but payoffs stay with the seat",
            "np.transpose(payoffs[order[i]], order)",
            "np.transpose(payoffs[i], order)",
            "tests/solvers/test_psro.py",
        ),
    ),
    *_of(
        "agents/look_ahead.py",
        (
            "look-ahead rolls out for the wrong seat",
            "out[order[k]] += data.values[p]",
            "out[order[k]] += data.values[1 - p]",
            "tests/agents/test_agents.py tests/agents/test_look_ahead.py",
        ),
    ),
    *_of(
        "arena/statistics.py",
        (
            "pairs are taken for independent games",
            "groups = means(values, group)",
            "groups = values",
            "tests/arena/test_statistics.py tests/arena/test_match.py",
        ),
        ("intervals are too narrow", "Z = 1.959963984540054", "Z = 1.0", "tests/arena/test_statistics.py"),
    ),
    *_of(
        "arena/local_best_response_kernel.py",
        (
            "local best response thinks on the wrong street",
            "calling = street(s) < begin",
            "calling = street(s) <= begin",
            "tests/arena/test_local_best_response.py",
        ),
        (
            "local best response learns nothing from a move",
            "weights[h] *= answers[pick][h]",
            "weights[h] *= 1.0",
            "tests/arena/test_local_best_response.py",
        ),
    ),
    *_of(
        "arena/aivat.py",
        (
            "luck that is expected is taken off",
            "(1.0 if i == j else 0.0) * value - weights[j] * value",
            "(1.0 if i == j else 0.0) * value",
            "tests/arena/test_aivat.py",
        ),
    ),
    # ------------------------------------------------------------------------------------------------ runs
    *_of(
        "runs/run.py",
        (
            "evaluations use the streams of training",
            "seed = mix(mix(0, c.seed), EVALUATION)",
            "seed = c.seed",
            "tests/runs/test_learned.py",
        ),
        (
            "a checkpoint of another run is taken",
            "if theirs.get(name) != mine[name]:",
            "if False:",
            "tests/runs/test_run.py",
        ),
    ),
    *_of(
        "runs/policy_files.py",
        (
            "a file is written in place",
            "draft.replace(path)",
            "path.write_bytes(draft.read_bytes())",
            "tests/runs/test_policy_files.py tests/runs/test_run.py",
        ),
    ),
    # ------------------------------------------------------------------------------------------------ the server
    *_of(
        "server/tables.py",
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
    *_of(
        "server/looking.py",
        (
            "the mind of an ended game shows cards",
            "if own or viewer is None or (is_open and not outside):",
            "if own or viewer is None or session.ended:",
            SECRETS,
        ),
        (
            "a running game is reviewed",
            '        if not is_open:\n            raise Refusal(409, "A game can be reviewed',
            '        if False:\n            raise Refusal(409, "A game can be reviewed',
            "tests/server/test_review.py",
        ),
        (
            "a running game shows what was possible, and so what is hidden",
            '        if not is_open:\n            raise Refusal(409, "What was possible',
            '        if False:\n            raise Refusal(409, "What was possible',
            "tests/server/test_deal_or_no_deal.py",
        ),
    ),
    *_of(
        "server/branches.py",
        ("a running game is branched", "if not await tables.is_open(session):", "if False:", SECRETS),
        (
            "a move of a game between two people is taken back",
            "if session.people != [seat]:",
            "if seat not in session.people:",
            f"{SEATS}::test_where_several_people_play_nothing_is_taken_back",
        ),
    ),
    *_of(
        "server/moving.py",
        ("a move sent twice is made twice", "if _already(session, seat, wanted):", "if False:", SERVER),
        ("a move of another ply is made now", "here = wanted.ply == session.ply and", "here = True and", SERVER),
        (
            "the clock stands still",
            "            if overdue(session):\n                await tables.catch_up(session)\n",
            "",
            SEATS,
        ),
    ),
    *_of(
        "server/seated_agent.py",
        (
            "anybody may make the server think for hours",
            'if not re.fullmatch("[0-9]{1,9}", wanted) or not least <= int(wanted) <= most:',
            "if False:",
            "tests/server/test_made_from_files.py",
        ),
    ),
    *_of(
        "server/sitting.py",
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
    *_of(
        "server/reviews.py",
        (
            "random play is a yardstick",
            "key=lambda id: id == RANDOM)",
            "key=lambda id: False)",
            "tests/server/test_review.py::test_random_play_is_no_yardstick_for_whoever_beat_it",
        ),
    ),
    *_of(
        "server/routes/health.py",
        (
            "a server that cannot write is healthy",
            "        await store.ping()\n",
            "",
            f"{OPERATING}::test_a_server_that_cannot_write_is_not_healthy",
        ),
    ),
    *_of(
        "server/store.py",
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
            SERVER,
        ),
        ("a part of the moves is enough", "if added.rowcount != len(moves):", "if False:", SERVER),
        (
            "a game ends twice",
            "same if over else same & TableRow.ended.is_(None)",
            "same",
            SEATS,
        ),
    ),
    *_of(
        "server/session.py",
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
    *_of(
        "server/limits.py",
        (
            "a given header is written twice",
            "if pair[0] not in names)",
            "if True)",
            "tests/server/test_bounds.py",
        ),
        (
            "a branch is as cheap as a look",
            "(/import|/[^/]*/(branch|undo))?",
            "(/import)?",
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
    *_of(
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
    *_of(
        "keys.py",
        (
            "a name depends on the order of the entries",
            "json.dumps(data, sort_keys=True,",
            "json.dumps(data, sort_keys=False,",
            "tests/games/test_monopoly_deal_view.py tests/test_policy_lookup.py",
        ),
        ("keys in names are read as decimal", "int(match[1], 16)", "int(match[1], 10)", "tests/test_policy_lookup.py"),
    ),
    *_of(
        "options.py",
        (
            "the upper bound of an option is refused",
            "if not self.low <= number <= self.high:",
            "if not self.low <= number < self.high:",
            "tests/games/test_loading.py",
        ),
        (
            "an inner load forgets the outer one",
            "        _loading = outer",
            "        _loading = None",
            "tests/games/test_loading.py tests/test_game.py",
        ),
    ),
    *_of(
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
    *_of(
        "search/tracking.py",
        (
            "a copy of a world is followed by another's hidden event",
            "if event.move is None or id(world) not in known:",
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
            "if game.view(after, player) != event.view:",
            "if False:",
            "tests/search/test_belief.py",
        ),
        (
            "resampling repeats the first world",
            "            i += 1\n            total += particles[i][1]",
            "            i += 1\n            total += particles[0][1]",
            "tests/search/test_belief.py",
        ),
    ),
    *_of(
        "runs/metrics.py",
        (
            "a number that is not finite is written",
            "return None if isinstance(value, float) and not math.isfinite(value) else value",
            "return value",
            "tests/runs/test_metrics.py",
        ),
    ),
    *_of(
        "runs/checkpoints.py",
        (
            "the checkpoint before is thinned out too",
            "checkpoints(folder)[2:]",
            "checkpoints(folder)[1:]",
            "tests/runs/test_blueprint_files.py tests/runs/test_strategy_files.py tests/runs/test_saved.py",
        ),
        (
            "a run that somebody trains is locked for nobody",
            "fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)",
            "pass",
            "tests/runs/test_run.py tests/server/test_runs.py",
        ),
    ),
    *_of(
        "native/cache.py",
        (
            "what must not be computed is computed",
            "token = _may_compute.set(False)",
            "token = _may_compute.set(True)",
            "tests/server/test_holdem.py",
        ),
    ),
    *_of(
        "commands/arguments.py",
        (
            "a misspelt option gets no hint",
            "near = get_close_matches(name, flags, 1, 0.7)",
            "near = get_close_matches(name, [], 1, 0.7)",
            "tests/commands/test_cli.py",
        ),
        ("one too many is accepted", "rest = rest[len(values) :]", "rest = []", "tests/commands/test_cli.py"),
    ),
    *_of(
        "commands/screen.py",
        (
            "an infinite number breaks the JSON",
            "return None if isinstance(value, float) and not math.isfinite(value) else value",
            "return value",
            "tests/commands/test_cli.py tests/commands/test_arena.py tests/commands/test_rate.py",
        ),
        (
            "a file is overwritten",
            "while path.exists():",
            "while False:",
            "tests/commands/test_cli.py tests/commands/test_train.py",
        ),
    ),
    *_of(
        "server/sign_in.py",
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
    *_of(
        "server/lru_cache.py",
        (
            "the value used last is dropped first",
            "self.popitem(last=False)",
            "self.popitem(last=True)",
            "tests/server/test_lru_cache.py",
        ),
    ),
    *_of(
        "server/pending.py",
        (
            "draws do not depend on the ply",
            "seed_stream(stream, seed, self.ply)",
            "seed_stream(stream, seed, 0)",
            "tests/server/test_tables.py tests/server/test_owners.py",
        ),
    ),
    *_of(
        "words.py",
        (
            "a verb for the reader is in the third person",
            '_SECOND_PERSON.get(verb, verb.removesuffix("s"))',
            "verb",
            "tests/games/test_rules.py tests/server/test_tables.py tests/games/test_monopoly_deal_view.py",
        ),
    ),
]
