"""Black Monday: every card is a share, or it moves a price. For two to six.

Author: Sid Sackson. Edition: Hexagames, Germany 1988; an earlier form, Card Stock Market, stands in
his book Card Games Around the World. The rules are told here in our own words. They were written
down after the description at ludorium.at and compared with the reviews in the RWTH archive, at
spookshow.net, wiltsgames.co.uk, spieletest.at and giochinscatola.it, and with the rules of Card
Stock Market at gamefarm.jp. Code and tests name rules by these ids.

## Rules

* B-1: there are 105 cards: 1 to 13 twice in each of four colours, and the End card.
* B-2: a card moves the price of its colour within a window: red (colour 1) from 2 down to 3 up,
  blue from 3 to 4, purple from 4 to 5, yellow from 5 to 6.
* B-10: for each colour the lot lays out a card from 1 to 10, its first price.
* B-11: the End card is put aside. The other 100 are shuffled, everybody is dealt eight, the rest is
  the talon.
* B-12: everybody has 200 coins.
* B-13: the lot decides who starts; seat 1 does.
* B-20: in a turn a seat changes prices, or trades, or does both one after the other; each in one
  block.
* B-21, B-21a: or it exchanges one to four cards and does nothing else. Whatever is discarded lies
  open.
* B-22: or it passes.
* B-23: at the end of each turn the hand is filled up to eight from the talon.
* B-30: a price is changed once or twice, by hand cards of the colour within the window, ends
  included; also by the same value. The card below is discarded.
* B-31: 11, 12 and 13 may be played as 0, a crash: all discard their shares of the colour.
* B-32: from 0 a price rises as from any other.
* B-33: the second change counts from the first.
* B-40: at most two hand cards from 1 to 10 are bought and laid out, for value times price. Nobody
  goes into debt.
* B-41: by a purchase a seat may not come to more than 12 shares of a colour; a card is as many
  shares as its value.
* B-42: nothing is bought at price 0.
* B-43: any cards laid out are sold, each as a whole, for value times price, and discarded.
* B-44: purchases and sales of a turn come in any order.
* B-45: under `court-shares` on, 11, 12 and 13 are bought as five shares.
* B-50: when the talon is used up, the discard and the End card are shuffled into a new one.
* B-51: who draws the End card ends the match.
* B-52: wealth is money and shares at the last prices; the highest wins.

## Rulings

Where the texts are silent, contradict each other or are damaged, we ruled (options in brackets let
a match choose otherwise; the first value named is the default):

* B-Q1: hands are hidden, and what the texts mark as "presumably meant so" counts.
* B-Q2: "all)" and "siehe (b1)" are errors for (a1) and (b11).
* B-Q3: the four start prices are cards of the deck, so 100 are shuffled and dealt.
* B-Q4: colours 1 to 4, from the narrowest window to the widest, are red, blue, purple and yellow.
* B-Q5: the window bounds the 0 of a crash like any other value (`zero-bound` window), or a crash
  is possible from every price (free).
* B-Q6: a crash of a price of 0 may be played.
* B-Q7: nothing can be bought at price 0 (`buy-at-zero` no), or it costs nothing (yes). What was
  bought so can be sold at 0, for nothing.
* B-Q8: cards from 11 up are no shares (`court-shares` off), or each counts as five (on).
* B-Q9: the limit of 12 shares is checked after each purchase; who sells first has room.
* B-Q10: what was bought can be sold in the same turn (`round-trip` allow), or only cards that lay
  there before it (forbid); of equal cards the older is sold first.
* B-Q11: there is no credit.
* B-Q12: a turn has one block of prices and one of trade, in either order.
* B-Q13: a turn with neither is a pass. Whoever has done something cannot pass or exchange any more.
* B-Q14: passing is allowed (`pass` yes) or not (no). If the seats still in the match have passed
  twice each in succession, it ends; that is counted when a turn ends.
* B-Q15: the new talon is shuffled as soon as the last card is drawn (`reshuffle` eager), or when
  the next card is needed (lazy).
* B-Q16: in the middle of a refill it goes on with the new talon.
* B-Q17: the End card ends the match at once (`end-card` immediate), or the seats behind the one
  that drew it, up to the last, have one more turn each (round); then nobody refills any more, and
  passes do not count.
* B-Q18: the refill stops at the End card; no other card replaces it.
* B-Q19: if nothing has been discarded, the new talon is the End card alone; it is shuffled too.
* B-Q20: equal wealth shares the win (`tie` share), or more money decides (cash).
* B-Q21: money is open.
* B-Q22: an exchange does not go together with prices or trade.
* B-Q23: price changes and purchases are counted apart, two of each.

A seat that leaves is skipped, in a last round too. If it leaves in its turn, the turn ends without
a refill. That is no pass, but the passes before it still count, against those who stay. Its shares
count for nobody; a crash takes them.

## Examples

Tests play them.

* B-X1: the window at nine prices.
* B-X2: red is raised from 6 to 9 to 12, and 12 shares are sold for 144.
* B-X3: what was bought before a price change cannot be sold after it in the same turn.
* B-X4: yellow crashes from 4, rises to 6, and 12 shares of it are bought.
* B-X6: the talon ends in the middle of a refill.
* B-X7: 148 coins against 148, of which one seat has more in money.

## In the log

Cards are `R B P Y` (red, blue, purple, yellow) and 1 to 13, in this order; equal copies cannot be
told apart. Moves are `price R9`, `crash R12`, `buy R4`, `sell R10`, `swap R1 B2 P3` with its cards
in order, `pass` and `end`. `swap` and `pass` are the whole turn; any other turn ends with `end`.

Chance: at the beginning `[20,20,20,20]` from the chain `pub`; the eyes x of the first die make the
red price ceil(x/2), and so on for blue, purple and yellow. Then a shuffle of the other 100 cards
from `hid`, its head dealt first, one card at a time round the table from seat 1; the rest is the
talon, its head on top. When the talon is used up, a shuffle of the discard and `END`, which comes
last in card order, from `hid`: the new talon, its head on top.

The final state is `{"discard":[...],"hands":{"s1":[...],...},"money":{"s1":200,...},"prices":
{"b":7,"p":3,"r":0,"y":11},"shares":{"s1":[...],...},"talon":[...]}`, cards in order but the talon,
which is listed from the top, with `END` where it lies. An `END` that is aside or was drawn is in no
pile, nor are the four price cards. Reasons of an end are `closed` (the End card was drawn) and
`passed`.
"""

from __future__ import annotations

from games.black_monday import v1

VERSIONS = {1: v1.RULES}
