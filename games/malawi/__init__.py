"""Malawi, by Gerhard Kodys (Piatnik, Vienna 1986): two sides, pieces of changing strength.

The game is its author's; the rules are told here in our own words. They were written down after
the description at brettspiele.digital and compared with the reviews at ludorium.at, spieletest.at,
spiele.tips, giochinscatola.it and in the RWTH archive. Rule ids such as W-10 stand in the code.

Where those texts are silent, contradict each other or are damaged, we ruled (options in brackets
let a match choose otherwise; the first value named is the default):

* W-Q1: "g1-g6" is an error for f1-f6; the board has six rows.
* W-Q3, W-Q4: a piece that reaches the goal row and could be captured wins at the end of the reply
  if it was not captured (`goal` survives); or only an arrival that cannot be captured wins
  (uncapturable); or any arrival wins at once (reach).
* W-Q5: if the reply is itself an immediate win, the replying side wins.
* W-Q6: a piece that was captured on the goal row and is given points again wins only by a move
  that ends on the row, a sideways one included (`reentry` move); or also by standing there safely
  after an action of its side (state); or only by a move that starts outside the row (leave).
* W-12, W-Q7, W-Q8, W-Q9: a distribution gives away all points, one each to as many other pieces
  as possible; a piece at the maximum can take none; what nobody can take is lost.
* W-Q10, W-23: the highest strength is 5 as the author proposed (`max-strength` 5, 6, 7 or none).
* W-Q11: a piece stronger than the longest line can only be distributed.
* W-Q12: a piece of strength 0 cannot be captured: that would be a pass.
* W-Q13: a side that has points always has a legal move.
* W-Q14: a side without points has lost; this is checked after a capture.
* W-Q15: the third occurrence of a position draws (`repetition` draw); or a move that would bring
  it is illegal unless the match ends by a win, and a side that has no other is drawn (forbid); or
  it does not matter (off). Equal are pieces, strengths, side to move and pending arrival.
* W-Q16: 100 moves of both sides together without a lost point draw (`no-progress`, 20 to 500, or
  off); a win and repetition go before it.
* W-Q17: the lot decides who starts, on row a.
* W-Q18: boards of 7 and 8, with as many pieces per side and the maximum one below the size, are
  experiments (`board-size` 6, 7, 8).
* W-Q19: there is no pass.
"""

from __future__ import annotations

from games.malawi import v1

VERSIONS = {1: v1.RULES}
