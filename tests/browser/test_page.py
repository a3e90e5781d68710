"""The page as a person uses it, in a real browser before a real server."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response

from tests.browser.conftest import Visit, Visitor
from tests.browser.expecting import expect

pytestmark = pytest.mark.slow(seconds=30)

FIRST_LOAD = 230_000  # bytes of compressed JS and CSS
YOUNG = r"Self-taught \w+ \(20 games\)"  # a checkpoint before the newest


def play_out(visitor: Visitor) -> bool:
    """A whole game: cards are clicked where they can be, else the first move is made by its key; True if one had to
    answer a demand on the way."""
    page, answered = visitor.page, False
    for turn in range(300):
        if visitor.ready() == "over":
            return answered
        if page.get_by_role("region", name="You must answer").count():
            expect(page.get_by_text("still to pay")).to_be_visible()
            expect(page.get_by_text("How do you answer?")).to_be_visible()
            assert visitor.overflow() == 0
            answered = True
        cards = page.locator("button.playable")
        if turn % 2 or not cards.count():
            visitor.press("1")
        else:
            before = visitor.ply
            cards.first.click()
            expect(page.get_by_test_id("table")).not_to_have_attribute("data-ply", str(before))
    raise AssertionError("the game does not end")


def play_until_answered(visitor: Visitor) -> None:
    """Monopoly Deal to the end, again if nothing was demanded of one."""
    for seed in range(8):
        visitor.take_seat("monopoly-deal", agent="short.00000040", seed=seed)
        if play_out(visitor):
            return
    raise AssertionError("nothing was demanded in eight games")


@pytest.mark.slow
def test_a_whole_game_with_a_response_its_mind_a_replay_a_branch_and_a_file(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    page = visitor.page
    play_until_answered(visitor)

    result = page.get_by_test_id("result")
    expect(result.get_by_role("heading")).to_have_text(re.compile("You won|You lost|A draw"))
    assert visitor.overflow() == 0
    _look_into_its_mind(page)
    _replay(visitor)
    _save_and_bring(visitor, tmp_path)
    _branch(visitor)


def _look_into_its_mind(page: Page) -> None:
    mind = page.get_by_test_id("mind")
    expect(mind).to_contain_text("What it thought in its own seat")
    expect(mind).to_contain_text(" chose ")
    expect(mind).to_contain_text(re.compile(r"It expects to win \d+ % of the time"))
    expect(mind.get_by_role("columnheader", name="how often")).to_be_hidden()  # numbers come when they are wanted
    mind.get_by_text("Details").click()
    expect(mind.get_by_role("columnheader", name="how often")).to_be_visible()
    expect(mind.get_by_role("columnheader", name="chance to win")).to_be_visible()
    expect(mind.get_by_text("±").first).to_be_visible()
    page.get_by_role("radio", name="In your place").press(" ")
    expect(mind).to_contain_text(re.compile("You chose|There was no choice"))


def _replay(visitor: Visitor) -> None:
    page = visitor.page
    visitor.go(page.evaluate("location.pathname") + "/replay")
    expect(page.get_by_test_id("next")).to_contain_text("You:")  # at the first decision
    page.get_by_role("button", name="To the beginning").click()
    expect(page).to_have_url(re.compile(r"/replay\?ply=0$"))
    expect(page.get_by_test_id("next")).not_to_contain_text("Move")  # what is dealt is no move
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("ply=1$"))
    page.keyboard.press("End")
    expect(page.get_by_test_id("next")).to_contain_text("the end of the game")
    page.get_by_role("slider", name="Moves so far").fill("3")
    expect(page).to_have_url(re.compile("ply=3$"))
    assert visitor.overflow() == 0


def _save_and_bring(visitor: Visitor, folder: Path) -> None:
    page, file = visitor.page, folder / "game.json"
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    download.value.save_as(file)
    table = page.url
    visitor.go()
    page.get_by_label("A game file to import").set_input_files(file)
    expect(page).to_have_url(re.compile(r"/table/[\w-]{22}/replay$"))
    expect(page.get_by_test_id("next")).to_contain_text("You:")
    file.write_text("not a game")
    visitor.go()
    page.get_by_label("A game file to import").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("not a saved game")
    page.goto(table)


def _branch(visitor: Visitor) -> None:
    page = visitor.page
    what_if = page.get_by_role("region", name="What if …").or_(page.locator("section", has_text="What if …")).last
    page.get_by_role("button", name="Your next decision").click()
    expect(page.get_by_test_id("next")).to_contain_text("You:")
    expect(page.get_by_test_id("mind")).to_contain_text(re.compile("You chose|There was no choice"))
    what_if.get_by_role("button", name="Try again from here").click()
    expect(page).to_have_url(re.compile(r"/table/[\w-]{22}$"))
    assert visitor.ready() == "you"
    visitor.press("1")


def test_the_pace_is_the_persons_choice(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.sit("Monopoly Deal", agent="Careful Carla")
    visitor.ready()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    table = page.get_by_test_id("table")
    while table.get_attribute("data-turn") != "agent":
        visitor.press("1")
        expect(table).to_have_attribute("data-turn", re.compile("you|agent"))
    before = visitor.ply
    page.wait_for_timeout(300)
    assert visitor.ply == before  # it waits
    page.get_by_role("button", name="Step").click()
    expect(table).not_to_have_attribute("data-ply", str(before))
    page.get_by_role("button", name="Go on").click()
    assert visitor.ready() == "you"


def test_bids_of_dice_are_said_in_words(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.take_seat("liars-dice", "solver", mind="always")
    visitor.ready()
    page.get_by_role("button", name="Bid one four").click()
    expect(page.get_by_role("list", name="History")).to_contain_text("You: one four")
    visitor.ready()
    expect(page.get_by_role("list", name="Moves so far")).to_contain_text("one four")
    page.get_by_text("In your place").click()
    expect(page.get_by_test_id("mind")).to_contain_text("You chose one four")
    expect(page.get_by_test_id("mind")).not_to_contain_text(re.compile(r"\d-\d"))


def test_arrows_go_through_the_moves(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.sit("Kuhn", seat="First")
    visitor.ready()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Check")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Bet", exact=True)).to_be_focused()
    visitor.press("Enter")
    expect(page.get_by_role("list", name="History")).to_contain_text("You: bet")


def test_a_game_can_be_played_by_enter_alone(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.sit("Monopoly Deal", agent="Careful Carla")
    visitor.ready()
    expect(page).to_have_title("Your turn: Monopoly Deal · Parlor")
    page.keyboard.press("ArrowDown")
    for _ in range(4):
        expect(page.locator("[data-moves] button:focus")).to_be_visible()
        visitor.press("Enter")
        visitor.ready()


def test_strategies_are_browsed_filtered_and_compared(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    visitor.go("/strategy?agent=kuhn&show=list")
    sets = page.get_by_role("list", name="Information sets").get_by_role("listitem")
    expect(page.get_by_text("12 situations (information sets); 12 fit.")).to_be_visible()
    page.get_by_label("Words that occur").fill("holds K")
    expect(page.get_by_text("12 situations (information sets); 4 fit.")).to_be_visible()
    expect(sets.first).to_contain_text("holds K")
    page.get_by_label("Order").select_option("most undecided")
    page.get_by_label("Words that occur").fill("nobody says this")
    expect(page.get_by_text("No situation matches")).to_be_visible()
    page.get_by_label("Strategy").select_option("Monopoly Deal learner (40 games)")
    page.get_by_label("Compare with").select_option("Monopoly Deal learner (20 games)")
    expect(page.get_by_text("their mean distance is")).to_be_visible()
    compared = page.get_by_role("list", name="Compared information sets")
    page.get_by_label("Words that occur").fill("player 2 must answer")
    expect(compared.get_by_text("Player 1 must answer").first).to_be_hidden()
    expect(compared.get_by_text("Player 2 must answer").first).to_be_visible()
    page.get_by_label("Where one can").select_option("say no")
    expect(compared.get_by_text("say no", exact=True).first).to_be_visible()
    assert visitor.overflow() == 0
    with visitor.at_a_desk():
        assert visitor.overflow() == 0


def test_a_preset_shows_the_rules_it_makes(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.choose("Monopoly Deal")
    page.get_by_text("Every rule by itself").click()
    sets = page.get_by_label("Sets", exact=True)
    expect(sets).to_have_attribute("placeholder", "3")  # the whole game is offered
    page.get_by_role("button", name="Two sets win").click()
    expect(sets).to_have_attribute("placeholder", "2")
    page.get_by_role("radio", name="Large", exact=True).press(" ")
    expect(sets).to_have_attribute("placeholder", "3")
    expect(page.get_by_test_id("preset")).to_have_text(re.compile("^Three colours, three full sets win"))
    sets.fill("1")
    expect(page.get_by_text("Every rule by itself (1 changed)")).to_be_visible()
    page.get_by_role("button", name="Play Monopoly Deal against").click()
    expect(page.get_by_role("heading", name=re.compile("Large, sets 1"))).to_be_visible()
    page.get_by_role("button", name="How to play").click()
    expect(page.get_by_text("Be the first to lay down 1 complete set ")).to_be_visible()


def test_an_earlier_checkpoint_is_an_opponent_too(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    drawer = visitor.choose("Monopoly Deal")
    drawer.get_by_role("button", name="Two sets win").click()  # the rules under which it learns
    young = drawer.locator("option").filter(has_text=re.compile(YOUNG))
    expect(young).to_be_attached()
    drawer.get_by_text(re.compile(r"^\d+ more$")).click()
    drawer.get_by_label("One that is still learning").select_option(young.inner_text())
    drawer.get_by_role("button", name=re.compile(f"^Play Monopoly Deal against {YOUNG}")).click()
    expect(page.get_by_test_id("table")).to_be_visible()
    expect(page.get_by_text(re.compile(f"^against {YOUNG}")).first).to_be_visible()


def test_runs_show_curves_checkpoints_and_cross_tables(visit: Visit) -> None:
    visitor = visit(390, "dark")
    page = visitor.page
    visitor.go("/runs")
    expect(page.get_by_role("rowheader", name="careful")).to_be_visible()
    page.get_by_role("link", name="Monopoly Deal, learned by").filter(has_text="short").click()
    for chart in ("Wins against", "Expected regret", "Information sets", "Median probability", "Quantiles of updates"):
        figure = page.get_by_role("figure", name=chart)
        expect(figure.locator("path.recharts-line-curve").first).to_be_attached()
    assert visitor.overflow() == 0
    with visitor.at_a_desk():
        assert visitor.overflow() == 0
    page.get_by_role("link", name="Play this checkpoint").last.click()
    page.get_by_role("button", name=re.compile(f"^Play Monopoly Deal against {YOUNG}")).click()
    expect(page.get_by_role("region", name=re.compile(f"The other side, {YOUNG}"))).to_be_visible()


def test_curves_grow_while_a_run_goes_on(visit: Visit, agents: Path) -> None:
    rows = (agents / "short" / "metrics.jsonl").read_text().splitlines(keepends=True)
    going = agents / "going"
    going.mkdir()
    shutil.copy(agents / "short" / "config.json", going)
    (going / "metrics.jsonl").write_text("".join(rows[:2]))
    visitor = visit()
    visitor.go("/runs")
    visitor.page.get_by_role("link", name="going").first.click()  # it appears there by itself
    expect(visitor.page.get_by_text("10 of 40 games")).to_be_visible()
    curve = visitor.page.get_by_role("figure", name="Expected regret").locator("path.recharts-line-curve").first
    before = curve.get_attribute("d") or ""
    with (going / "metrics.jsonl").open("a") as file:
        file.write("".join(rows[2:]))
    expect(visitor.page.get_by_text("40 of 40 games")).to_be_visible()
    expect(curve).not_to_have_attribute("d", before)


def test_what_goes_wrong_is_said(visit: Visit) -> None:
    visitor = visit(quiet=False)  # a browser complains by itself about requests that fail
    page = visitor.page
    visitor.go("/table/aaaaaaaaaaaaaaaaaaaaaa")
    expect(page.get_by_role("alert")).to_contain_text("There is no table at this link.")
    visitor.go("/nowhere")
    expect(page.get_by_text("There is nothing at this address.")).to_be_visible()
    visitor.go("/runs/none")
    expect(page.get_by_role("alert").first).to_contain_text("There is no training run 'none' here.")


def test_the_first_load_is_small(visit: Visit) -> None:
    visitor = visit(alone=True)  # who has nothing yet
    loaded: list[str] = []

    def note(answer: Response) -> None:
        loaded.append(answer.url)

    visitor.page.on("response", note)
    visitor.go()
    expect(visitor.page.get_by_role("heading", name="Sit down and play")).to_be_visible()
    files = [url for url in loaded if url.endswith((".js", ".css"))]
    assert files
    assert sum(len(gzip.compress(visitor.page.request.get(url).body(), 6)) for url in files) < FIRST_LOAD


def test_more_than_two_sit_at_a_table(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.choose("Kuhn")
    page.get_by_role("radio", name="4", exact=True).press(" ")
    page.get_by_role("group", name="Opponent").get_by_role("radio", name="Random").press(" ")
    page.get_by_role("radio", name="Third", exact=True).press(" ")
    page.get_by_role("slider", name="Pace of the agent").fill("0")
    page.get_by_role("button", name="Play Kuhn against 3 × Random").click()
    expect(page.get_by_text("seat 3 of 4")).to_be_visible()
    expect(page.locator("[data-side]")).to_have_count(4)
    while visitor.ready() != "over":
        visitor.first_move()
    result = page.get_by_test_id("result")
    expect(result).to_contain_text(re.compile(r"You get \S+, Random 1 \S+, Random 2 \S+, Random 4"))
    expect(page.get_by_test_id("mind")).to_contain_text(re.compile(r"Random \d chose"))


def test_one_click_from_the_first_page_is_a_game(visit: Visit) -> None:
    visitor = visit()
    visitor.go()
    visitor.page.get_by_role("button", name="Play Monopoly Deal").click()
    expect(visitor.page.get_by_role("heading", name="Monopoly Deal")).to_be_visible()
    visitor.page.get_by_role("button", name="How to play").click()
    expect(visitor.page.get_by_text("Be the first to lay down 3 complete sets")).to_be_visible()
    expect(visitor.page.get_by_text("This deck has 3 colours")).to_be_visible()
