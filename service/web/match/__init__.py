"""A match on its page: who stands before it, what they see, and what they may choose."""
