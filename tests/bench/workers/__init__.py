"""The engines: each module is a process that answers `OP SECONDS`."""
