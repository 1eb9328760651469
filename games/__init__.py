"""The games, their logs and their chance: everything that needs no service.

Nothing below this package knows a database, a clock, a network or a web page. A log written
by the service is read, replayed and judged here, with the same fold that plays it.
"""
