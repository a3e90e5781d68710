"""Mistakes in the accounts of games, in what they leave behind, and in the numbers of their agents."""

from __future__ import annotations

from tests.mutants.mistake import Mistake, of

LEDGER = "tests/games/leodopoly/test_hand_leodopoly_ledger.py"
SMALL = "tests/games/test_hand_small_games.py"
DEAL = "tests/games/monopoly_deal/test_hand_monopoly_deal.py"
CLUE = "tests/games/clue/test_hand_clue.py"
CONTRACT = "tests/games/test_hand_contract.py"
AGENTS = "tests/agents/test_hand_agents.py"

MISTAKES: list[Mistake] = [
    *of(
        "games/leodopoly/turns/trades.py",
        (
            "the partner of a trade is not paid",
            "    s.money[p] -= s.cash\n    s.money[q] += s.cash\n",
            "    s.money[p] -= s.cash\n",
            LEDGER,
        ),
        (
            "the interest of what one gets is forgotten",
            "s.money[s.actor] - cash >= get_cost",
            "s.money[s.actor] >= cash",
            LEDGER,
        ),
        (
            "a refused trade stays on the table",
            "        s.partner, s.get, s.give, s.cash = 0, 0, 0, 0\n",
            "        s.partner, s.get, s.give = 0, 0, 0\n",
            LEDGER,
        ),
    ),
    *of(
        "games/leodopoly/turns/auctions.py",
        ("limits are kept after the auction", "        s.limit[p] = 0\n", "        pass\n", LEDGER),
        (
            "rounds of raises are skipped by one too many",
            "rounds = (lowest - s.bid) // (rivals * UNIT)",
            "rounds = (lowest - s.bid) // (rivals * UNIT) + 1",
            LEDGER,
        ),
        (
            "the lander bids first",
            "    s.asked = s.actor\n    if SEALED:",
            "    s.asked = s.actor - 1\n    if SEALED:",
            LEDGER,
        ),
    ),
    *of(
        "games/leodopoly/turns/deals.py",
        ("the seller is paid by nobody", "        s.money[buyer] -= price\n", "        pass\n", LEDGER),
        ("offers leave no room for interest", "money[p] - transfer_cost(s, s.lot), 0)", "money[p], 0)", LEDGER),
    ),
    *of(
        "games/leodopoly/turns/building.py",
        (
            "a new owner pays no interest",
            "        receive(s, p, -min(interest(k), s.money[p]))\n",
            "        pass\n",
            LEDGER,
        ),
    ),
    *of(
        "games/monopoly_deal/responses.py",
        ("what was wanted stays after a refusal", "    s.paid = 0\n    s.wanted = 0\n", "    s.paid = 0\n", DEAL),
        ("a settled demand is not forgotten", "    s.wanted = 0\n    s.settled = 0\n", "    s.wanted = 0\n", DEAL),
    ),
    *of(
        "games/monopoly_deal/abstraction.py",
        (
            "exact cash does not cover the rent",
            "return 1 if cash < feared else 2",
            "return 1 if cash <= feared else 2",
            DEAL,
        ),
        ("what is owed counts what was paid", "    rest = s.owed - s.paid\n", "    rest = s.owed\n", DEAL),
    ),
    *of(
        "games/clue/estimate.py",
        (
            "a hand that is full gets one more card",
            "if left and left & left - 1 == 0 and count_bits(has[q] | left) <= hand_size(s, q):",
            "if left and left & left - 1 == 0:",
            CLUE,
        ),
        ("those asked in vain are not noted", "            lacks[seat] |= cards\n", "            pass\n", CLUE),
        (
            "own suggestions are half believed",
            "                        weight *= EXCEPTIONS\n",
            "                        weight *= 0.5\n",
            CLUE,
        ),
    ),
    *of(
        "games/colored_trails/rules.py",
        (
            "an imagined offer adds to the old one",
            "            s.offers[RESPONDER][q][GIVES][colour] = s.offers[RESPONDER][q][GETS][colour] = 0\n",
            "            pass\n",
            CONTRACT,
        ),
        (
            "a board is imagined whose stock is another",
            "if count_of(chips, RESPONDER, colour) != s.stock[colour]:",
            "if False:",
            CONTRACT,
        ),
        (
            "the last board that looks alike is always imagined",
            "            if chosen == 0:\n",
            "            if True:\n",
            CONTRACT,
        ),
    ),
    *of(
        "games/liars_dice/rules.py",
        (
            "orders of throws are miscounted",
            "orders = orders * rolled // (i + 1)",
            "orders = orders * rolled // (i + 2)",
            SMALL,
        ),
        (
            "throws of four dice are miscounted",
            "count = count * (faces + i) // (i + 1)",
            "count = count * (faces + min(i, 2)) // (i + 1)",
            SMALL,
        ),
    ),
    *of(
        "games/sheriff/rules.py",
        ("the first round counts", "sheriff = s.bribe[ROUNDS - 1]", "sheriff = s.bribe[0]", SMALL),
    ),
    *of(
        "games/goofspiel/rules.py",
        ("a bid is seen after it is settled", "        s.bid[p] = 0\n    s.prize = 0", "    s.prize = 0", SMALL),
        ("losers share by all players", "-1.0 / (PLAYERS - winners)", "-1.0 / (PLAYERS - 1)", SMALL),
    ),
    *of(
        "games/tiny_bridge/rules.py",
        (
            "the fourth player does not lead",
            "second = trick(d2, a2, b2, c2, trumps) + 3",
            "second = trick(c2, d2, a2, b2, trumps) + 3",
            SMALL,
        ),
    ),
    *of(
        "games/battleship/rules.py",
        (
            "ships are sought with one step back only",
            "            taken &= ~cells_of(at, place)\n",
            "            taken = 0\n",
            SMALL,
        ),
    ),
    *of(
        "search/belief.py",
        (
            "hidden moves change places only one way",
            "            actions[i], actions[j] = actions[j], actions[i]\n",
            "            actions[i] = actions[j]\n",
            CONTRACT,
        ),
        (
            "weights forget how likely a step was",
            "grown.append((_Particle(world, particle, action, chance), weight * total))",
            "grown.append((_Particle(world, particle, action, chance), weight))",
            CONTRACT,
        ),
    ),
    *of(
        "games/monopoly_deal/agents/careful.py",
        (
            "refusals are counted with replacement",
            "max(unseen - refusals - i, 0) / (unseen - i)",
            "max(unseen - refusals, 0) / unseen",
            AGENTS,
        ),
        (
            "a payment is found too dear",
            "useful = min(count, (due + value - 1) // value)",
            "useful = min(count, due // value)",
            AGENTS,
        ),
    ),
    *of(
        "games/battleship/agents/hunting.py",
        ("a line goes round the edge", " and (step > 1 or at // width == cell // width)", "", AGENTS),
    ),
    *of(
        "games/deal_or_no_deal/agents/bargainer.py",
        ("it reads its own proposals", "for t in range(1 - p, s.made, 2):", "for t in range(p, s.made, 2):", AGENTS),
    ),
    *of(
        "games/liars_dice/agents/counting.py",
        (
            "trust is in one die too many",
            "trust * at_least(need - 1, dice - 1, share)",
            "trust * at_least(need - 1, dice, share)",
            AGENTS,
        ),
    ),
]
