"""Mistakes in the rules."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

RULES = "tests/games/test_goldens.py tests/games/test_rules.py"
DEAL = "tests/games/monopoly_deal/test_monopoly_deal.py tests/games/monopoly_deal/test_monopoly_deal_debts.py"

HEADS = "tests/policies/test_heads.py"
TRAILS = "tests/games/test_colored_trails.py"
CLUE_NETWORKS = "tests/games/clue/test_clue_networks.py"

MISTAKES: list[Mistake] = [
    *of(
        "games/kuhn/rules.py",
        ("the pot forgets who called", "pot += 2 if stays(s, q) else 1", "pot += 2", RULES),
        ("the key forgets the card", "((p * 8 + s.card[p]) * 16 + s.moves)", "((p * 8) * 16 + s.moves)", RULES),
    ),
    *of(
        "games/leduc/rules.py",
        ("a pair is no better than a high card", "return rank + CARDS if rank ==", "return rank + 0 if rank ==", RULES),
        ("raises are as large after the board", "(2 if s.round == 0 else 4)", "2", RULES),
        (
            "three players: a folder is asked again",
            "while s.out[s.actor] == 1:",
            "while False:",
            "tests/interop/test_openspiel_games.py",
        ),
        (
            "three players: the pot is shared by all",
            "winners = 0\n            if strength(s, q) == best:",
            "winners = 1\n            if strength(s, q) == best:",
            "tests/interop/test_openspiel_games.py",
        ),
    ),
    *of(
        "games/liars_dice/rules.py",
        ("the wild face does not count", "if face != FACES - 1:", "if face == FACES:", RULES),
        (
            "keys of larger dice mix up faces",
            "mine = mine * (DICE + 1) + s.dice[p][face]",
            "mine = mine + s.dice[p][face]",
            "tests/interop/test_openspiel_games.py",
        ),
    ),
    *of(
        "games/goofspiel/rules.py",
        (
            "a tie gives the prize to the first",
            "elif s.bid[p] == highest:\n            winner = -1",
            "elif s.bid[p] == highest:\n            winner = winner",
            RULES,
        ),
        ("the last prize is not turned up", "turn_up(s, lowest(s.left))", "pass", RULES),
    ),
    *of(
        "games/monopoly_deal/intents.py",
        ("$3 is paid for a debt of $1", "return 100 - value if value >= rest else value", "return value", DEAL),
        (
            "greedy takes the lowest cash",
            "return CASH_VALUE[a]\n    return due",
            "return -CASH_VALUE[a]\n    return due",
            DEAL,
        ),
    ),
    *of(
        "games/monopoly_deal/abstraction.py",
        ("a key forgets part payments", "s.demand << 16 | s.owed << 8 | s.paid", "s.demand << 16 | s.owed << 8", DEAL),
        ("a key sees the other hand", "s.hand[p][kind] << 8", "s.hand[1 - p][kind] << 8", DEAL),
    ),
    *of(
        "games/monopoly_deal/rules.py",
        ("an empty hand draws two", "EMPTY_HAND if s.held[p] == 0 else DRAWS", "DRAWS", DEAL),
        (
            "the other sees which card was drawn",
            "a if s.drawing == 0 or s.drawer == p else ACTIONS",
            "a",
            "tests/games/monopoly_deal/test_monopoly_deal.py tests/games/monopoly_deal/test_monopoly_deal_view.py",
        ),
    ),
    *of(
        "games/monopoly_deal/responses.py",
        (
            "full sets can be stolen from",
            "0 < s.property[p][colour] < SET_SIZE[colour]",
            "0 < s.property[p][colour]",
            DEAL,
        ),
    ),
    *of(
        "games/holdem/translation.py",
        (
            "the pot of the tree falls behind the real one",
            "there, code = with_pot(b[BASE], raiser, opening, opening_code, there, code, row, u)",
            "pass",
            "tests/games/holdem/test_holdem_translation.py::test_it_never_takes_a_large_pot_for_a_small_one",
        ),
    ),
    *of(
        "games/holdem/bets.py",
        (
            "unmatched chips are won",
            "return min(b[IN], b[IN + 1])",
            "return max(b[IN], b[IN + 1])",
            "tests/games/holdem/test_holdem.py",
        ),
    ),
    *of(
        "poker/hands/hand_ranges.py",
        (
            "AT+ leaves out AK",
            "for rank in range(low, high)]",
            "for rank in range(low, high - 1)]",
            "tests/poker/test_cards.py tests/poker/test_equity.py tests/cli/test_equity.py",
        ),
    ),
    *of(
        "poker/public_mccfr.py",
        (
            "player 1 learns player 0's payoffs",
            "sign = 1.0 - 2.0 * traverser",
            "sign = 1.0",
            "tests/poker/test_public_mccfr.py",
        ),
        ("the winner's sign is lost", "winner * shows[~node]", "shows[~node]", "tests/poker/test_public_mccfr.py"),
    ),
    *of(
        "games/clue/deduction/two_hands.py",
        (
            "sets of clauses all add",
            "sign[depth + 1] = -sign[depth] if taken",
            "sign[depth + 1] = sign[depth] if taken",
            CLUE_NETWORKS,
        ),
        ("a clause cancels whoever's it is", "(a if owner[i] == 0 else b)", "(a | b)", CLUE_NETWORKS),
        (
            "the file may have all the first one's cards",
            "n, k = either - j, need - (only - i)",
            "n, k = either - j, need - only",
            CLUE_NETWORKS,
        ),
    ),
    *of(
        "games/clue/networks.py",
        (
            "seats are counted from the first",
            "asker = (asker_of(entry) - p + PLAYERS) % PLAYERS",
            "asker = asker_of(entry)",
            CLUE_NETWORKS,
        ),
    ),
    *of(
        "games/leodopoly/networks.py",
        (
            "owners are counted from the first seat",
            "(s.owner[k] - 1 - p + PLAYERS) % PLAYERS",
            "(s.owner[k] - 1) % PLAYERS",
            "tests/games/leodopoly/test_leodopoly_networks.py",
        ),
    ),
    *of(
        "games/deal_or_no_deal/networks.py",
        (
            "the other is offered what I ask for",
            "return kept if t % PLAYERS == p else WORTH - kept",
            "return kept",
            "tests/games/test_deal_or_no_deal.py",
        ),
    ),
    *of(
        "games/colored_trails/networks.py",
        (
            "the frontier is the same from both sides",
            "raise_levels(work, BEST + LEVELS, them, me)",
            "raise_levels(work, BEST + LEVELS, me, them)",
            TRAILS,
        ),
        (
            "the responder is told what the offer brings the proposer",
            "mine, theirs = POINTS * (s.worth[p][q][1] - WORTH), POINTS * (s.worth[p][q][0] - WORTH)",
            "mine, theirs = POINTS * (s.worth[p][q][0] - WORTH), POINTS * (s.worth[p][q][1] - WORTH)",
            TRAILS,
        ),
    ),
    *of(
        "policies/opponents.py",
        (
            "b alone is the multiplier",
            "(1.0 + float(workspace.outputs[multipliers[k]]))",
            "float(workspace.outputs[multipliers[k]])",
            HEADS,
        ),
        (
            "all terms have the first multiplier",
            "workspace.outputs[multipliers[k]]",
            "workspace.outputs[multipliers[0]]",
            TRAILS,
        ),
    ),
    *of(
        "policies/nets.py",
        (
            "a part counts once in all",
            "np.add.at(made, (self.parts[actions, places], actions), 1.0)",
            "made[0] = 1.0",
            HEADS,
        ),
    ),
    *of(
        "contract/networks.py",
        ("other positions are not looked at", "checker.same_for_one_key(decisions)", "pass", HEADS),
    ),
]
