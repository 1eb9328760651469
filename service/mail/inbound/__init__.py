"""Mails that come in: raw bytes become a verdict, without database, network or clock.

`raw` takes a mail apart, `route` finds whose answer it is, `nature` says whether a person wrote it,
`text` and `markup` make lines of it, `cutter` leaves those of its author, `grammar` reads them,
`sender` says who wrote them, and `verdict` what is to be done.
"""
