"""The vocabulary that all games share. Standard library only."""
