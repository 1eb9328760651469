"""Seasons of the Sun, a game of dice and eleven years of the sun for two.

Author: Ingo Althöfer. Edition: 3-Hirn-Verlag, April 2007, © Ingo Althöfer. The rules here
are written after his page (S3, https://www.althofer.de/seasons-regel.html) and his sample game
([E30], https://www.althofer.de/seasons-sample.html); no sentence of either is copied. `v1` is
version 1 of part 4 of the rules text, whose ids the code and the tests name.

Where the text is silent, or damaged:

* S-2: the lot that begins is the lot for the seats; seat 1 begins and has the outer ring.
* S-Q1, S-Q12: the example table is lost; only which sectors were won is left of it (S-X1).
* S-Q2, S-L: the order of the sectors on the circle is a reconstruction and has no effect.
* S-Q3: who completes a sector and loses it does not move again; the other side is next.
* S-Q4: who neutralises a sector does not move again either ([E30], move 9).
* S-Q5: who wins a sector with the last field of the own ring does not move again: a full ring
  sits out.
* S-Q6: a full ring out of which a field is freed plays again from then on.
* S-Q7: 60 to 60 is a draw; with `tie sectors` the side with more sectors wins, there are eleven.
* S-Q8: throwing no die once more is no move; the sum is simply placed.
* S-Q9: dice are thrown once more at most once in a turn, an extra turn being a turn of its own.
* S-Q10: the small dice never run out.
* S-Q11: the sum must be placed, even where it does harm.
* S-Q13: the lot is fair, whatever dice it was meant to be cast with.
"""

from __future__ import annotations

from games.seasons import v1

VERSIONS = {1: v1.RULES}
