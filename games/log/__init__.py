"""The match log `pbem/1`. Knows no game."""
