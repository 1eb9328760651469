"""Seasons of the Sun, a game of dice and eleven years of the sun for two.

Author: Ingo Althöfer. Edition: 3-Hirn-Verlag, April 2007, © Ingo Althöfer. The rules here are
written after his page (https://www.althofer.de/seasons-regel.html) and his sample game
(https://www.althofer.de/seasons-sample.html); no sentence of either is copied. Code and tests name
rules by these ids.

## Rules

* S-1: the sun has eleven sectors, six Max (5, 8, 9, 10, 13, 15) and five min (9, 10, 11, 13, 17),
  each with a field in the outer and one in the inner ring.
* S-2: the lot decides who begins; seat 1 does, and has the outer ring, seat 2 the inner one.
* S-10: a turn begins with a throw of three dice. Once in it, any of them may be thrown once more,
  all at the same time.
* S-11: then their sum is laid on a free field of the own ring.
* S-12: nothing more happens if the other field of the sector is free.
* S-13: if the same sum lies there, both fields are free again.
* S-14: if another sum lies there, the sector is won: Max by the larger sum, min by the smaller one.
  Both sums stay.
* S-20: who wins a sector by laying the second sum there moves again; otherwise it is the other
  side's turn.
* S-21: a full ring sits out as long as it is full; when both are, the match is over.
* S-30: a sector is worth its number, all of them 120. Whoever has more points wins.

## Rulings

Where the text is silent, or damaged:

* S-Q1, S-Q12: the example table is lost; only which sectors were won is left of it (S-X1).
* S-Q2, S-L: the order of the sectors on the circle has no effect. Ours, Max 8, 10, 15, 13, 9, 5 and
  min 9, 11, 17, 13, 10, fits what is left of the table and lets each half rise to one peak.
* S-Q3: who completes a sector and loses it does not move again; the other side is next.
* S-Q4: who makes a sector free does not move again either (so move 9 of the sample game).
* S-Q5: who wins a sector with the last field of the own ring does not move again: a full ring
  sits out.
* S-Q6: a full ring out of which a field is freed plays again from then on.
* S-Q7: 60 to 60 is a draw (`tie` draw), or the side with more sectors wins (sectors).
* S-Q8: throwing no die once more is no move; the sum is simply laid.
* S-Q9: dice are thrown once more at most once in a turn, an extra turn being a turn of its own.
* S-Q10: the small dice that show the sums never run out.
* S-Q11: the sum must be laid, even where it does harm.
* S-Q13: the lot is fair, whatever dice it was meant to be cast with.

## Examples

Tests play them.

* S-X1: the sectors of the lost table make 66 to 54.
* S-X2: the first eleven moves of the author's sample game, one of which makes Max-13 free.
* S-X3: a sector completed and lost, and one completed and won.
* S-X5: all Max sectors against all min sectors, 60 to 60.

## In the log

A move is `reroll 1,3`, the places of the dice ascending, or the field, `max15` or `min9`. A turn
line ends with `reroll`, since nobody knows yet what comes.

Chance is thrown by the chain `pub`: `[6,6,6]` at the beginning of each turn, for the dice 1, 2 and
3, and `[6,...]` after `reroll`, for the chosen dice in their order.

The final state has the sums by seat and field: `{"s1":{"max5":11,...},"s2":...}`. The reason of an
end is `score`.
"""

from __future__ import annotations

from games.seasons import v1

VERSIONS = {1: v1.RULES}
