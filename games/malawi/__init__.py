"""Malawi, by Gerhard Kodys (Piatnik, Vienna 1986): two sides, pieces of changing strength.

The game is its author's; the rules are told here in our own words. They were written down after
the description at brettspiele.digital and compared with the reviews at ludorium.at, spieletest.at,
spiele.tips, giochinscatola.it and in the RWTH archive. Code and tests name rules by these ids.

## Rules

* W-1: the board has rows a to f and columns 1 to 6; c4 is in row c.
* W-2: each side has six pieces of strength 2 on its base row, seat 1 on row a, seat 2 on row f.
* W-3: a piece is as strong as it has points. Pieces stay on the board, also with strength 0, and a
  side never gets more points than it has.
* W-4: the sides take turns. A turn is one step, one distribution or one capture.
* W-10: a step takes a piece along its row or column exactly as many squares as it is strong, at
  least one; all of them, the last included, are empty.
* W-11: a distribution gives all points of a piece to others of its side, one at most to each, to
  whom its player likes; none gets more than the highest strength.
* W-12: as many points are given as can be taken. The rest is lost; if none can be taken, there is
  no distribution.
* W-13: a capture takes all points of an enemy piece that is exactly as far away, along a row or
  column with only empty squares between, as the capturing piece is strong. Neither moves.
* W-20: a step to the base row of the other side, the goal row, wins at once if the piece cannot be
  captured there in the reply.
* W-21: if it could be, it wins when the reply neither captures it nor wins itself.
* W-22: a side wins at once when all enemy pieces have strength 0.
* W-23: the highest strength is 5.

## Rulings

Where the texts are silent, contradict each other or are damaged, we ruled (options in brackets let
a match choose otherwise; the first value named is the default):

* W-Q1: "g1-g6" is an error for f1-f6; the board has six rows.
* W-Q3, W-Q4: a piece that reaches the goal row and could be captured wins at the end of the reply
  if it was not captured (`goal` survives); or only an arrival that cannot be captured wins
  (uncapturable); or any arrival wins at once (reach).
* W-Q5: if the reply is itself an immediate win, the replying side wins.
* W-Q6: a piece that was captured on the goal row and is given points again wins only by a step
  that ends on the row, a sideways one included (`reentry` move); or also by standing there safely
  after a turn of its side (state); or only by a step that starts outside the row (leave).
* W-Q7, W-Q8, W-Q9: a distribution keeps no point back; a piece at the highest strength takes none.
* W-Q10: the highest strength is 5 as the author proposed (`max-strength` 5, 6, 7 or none).
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

## Examples

Tests play them.

* W-X1: the first turn has 66 moves: six steps, a3-c3 among them, and sixty distributions.
* W-X2: after a1:a2,a3 f6-d6 a3-d3 the only capture is f3xd3; it costs seat 1 three points.
* W-X3: an arrival that no piece can capture, because the one in its line has strength 0.
* W-X4: an arrival that can be captured, and what each value of `goal` makes of the reply.
* W-X6: of five points four are taken, by all who are not at the highest strength; one is lost.
* W-X7: the capture of the last piece that has points.

## In the log

A move is a step `a3-c3`, a capture `f3xd3` or a distribution `a1:a2,a3` with its receivers in the
order a1, a2, ..., f6; it is the whole turn line. Nothing but the seats is left to chance.

The final state has the strength of every piece by seat and square: `{"s1":{"a1":2,...},"s2":...}`.
Reasons of an end are `goal`, `exhausted`, `repetition` and `no-progress`.
"""

from __future__ import annotations

from games.malawi import v1

VERSIONS = {1: v1.RULES}
