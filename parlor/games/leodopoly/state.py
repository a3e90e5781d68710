"""The state of a game, its phases and its actions."""

from __future__ import annotations

from parlor.game import private, public
from parlor.games.leodopoly.boards import SPACES
from parlor.games.leodopoly.decks import LARGEST
from parlor.games.leodopoly.estate import PROPERTIES
from parlor.games.leodopoly.options import (
    CARDS,
    EXTENDED,
    HOUSES,
    JAIL,
    MONEY,
    MORTGAGES,
    OFFERS_BEFORE,
    PLAYERS,
    ROUNDS,
    TRADES,
    TWO_DICE,
    UNIT,
)

# ------------------------------------------------------------------------------------------------------------- phases

SELLING, OFFERING, ANSWERING, DICE, BUYING_NOW, BIDDING, FINISHED = range(7)
DRAWING = 7  # a card is drawn
METERING = 8  # the dice are rolled for the rent of a utility
RAISING = 9  # a player in debt sells houses and mortgages properties
GETTING, GIVING, PAYING, AGREEING = range(10, 14)  # a trade: the property to get, to give, the money, and the answer
RESOLVED = 14  # everything that a roll has brought is done; no state is left in it

# ------------------------------------------------------------------------------------------------------------ actions

HIGHEST = 200  # amounts, in units, where the unit is more than one
MAX_AMOUNT = min(PLAYERS * MONEY // UNIT, HIGHEST) if UNIT > 1 else PLAYERS * MONEY
PUT_UP = MAX_AMOUNT + 1  # the first property to put up
ACCEPT = PUT_UP + SPACES  # the first player whose offer is accepted
ROLL = ACCEPT + PLAYERS
REFUSE = ROLL + 1  # all offers
BUY = REFUSE + 1
DECLINE = BUY + 1  # to buy
RAISE = DECLINE + 1
PASS = RAISE + 1
LEAVE = PASS + 1  # jail, for a fine
USE_CARD = LEAVE + 1  # to leave it
BUILD = USE_CARD + 1 if JAIL else LEAVE  # the first property to build a house on
DEMOLISH = BUILD + SPACES if HOUSES else BUILD  # the first property to sell a house of
MORTGAGE = DEMOLISH + SPACES if HOUSES else BUILD  # the first property to mortgage
REDEEM = MORTGAGE + SPACES if MORTGAGES else MORTGAGE
PROPOSE = REDEEM + SPACES if MORTGAGES else MORTGAGE  # the first partner of a trade
PICK = PROPOSE + PLAYERS if TRADES else PROPOSE  # the first property to get or to give
PICK_NONE = PICK + SPACES
CASH = PICK_NONE + 1  # the first amount of a trade
#: What the player who proposes a trade pays, or gets.
LADDER = (-500, -300, -200, -100, -50, -20, -10, 0, 10, 20, 50, 100, 200, 300, 500)
ACTIONS = CASH + len(LADDER) if TRADES else PROPOSE

SIDES = 6
#: What two dice show, the lower one first: 21 outcomes.
PAIRS = tuple((low, high) for low in range(1, SIDES + 1) for high in range(low, SIDES + 1))
ROLLS = len(PAIRS) if TWO_DICE else SIDES
OUTCOMES = max(ROLLS, LARGEST) if CARDS else ROLLS

# ------------------------------------------------------------------------------------------------------------- length

TURNS = ROUNDS * PLAYERS
MANAGED = 30  # houses built and sold, mortgages and redemptions of a player before rolling, in one turn
if EXTENDED:
    # In a turn: everything put up with its offers and answer; what is managed, and as often in the course of the game
    # what debts undo of it; trades; and up to three rolls, each with a fine, the dice twice, two cards and an auction.
    LENGTH = TURNS * (PROPERTIES * (PLAYERS + 1) + 2 * MANAGED + 5 * TRADES + 3 * (2 * PLAYERS + 8))
    # Every sale by auction has at most MAX_AMOUNT raises; a bankrupt's estate is auctioned again, never mortgaged.
    LENGTH += PROPERTIES * PLAYERS * (MAX_AMOUNT + 2 * PLAYERS + 1)
else:
    LENGTH = TURNS * (SPACES * (PLAYERS + 1) + 2 * PLAYERS + 3) + PROPERTIES * MAX_AMOUNT

# -------------------------------------------------------------------------------------------------------------- state

ROWS = SPACES if OFFERS_BEFORE else 1  # of offers that are open at the same time
BANK = PLAYERS  # as a creditor

STATE = {
    "round": public(),  # from 0
    "actor": public(),  # whose turn it is
    "phase": public(),
    "asked": public(),  # the player who makes an offer, bids, answers a trade or is in debt
    "position": public(PLAYERS),
    "money": public(PLAYERS),
    "bank": public(),  # what has been paid to it, less what it has paid
    "owner": public(SPACES),  # player + 1
    "lot": public(),  # the space that is for sale
    "put_up": public(),  # the properties put up in this turn, a bit each
    "offer": public(ROWS, PLAYERS),  # for them
    "bid": public(),
    "bidding": public(),  # who is in the auction and has not passed, a bit each
    "limit": private(PLAYERS),  # of a sealed auction
    "memory": private(PLAYERS),  # all limits that I have named, folded into one number
    "history": public(),  # everything else that has happened, folded into one number
    "bankrupt": public(),  # the last one who has gone bankrupt, player + 1
    "won": public(),  # at the end, who has won, a bit each
}
if EXTENDED:
    STATE |= {
        "dice": public(),  # the last roll, outcome + 1
        "doubles": public(),  # in a row, in this turn
        "gone": public(),  # who is bankrupt, a bit each
        "due": public(),  # what every debtor owes to every creditor
        "debtors": public(),  # a bit each
        "creditors": public(),  # a bit each; the bank is BANK
        "estate": public(),  # properties of a bankrupt player that are still to be auctioned, a bit each
        "managed": public(),  # moves of this turn that change houses and mortgages
    }
if JAIL:
    STATE["jailed"] = public(PLAYERS)  # the coming attempt to roll doubles, 1 to 3; 0: not in jail
    STATE["steps"] = public()  # to go when the fine is paid
if CARDS:
    STATE["pile"] = public(2)  # the cards that have not been drawn, a bit each
    STATE["card"] = public()  # the last one that was drawn, + 1; those of the second pile follow those of the first
if CARDS and JAIL:
    STATE["pardon"] = public(2)  # who holds the pile's card to get out of jail, player + 1
if HOUSES:
    STATE["level"] = public(SPACES)  # houses; 5: a hotel
if MORTGAGES:
    STATE["mortgaged"] = public()  # a bit each
if TRADES:
    STATE |= {
        "proposals": public(),  # of this turn
        "partner": public(),  # player + 1
        "get": public(),  # what the player in turn wants, space + 1, or 0
        "give": public(),
        "cash": public(),  # what it pays, or gets if negative
    }
