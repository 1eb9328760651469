"""Monad, and Die 1. Million: cards are exchanged for higher ones until somebody has enough Monads.

Author: Sid Sackson. Editions: Monad (3M 1970), also with a German rule by Eugen Oker, and Die 1.
Million (Hexagames 1987); for two, three or four, or for two teams of two. The rules are told here
in our own words. They were written down after the description of both games at ludorium.at and
compared with the reviews at superfred.de, spieletest.at and in the RWTH archive, the rules at
ultraboardgames.com and the publisher's text of the Gryphon edition. Code and tests name rules by
these ids.

## Rules

* M-1: of the ones there are as many copies of each of the six colours as seats.
* M-2: of 3, 7, 16 and 36 there is one card of each colour.
* M-3: Monads are worth 80.
* M-4: there are six Stamm cards, one of each colour.
* M-5: bonus pairs are A-a, B-b and C-c; bonus cards only show them.
* M-10: the ones are shuffled and dealt out, six to each seat; stock and discard begin empty.
* M-11: everybody gets an open Stamm card: with `stamm-deal` monad, three seats of one temperature
  only, four seats of two bonus pairs only; otherwise of all six. The rest is out of play.
* M-12: 3, 7, 16 and 36 are shuffled into four open groups, whose order everybody sees.
* M-13: the lot decides who starts; seat 1 does.
* M-20: whoever is the first to own the target number of Monads wins at once: 5 with two seats, 4
  with three, 3 with four.
* M-21: in teams, seats 1 and 3 against 2 and 4, the first team with 5 Monads wins.
* M-30: a turn is to draw the top one of the stock;
* M-31: or, if the stock is empty, to turn the discard over, the oldest card on top;
* M-32: or to make exchanges, at least one, in any number and order.
* M-33: drawing and turning over do not go together with exchanges.
* M-34: who can do none of these passes, and shows the hand.
* M-35: when all have passed in succession, the match is over; with `pass` free, when they have
  passed twice.
* M-40: only the top card of a group, or a Monad, can be acquired.
* M-41: ones that are paid go on the discard, other cards under their own groups.
* M-42: the card acquired is the one on top before the payment is returned.
* M-43: nobody exchanges with other seats.
* M-50: a sum pays with cards of lower value whose total reaches the value; no change is given.
* M-60: a pair, a warm and a cool card of equal value, pays for the next higher level.
* M-61: in a pair a card of the own Stamm colour, from 3 up, may count as any other value.
* M-62: at its own value it is no joker.
* M-70: a pair of bonus colours without a joker entitles to a bonus for the level acquired.
* M-71: one bonus a turn may be taken, later in the same turn.
* M-72: it brings the top card of every group below that level, and of the stock.
* M-73: groups that are empty are passed over (`bonus-chain` skip),
* M-74: or the first one ends the bonus (break), as in the German rule and in Die 1. Million.
* M-80: a leap pays with four, five or six ones of different colours for a 7, a 16 or a 36.
* M-81: it is never the first exchange of a turn.
* M-A1, M-A2, M-A4: cards are never lost or added, and somebody can always do something as long as
  nobody has left.

## Rulings

Where the texts are silent, contradict each other or are damaged, we ruled (options in brackets let
a match choose otherwise; the first value named is the default):

* M-Q1: "(ad)", "(cj", "[erstel" are (a1), (c) and [erste].
* M-Q2: the missing line about the material is that of the Stamm cards.
* M-Q3: only Stamm cards are left out with three and four seats, no playing cards.
* M-Q4: with three seats the lot decides between warm and cool.
* M-Q5: two seats have two ones of each colour and all higher cards.
* M-Q6: turning the discard over is a whole turn; nothing is drawn.
* M-Q7: the discard is turned over as it lies (`flip` turn), or shuffled (shuffle).
* M-Q8: a bonus may be taken at any time later in the turn (`bonus-timing` anytime), or only right
  after its pair (immediate).
* M-Q9: who is entitled to several chooses.
* M-Q10: a bonus is taken whole or not at all. It may be taken even if it brings nothing.
* M-Q11: see M-73 and M-74; the edition decides unless the option does.
* M-Q12: an empty stock brings nothing in a bonus, whatever lies on the discard.
* M-Q13: a bonus can bring back cards that were just paid.
* M-Q14: cards are returned in the order in which they are named.
* M-Q15: a sum may be paid with more than is needed (`overpay` any), or only so that without any one
  of the cards it would not be enough (tight).
* M-Q16: a sum is not paid with cards of equal or higher value.
* M-Q17: a joker is one only in pairs.
* M-Q18: it may count as less than it is, and as 1.
* M-Q19: a one of the Stamm colour is no joker.
* M-Q20: a joker cannot buy itself: a group must have a card before the payment.
* M-Q21: Stamm cards at their own value entitle to a bonus like others.
* M-Q22: leaps can be made as often as wanted (`leap-limit` none), or once in a turn (once).
* M-Q23: a bonus always follows a pair, so it need not count as an exchange before a leap.
* M-Q24: only who can do nothing else passes (`pass` stuck-only), or everybody may, as a whole turn
  (free). Then nobody has anything to prove, and no hand is shown.
* M-Q25: who has to pass shows the hand (`stuck-reveal` yes), or it is only checked (no).
* M-Q26: Monads never run out.
* M-Q27: a win ends the match in the middle of a turn.
* M-Q28: partners do not see each other's hands and pass no cards.

A seat that leaves is skipped; its cards stay where they are. If it leaves in its turn, the turn
ends. That is no pass, but the passes before it still count, against those who stay. A team plays on
while one partner is in, and the Monads of both count.

Of another hand a seat is shown the cards known from public play; a card that is paid is taken from
these first. The ones of the deal are secret until they are paid or shown, but of two seats each can
work out those of the other. With `flip` shuffle the order of the stock is hidden, and cards drawn
from it are secret too; of two seats each works them out when the stock is used up.

## Examples

Tests play them.

* M-X1: a bonus for a Monad over an empty group, with both chains.
* M-X2: a joker that counts as 36 and as 16.
* M-X3: what is enough for a sum, and what is not.
* M-X4: a first turn with a pair, a bonus that brings nothing, and a leap.
* M-X6: a seat that can do nothing.

## In the log

Colours are `A B C` (warm: red, orange, yellow) and `a b c` (cool: purple, blue, green), cards
`A16`, in the order of colours and then of values; equal copies cannot be told apart. Moves are
`draw`, `flip`, `pass`, `sum A7 b7 A1 C1 > 16` (or `> monad`), `pair A36 a36`, `leap A1 B1 b1 c1`,
`bonus 16` (the level acquired) and `end`. `draw`, `flip` and `pass` are the whole turn; any other
ends with `end`, or with a win.

Chance: at the beginning a shuffle of the ones from the chain `hid`, its head dealt first, one card
at a time round the table from seat 1. Then from `pub`, with `stamm-deal` monad, for three seats
`[2]`, 1 for warm and 2 for cool, for four seats `[3]` for the pair left out; a shuffle of the
colours in play, the first for seat 1; a shuffle of each group from 3 to 36, its head on top. With
`flip` shuffle each `flip` asks for a shuffle of the discard from `hid`, its head on top of the new
stock.

The final state is `{"discard":[...],"g3":[...],"g7":[...],"g16":[...],"g36":[...],"hands":{"s1":
[...],...},"monads":{"s1":2,...},"stamm":{"s1":"A",...},"stock":[...]}`: groups and stock from the
top, the discard from the bottom, hands in order. Reasons of an end are `monads` and `passed`.
"""

from __future__ import annotations

from games.monad import v1

VERSIONS = {1: v1.RULES}
