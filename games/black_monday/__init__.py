"""Black Monday, by Sid Sackson (Hexagames, Germany 1988): every card is a share or moves a price.

The game is its author's, who first published it as Card Stock Market in the book Card Games Around
the World; the rules are told here in our own words. They were written down after the description at
ludorium.at and compared with the reviews in the RWTH archive, at spookshow.net, wiltsgames.co.uk,
spieletest.at, giochinscatola.it and with the Japanese rules of Card Stock Market at gamefarm.jp.
Rule ids such as B-20 stand in the code.

Where those texts are silent, contradict each other or are damaged, we ruled (options in brackets
let a match choose otherwise; the first value named is the default):

* B-Q1, B-Q14: hands are hidden, nobody must act, shares at price 0 cannot be bought. Passing
  (`pass` yes, or no) has a safeguard: after two rounds of passes in succession the match ends.
* B-Q3: the four start prices are real cards of the deck, so 100 are shuffled and dealt.
* B-Q4: colours 1 to 4, from the narrowest window to the widest, are red, blue, purple and yellow.
* B-Q5: the window bounds the 0 of a crash like any other value (`zero-bound` window), or a crash
  is possible from every price (free).
* B-Q6: a card of the same value, and a crash of a price of 0, may be played.
* B-Q7: nothing can be bought at price 0 (`buy-at-zero` no), or it costs nothing (yes). What was
  bought so can be sold at 0, for nothing.
* B-Q8, B-45: cards from 11 up are no shares (`court-shares` off), or each counts as five (on).
* B-Q9: the limit of 12 shares is checked after each purchase; who sells first has room.
* B-Q10: what was bought can be sold in the same turn (`round-trip` allow), or only cards that lay
  there before it (forbid); of equal cards the older is sold first.
* B-Q12: a turn has one block of prices and one of trade, in either order.
* B-Q13: a turn with neither is a pass. Whoever has done something cannot pass or exchange any more.
* B-Q15, B-Q16: the discard and the End card become the new talon as soon as the last card is drawn,
  also in the middle of a refill (`reshuffle` eager), or when the next card is needed (lazy).
* B-Q17, B-Q18: the End card ends the match at once (`end-card` immediate), or the seats behind the
  one that drew it, up to the last, have one more turn each (round); then nobody refills any more
  and passes do not count. The refill stops at the End card; it is replaced by no other card.
* B-Q19: if nothing has been discarded, the new talon is the End card alone; it is shuffled too.
* B-Q20: equal wealth shares the win (`tie` share), or more money decides (cash).
* B-21a: discards lie open, exchanged cards among them.
* A seat that leaves in its turn ends it without a refill. That is no pass, but the passes before it
  still count, against twice the number of those who stay. In the last round it is skipped.
"""

from __future__ import annotations

from games.black_monday import v1

VERSIONS = {1: v1.RULES}
