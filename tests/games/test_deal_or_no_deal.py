"""Deal or No Deal: instances by rule and from files, the rules beside OpenSpiel, what is hidden, what was possible."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import make_agent, opponent
from parlor.contract import check
from parlor.game import CHANCE, Game, GameError, Position
from parlor.game.loading import load
from parlor.game.rng import below, seed_stream
from parlor.game.schema import fields_of
from parlor.game.seats.observation import own_numbers
from parlor.game.seats.play import play_game
from parlor.game.seats.visibility import visible_move
from parlor.game.words import players_named
from parlor.games.deal_or_no_deal.instances import Instance, dealt, mistake
from parlor.games.deal_or_no_deal.outcomes import fair_split, nash_split, pareto, splits, welfare_split
from parlor.games.deal_or_no_deal.tables import KEPT
from parlor.policies.feature_vectors import FeatureVectors as Vectors
from parlor.policies.features import features
from parlor.policies.nets import policy_head
from parlor.sequence_form.tree import tree
from parlor.server.catalogue.catalogue import Catalogue

DEAL = "1,2,3 8,1,0 4,0,2"
THREE = [DEAL, "2,2,1 1,3,2 0,1,8", "2,2,1 2,2,2 0,1,8"]


@pytest.fixture(scope="module")
def game() -> Game:
    return load("deal-or-no-deal")


@pytest.fixture
def three(tmp_path: Path) -> Path:
    path = tmp_path / "three.txt"
    path.write_text("".join(f"{line}\n" for line in THREE))
    return path


# ----------------------------------------------------------------------------------------------------------- instances


def test_there_are_5793_instances_by_rule() -> None:
    instances = list(dealt("", 5, 7))
    assert len(instances) == len(set(instances)) == 5793
    assert len({i.pool for i in instances}) == 31
    assert len({values for i in instances for values in i.values}) == 151
    alike = Counter((i.pool, i.values[0]) for i in instances)
    assert (len(alike), max(alike.values())) == (492, 26)
    for i in instances:
        assert 5 <= sum(i.pool) <= 7
        assert [sum(n * v for n, v in zip(i.pool, values, strict=True)) for values in i.values] == [10, 10]
        assert all(a + b > 0 for a, b in zip(*i.values, strict=True))
        assert any(a * b > 0 for a, b in zip(*i.values, strict=True))


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("1,2,3 8,1,0", "'1,2,3 8,1,0' should be a pool and the values of both players, three numbers each, such as"),
        ("1,2,3 8,1,0 4,0,3", "to the second player, with the values 4,0,3, the pool 1,2,3 is worth 13; it must be wo"),
        ("1,1,1 8,1,1 4,0,6", "the pool 1,1,1 must have at least one item of each type and 5 to 7 in all"),
        ("5,2,0 0,5,1 2,0,3", "the pool 5,2,0 must have at least one item of each type and 5 to 7 in all"),
        ("1,2,2 10,0,0 8,1,0", "type 3 must be worth something to at least one player"),
        ("1,2,2 0,5,0 8,0,1", "some type must be worth something to both players"),
        ("1 8 2 1 3 0", "'1 8 2 1 3 0' should be a pool and the values of both players"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_line(tmp_path: Path, line: str, wrong: str) -> None:
    path = tmp_path / "instances.txt"
    path.write_text("\n".join([DEAL] * 16 + [line, DEAL]))
    with pytest.raises(GameError) as error:
        load("deal-or-no-deal", instances=str(path))
    where = "lines 17 and 18" if "," not in line else "line 17"  # half an instance, in the other notation
    assert str(error.value).startswith(f"{path}, {where}: {wrong}")


def test_a_file_that_is_missing_or_empty(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"There is no file .*none\.txt\."):
        load("deal-or-no-deal", instances=str(tmp_path / "none.txt"))
    (tmp_path / "empty.txt").write_text("\n")
    with pytest.raises(GameError, match=r"empty\.txt has no instances; it needs at least one line such as 1,2,3"):
        load("deal-or-no-deal", instances=str(tmp_path / "empty.txt"))
    with pytest.raises(GameError, match="least=6 and most=5 leave no pool"):
        load("deal-or-no-deal(least=6,most=5)")


def test_files_of_lewis_are_read(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    talk = "<dialogue> THEM: hi <eos> </dialogue> <output> item0=1 </output>"
    path.write_text(
        f"<input> 1 8 2 1 3 0 </input> {talk} <partner_input> 1 4 2 0 3 2 </partner_input>\n2 1 2 3 1 2\n2 0 2 1 1 8\n"
    )
    assert list(map(str, dealt(str(path), 5, 7))) == THREE[:2]


def test_what_stands_twice_in_a_file_is_dealt_twice_as_often(tmp_path: Path) -> None:
    path = tmp_path / "twice.txt"
    path.write_text("".join(f"{line}\n" for line in [*THREE, DEAL, "1,2,3 8,1,0 1,0,3"]))
    game = load("deal-or-no-deal", instances=str(path))
    odds = game.start().odds
    assert odds == pytest.approx({"1,2,3 8,1,0 1,0,3": 0.2, DEAL: 0.4, THREE[1]: 0.2, THREE[2]: 0.2})
    assert game.deal is not None
    stream = [0, 0, 0, 0]
    seed_stream(stream, 0, 0)
    names, dealt_now = list(odds), Counter(game.deal(game.new_state(), [], stream) for _ in range(5000))
    for row, name in enumerate(names):
        assert dealt_now[row] / 5000 == pytest.approx(odds[name], abs=0.03)
    assert belief(game.start().after(DEAL), 0) == {(1, 0, 3): 1, (4, 0, 2): 2}


def test_the_server_reads_no_file_that_a_request_names(three: Path) -> None:
    named = f"deal-or-no-deal(instances={three})"
    for name, options in ((named, None), ("deal-or-no-deal", {"instances": str(three)})):
        with pytest.raises(GameError, match="instances is a file; the server has only those"):
            Catalogue().game(name, options)
    served = Catalogue(games=[named])
    assert served.game(named).outcomes == 3
    asked_for = [option.name for option in served._game_info("deal-or-no-deal").options]
    assert asked_for == ["turns", "least", "most", "discount", "end", "values"]
    assert served._game_info(named).options == []


# --------------------------------------------------------------------------------------------------------------- rules


def test_an_agreement_splits_the_pool(game: Game) -> None:
    position = game.start().after(DEAL)
    assert position.turn == 0
    assert "agree" not in position.legal
    assert len(position.legal) == 2 * 3 * 4
    position = position.after("keep 1,0,0", "keep 0,0,3")
    assert position.turn == 0
    assert position.after("agree").payoffs == [8 + 2, 6]
    assert position.after("keep 1,0,0", "agree").payoffs == [8, 6]
    assert position.after("keep 1,0,0", "agree").over


def test_without_an_agreement_nobody_gets_anything(game: Game) -> None:
    position = game.start().after(DEAL, *["keep 1,2,3"] * 9)
    assert position.turn == 1
    assert position.after("agree").payoffs == [10, 0]
    assert position.after("keep 0,0,0").over
    assert position.after("keep 0,0,0").payoffs == [0, 0]


def test_deals_are_worth_less_from_the_third_turn_on() -> None:
    start = load("deal-or-no-deal(discount=90)").start().after(DEAL)
    assert start.after("keep 1,0,0", "agree").payoffs == [8, 6]
    assert start.after("keep 1,0,0", "keep 0,2,3", "agree").payoffs == pytest.approx([0.9 * 8, 0.9 * 6])
    assert start.after("keep 1,0,0", "keep 0,2,3", "keep 1,0,0", "agree").payoffs == pytest.approx([0.81 * 8, 0.81 * 6])


def test_an_end_may_be_forced_after_the_second_proposal() -> None:
    position = load("deal-or-no-deal(end=25,turns=4)").start().after(DEAL, "keep 1,0,0")
    assert position.turn == 1
    position = position.after("keep 0,2,3")
    assert position.odds == {"go on": 0.75, "end": 0.25}
    assert position.after("end").over
    assert position.after("end").payoffs == [0, 0]
    assert position.after("go on", "agree").payoffs == [8, 6]
    assert position.after("go on", "keep 0,0,0", "go on", "keep 0,0,0").over


@pytest.mark.slow
def test_the_contract_is_kept(three: Path) -> None:
    game = load(f"deal-or-no-deal(turns=4,discount=90,end=20,instances={three})")
    findings = check(game, games=40, compiled=False)
    assert [finding.name for finding in findings if finding.ok is not True] == ["native"]


# ----------------------------------------------------------------------------------------------------------- OpenSpiel


@pytest.mark.parametrize(
    ("options", "theirs"),
    [("", ""), ("(turns=5,discount=90,end=25)", "(max_turns=5,discount=0.9,prob_end=0.25)")],
)
def test_the_rules_are_those_of_openspiel(options: str, theirs: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, other = load(f"deal-or-no-deal{options}"), pyspiel.load_game(f"bargaining{theirs}")
    assert [tuple(offer.quantities) for offer in other.all_offers()] == list(KEPT)
    assert other.num_distinct_actions() == game.actions
    start, stream = game.start(), [0, 0, 0, 0]
    for number, found in enumerate(other.all_instances()[:120]):
        seed_stream(stream, 0, number)
        position = start.after(str(instance_of(found)))
        state = other.new_initial_state()
        state.apply_action(number)
        while not position.over:
            assert not state.is_terminal()
            if position.turn == CHANCE:
                outcomes = state.chance_outcomes()
                assert [odds for _, odds in outcomes] == list(position.odds.values())
                action = below(stream, 2)
                state.apply_action(outcomes[action][0])
            else:
                assert position.turn == state.current_player()
                assert position.actions == state.legal_actions()
                action = position.actions[below(stream, len(position.actions))]
                state.apply_action(action)
            position = position.after(action)
        assert state.is_terminal()
        assert position.payoffs == state.returns()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "theirs"),
    [("turns=2", "max_turns=2"), ("turns=3,end=20,discount=80", "max_turns=3,prob_end=0.2,discount=0.8")],
)
def test_whole_trees_are_those_of_openspiel(three: Path, options: str, theirs: str) -> None:
    pytest.importorskip("pyspiel")
    ours = tree(load(f"deal-or-no-deal({options},instances={three})"), compiled=False)
    other = tree(load(f"openspiel:bargaining({theirs},instances_file={three})"))
    assert (ours.histories, ours.endings, ours.infosets) == (other.histories, other.endings, other.infosets)
    for name in ("player", "parent", "first", "count", "action", "bounds", "entry_bounds", "other"):
        assert np.array_equal(getattr(ours, name), getattr(other, name)), name
    np.testing.assert_allclose(ours.weight, other.weight, rtol=0, atol=1e-12)


def instance_of(found: Any) -> Instance:
    """OpenSpiel's as ours."""
    return Instance(tuple(found.pool), (tuple(found.values[0]), tuple(found.values[1])))


def test_the_instances_of_openspiel_are_among_ours() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = [instance_of(found) for found in pyspiel.load_game("bargaining").all_instances()]
    assert len(theirs) == 1000
    assert not [wrong for instance in theirs if (wrong := mistake(instance, 5, 7))]


# -------------------------------------------------------------------------------------------------------------- hidden


def belief(position: Position, player: int) -> dict[tuple[int, ...], float]:
    """What the other's values may be, with their weights."""
    worlds = position.game.hidden.worlds
    assert worlds is not None
    assert worlds.world_numbers is not None
    codes, weights = [0] * worlds.count, [0.0] * worlds.count
    n = worlds.possible(position.state, player, codes, weights)
    return {tuple(worlds.world_numbers(code)): weight for code, weight in zip(codes[:n], weights, strict=False)}


def test_what_may_be_hidden_is_what_could_have_been_dealt(game: Game) -> None:
    position = game.start().after(DEAL, "keep 1,2,0")
    for p, own in ((0, (8, 1, 0)), (1, (4, 0, 2))):
        could = {i.values[1 - p]: 1 for i in dealt("", 5, 7) if i.pool == (1, 2, 3) and i.values[p] == own}
        assert belief(position, p) == could
    assert game.hidden.imagine is not None
    stream = [0, 0, 0, 0]
    seed_stream(stream, 0, 0)
    drawn = Counter[tuple[int, ...]]()
    for _ in range(2000):
        state = position.state.copy()
        game.hidden.imagine(state, 1, stream)
        assert (state.values[1], state.offers, state.pool) == ([4, 0, 2], position.state.offers, [1, 2, 3])
        drawn[tuple(state.values[0])] += 1
    assert drawn.keys() == belief(position, 1).keys()
    assert min(drawn.values()) > 2000 / len(drawn) / 2


def test_nobody_sees_the_others_values(game: Game) -> None:
    start = game.start()
    assert [visible_move(start, DEAL, p) for p in (0, 1)] == [None, None]
    dealt_now, other = start.after(DEAL), start.after("1,2,3 8,1,0 1,0,3")
    assert dealt_now.view(0) == other.view(0)
    assert dealt_now.view(0).values == (8, 1, 0)
    assert dealt_now.key(0) == other.key(0)
    assert dealt_now.key(1) != other.key(1)
    assert visible_move(dealt_now, "keep 1,0,0", 1) == "keep 1,0,0"


def test_values_can_be_shown() -> None:
    start = load("deal-or-no-deal(values=shown)").start()
    position = start.after(DEAL)
    assert position.view(1).values == ((8, 1, 0), (4, 0, 2))
    assert belief(position, 1) == {(8, 1, 0): 1}
    assert position.key(0) != start.after("1,2,3 8,1,0 1,0,3").key(0)
    assert "worth to player 0: 8, 1, 0; worth to player 1: 4, 0, 2" in position.show(1)


def test_moves_can_be_taken_back(game: Game) -> None:
    worlds = game.hidden.worlds
    assert worlds is not None
    start = game.start()
    for seed in range(20):
        positions = [start.after(seed * 250)]
        stream = [0, 0, 0, 0]
        seed_stream(stream, 7, seed)
        while not positions[-1].over:
            actions = positions[-1].actions
            positions.append(positions[-1].after(actions[below(stream, len(actions))]))
        end = positions[-1]
        assert worlds.decisions(end.state) == len(positions) - 1
        for k, before in enumerate(positions[:-1]):
            state = end.state.copy()
            worlds.rewind(state, k)
            assert fields_of(state) == fields_of(before.state)
            assert worlds.decision(end.state, k) == before.action(end.history[k + 1])


# ------------------------------------------------------------------------------------------------ what was possible


def test_the_frontier_and_the_best_splits() -> None:
    pool, values = (1, 2, 3), ((8, 1, 0), (4, 0, 2))
    assert len(splits(pool, values)) == 2 * 3 * 4
    assert [(s.first, s.second) for s in pareto(pool, values)] == [(2, 10), (10, 6)]
    assert nash_split(pool, values)[:1] == ((1, 2, 0),)
    assert nash_split(pool, values).product == welfare_split(pool, values).product == 60
    assert fair_split(pool, values).least == 6
    tied = (3, 1, 1), ((1, 7, 0), (3, 0, 1))
    assert [(s.first, s.second) for s in pareto(*tied)] == [(7, 10), (8, 7), (9, 4), (10, 1)]


def test_what_is_possible_on_average() -> None:
    nash = [nash_split(*instance) for instance in dealt("", 5, 7)]
    assert np.mean([split.product for split in nash]) == pytest.approx(55.66, abs=0.01)
    assert np.mean([split.welfare for split in nash]) == pytest.approx(15.02, abs=0.01)


# --------------------------------------------------------------------------------------------------- words and numbers


def test_moves_are_told_as_data_and_in_words(game: Game) -> None:
    position = game.start().after(DEAL)
    moves = {move.name: move for move in position.moves}
    assert moves["keep 1,0,2"].data == {"verb": "keep", "book": 1, "hat": 0, "basketball": 2}
    assert moves["keep 1,0,2"].text == "keep 1 book and 2 basketballs, give 2 hats and 1 basketball"
    assert moves["keep 1,2,3"].text == "keep 1 book, 2 hats and 3 basketballs, give nothing"
    assert game.start().move(game.start().action(DEAL)).text == (
        "1 book, 2 hats and 3 basketballs; to player 0 worth 8, 1, 0 and to player 1 worth 4, 0, 2"
    )


def test_a_table_and_sentences_for_a_person(game: Game) -> None:
    assert game.words.table is not None
    assert game.words.narrate is not None
    before = game.start().after(DEAL)
    after = before.after("keep 1,1,0")
    with players_named(["Rita", "you"]):
        table = game.words.table(after.view(1))
        told = game.words.narrate(before.view(1), after.view(1))
        agreed = game.words.narrate(after.view(1), after.after("agree").view(1))
    assert table.rows[1:] == [
        ["each is worth to you", "4", "0", "2", ""],
        ["1. Rita proposes: you get", "0", "1", "3", "6"],
    ]
    assert told == ["Rita proposes to keep 1 book and 1 hat; you would get 1 hat and 3 basketballs, 6 points"]
    assert agreed == ["you agree"]
    last = game.start().after(DEAL, *["keep 1,2,3"] * 9)
    assert game.words.narrate(last.view(0), last.after("keep 0,0,0").view(0))[-1] == "no turn is left: no deal"


def test_networks_see_one_feature_for_each_number(game: Game) -> None:
    found = features(game)
    # the player, the pool, the own values, the proposals, how many there are, agreed or not
    assert found.size == 2 + 3 * 8 + 3 * 11 + 10 * 3 * 8 + 11 + 2
    position = game.start().after(DEAL, "keep 1,0,2")
    active = found.active(game, position, 1)
    assert active[:7] == [1, 2 + 1, 10 + 2, 18 + 3, 26 + 4, 37 + 0, 48 + 2]
    assert active[7:10] == [59 + 1, 67 + 0, 75 + 2]
    assert Vectors(game).pieces["features"].start == 2 + 3 * 3 + 3 * 4 + 10 * 3 * 3 + 4 + 1


# -------------------------------------------------------------------------------------------------------------- agents


def test_bargainers_ask_for_less_with_every_turn_and_agree_to_their_aim(game: Game) -> None:
    start = game.start().after(DEAL)
    conceding = make_agent("conceding", game)
    assert moved(conceding, start) in ("keep 1,2,0", "keep 1,2,1")  # basketballs are worth nothing to it
    late = start.after(*["keep 1,2,0", "keep 1,2,3"] * 4)
    assert moved(conceding, late) == "keep 1,0,0"
    assert moved(make_agent("stubborn", game), start.after("keep 1,2,0", "keep 0,2,3")) == "keep 1,2,0"
    assert moved(make_agent("generous", game), start.after("keep 1,2,0", "keep 0,2,3")) == "agree"


def test_the_reader_learns_from_proposals_what_the_other_likes(game: Game) -> None:
    # Everything is worth as much to it; the other asks for one type again and again.
    start = game.start().after("1,2,2 2,2,2 2,4,0")
    hats, balls = (start.after(*["keep 1,2,2", asked] * 3) for asked in ("keep 0,2,1", "keep 0,1,2"))
    assert [moved(make_agent("reader", game), position) for position in (hats, balls)] == ["keep 1,0,2", "keep 1,2,0"]
    assert moved(make_agent("conceding", game), hats) == moved(make_agent("conceding", game), balls)
    assert game.training.opponent == "reader"  # where none came trained, as with other options
    assert opponent(load("deal-or-no-deal(turns=8)")) == "reader"


def test_trained_negotiators_want_what_they_are_called_for(game: Game) -> None:
    """Bounds far from what they get in many games: together 15.0, and 8.7 and 4.9 from each other."""
    coop, comp = (make_agent(name, game) for name in ("coop", "comp1"))
    assert opponent(game) == "comp1"

    def mean(*pair: CompiledAgent) -> Any:
        ends = [play_game(game, list(pair), seed=seed).payoffs for seed in range(40)]
        return np.mean(ends, axis=0)

    assert mean(coop, coop).sum() > 14.0
    competing, cooperating = mean(comp, coop)
    assert competing > cooperating + 1.0


def test_the_reader_does_not_look_at_the_others_values(game: Game) -> None:
    reader = make_agent("reader", game)
    for other in ("4,0,2", "1,0,3", "2,1,2"):
        position = game.start().after(f"1,2,3 8,1,0 {other}", "keep 1,2,3", "keep 0,0,3")
        assert moved(reader, position) == moved(reader, game.start().after(DEAL, "keep 1,2,3", "keep 0,0,3"))


def test_bargainers_play_whole_games() -> None:
    game = load("deal-or-no-deal(turns=3,least=3,end=10,values=shown)")
    pair = [make_agent("reader(read=1)", game), make_agent("conceding(speed=3,last=2)", game)]
    found = [play_game(game, pair, seed=seed).payoffs for seed in range(10)]
    assert np.mean(found) > 4


def test_what_networks_are_given_by_hand(three: Path) -> None:
    """The other, who begins, may have the values 1, 3, 2 or 2, 2, 2 here, and asks for both hats and the ball."""
    game = load("deal-or-no-deal", instances=str(three))
    position = game.start().after(THREE[1], "keep 0,2,1")
    numbers = own_numbers(game, position.state, 1)
    mine, theirs, rest = numbers[:120], numbers[120:240], numbers[240:]
    ball, everything = KEPT.index((0, 0, 1)), KEPT.index((2, 2, 1))
    assert (mine[ball], mine[everything]) == pytest.approx((0.8, 1.0))
    assert (theirs[ball], theirs[everything]) == pytest.approx(((2 * 1.5 + 2 * 2.5) / 10, 0.0))
    assert mine[KEPT.index((3, 0, 0))] == theirs[KEPT.index((3, 0, 0))] == 0.0  # there are two
    values, rest = np.reshape(rest[:33], (3, 11)), rest[33:]
    assert np.argwhere(values).tolist() == [[0, 1], [0, 2], [1, 2], [1, 3], [2, 2]]
    assert values[values > 0].tolist() == [0.5, 0.5, 0.5, 0.5, 1.0]
    assert rest[:3] == pytest.approx((0.15, 0.25, 0.2))
    assert rest[3:9] == pytest.approx((0.0, 0.0, 0.1, 0.0, 1.0, 1.0))  # nothing is offered; no turn is lost
    assert rest[9:15] == pytest.approx((0.0, 2 / 7, 1 / 7, 1.0, 0.0, 0.0))
    numbers = own_numbers(game, position.after("keep 0,0,1").state, 0)  # who has 1, 3, 2: what is left is worth 8
    assert numbers[243 + 33 :][:2] == pytest.approx((0.8, 0.8))
    assert numbers[282:294] == pytest.approx((0.0, 0.0, 1 / 7, 1.0, 0.0, 0.8, 0.0, 2 / 7, 1 / 7, 1.0, 1.0, 0.8))
    head = policy_head(game)
    assert head.parts[ball].tolist() == [0, 8, 17, 24 + ball]
    assert head.parts[-1].tolist() == [-1, -1, -1, 24 + 120]


def moved(agent: Any, position: Position) -> str:
    """The move that an agent surely makes."""
    [move] = [name for name, chance in agent(position).items() if chance > 0.5]
    return str(move)
