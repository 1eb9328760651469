"""The service: pages, mail, worker and command line around the matches."""
