"""The fifteen mistakes that services with mail make, and the tests that show that we make none.

A name here that is no test any more fails, so whoever renames or removes one looks at this list.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

MISTAKES: dict[str, tuple[str, ...]] = {
    "1. Folding spoils links and names of mails in headers.": (
        "mail/test_mails.py::test_long_addresses_and_names_of_mails_stay_whole_in_every_kind",
        "mail/test_mails.py::test_seven_bits_and_short_lines",
        "mail/test_mails.py::test_readers_old_and_new_find_no_fault",
        "mail/test_wire.py::test_ids_and_addresses_of_pages_are_never_encoded",
        "mail/test_wire.py::test_headers_keep_the_limits_of_rfc_2047",
    ),
    "2. A move without its mail, or a mail without its move.": (
        "service/test_crash.py::"
        "test_a_fault_at_any_statement_or_commit_leaves_a_move_with_its_mail_or_neither",
        "service/test_crash.py::test_a_kill_at_any_step_leaves_a_whole_move_or_none",
        "service/test_kills.py::test_whatever_is_killed_is_whole_afterwards",
    ),
    "3. Two workers send one mail.": (
        "mail/test_once.py::"
        "test_of_five_hundred_mails_four_workers_send_each_once_though_one_is_killed",
        "mail/test_worker.py::test_a_killed_worker_loses_nothing_and_changes_nothing",
        "mail/test_worker.py::test_a_worker_that_slept_for_an_hour_doubles_nothing",
        "mail/test_reminders.py::test_two_workers_at_once_remind_once",
    ),
    "4. What is sent once more is another mail.": (
        "mail/test_once.py::"
        "test_whatever_changes_after_a_first_attempt_the_second_sends_its_bytes_or_none",
        "mail/test_worker.py::test_a_lost_answer_is_followed_by_the_same_bytes_once",
        "service/test_outbox.py::test_a_mail_is_sent_with_the_bytes_of_the_first_attempt",
    ),
    "5. A line of our own is played because it was quoted.": (
        "mail/test_echo.py::test_no_kind_of_mail_sent_back_is_a_turn",
        "mail/test_echo.py::test_no_mail_of_a_match_sent_back_is_a_turn_of_it",
        "mail/test_echo.py::test_no_line_is_a_move_or_a_command",
        "mail/test_mails.py::test_no_line_of_ours_is_a_move_of_any_game",
        "mail/inbound/test_cutter.py::test_our_own_words_come_to_nothing",
    ),
    "6. A program that opens links plays, confirms or unsubscribes.": (
        "web/test_scanner.py::test_a_scanner_that_opens_links_and_presses_buttons_changes_nothing",
        "web/test_unsubscribe.py::test_looking_at_the_page_changes_nothing_and_sets_no_cookie",
        "web/test_account.py::test_a_link_of_a_change_does_nothing_by_itself",
    ),
    "7. Whom no mail reaches, or who wants none, loses a place or their time.": (
        "mail/test_gate.py::test_a_month_without_mail_costs_no_seat",
        "mail/test_returned.py::test_a_complaint_ends_the_mails_of_its_match_and_no_seat",
        "service/test_respite.py::test_a_clock_stands_for_seven_days_and_not_longer",
        "service/test_respite.py::test_others_are_told_once",
        "web/test_unsubscribe.py::test_one_click_needs_no_cookie_and_no_token_of_a_form",
    ),
    "8. A machine plays, or is answered and answers in turn.": (
        "mail/inbound/test_shapes.py::test_60_to_71_no_machine_plays_or_is_answered",
        "mail/inbound/test_shapes.py::test_63_a_machine_without_any_sign_gets_three_answers",
        "mail/inbound/test_corpus.py::test_a_shape_comes_to_what_it_should",
        "mail/bench/test_post_office.py::test_a_holiday_is_not_told_to_us",
        "mail/bench/test_post_office.py::"
        "test_a_rude_responder_gets_three_answers_and_the_queue_runs_empty",
    ),
    "9. A mail that comes again plays again, or is answered again.": (
        "mail/inbound/test_ways.py::"
        "test_the_same_mail_by_every_way_and_after_a_crash_plays_once_and_is_answered_once",
        "mail/inbound/test_replies.py::"
        "test_the_same_mail_over_two_ways_plays_once_and_is_answered_once",
        "mail/inbound/test_taken_up.py::test_several_workers_take_a_mail_up_once",
        "mail/bench/test_matches.py::"
        "test_a_worker_that_dies_before_it_acknowledges_a_mail_plays_it_once",
    ),
    "10. Whoever is forwarded a mail has the seat.": (
        "mail/inbound/test_shapes.py::"
        "test_43_to_47_what_a_forwarded_mail_brings_is_held_and_only_its_player_is_asked",
        "web/test_turn.py::test_whoever_was_forwarded_a_mail_can_play_its_turn_and_do_nothing_else",
        "mail/inbound/test_replies.py::test_resigning_by_mail_brings_a_link_and_resigns_nothing",
        "service/test_links.py::test_foreign_cut_and_invented_tokens_lead_nowhere",
    ),
    "11. Tokens that break when their letters change, or are too long.": (
        "mail/inbound/test_judgement.py::"
        "test_an_address_for_answers_is_short_and_known_in_any_case",
        "mail/inbound/test_judgement.py::test_no_address_for_answers_can_be_set_that_is_too_long",
        "web/test_turn.py::test_a_token_in_capitals_works_and_a_cut_one_leads_nowhere",
    ),
    "12. A refusal that is about us, or will pass, stops somebody's mail.": (
        "mail/test_refusals.py::test_a_reply_says_what_becomes_of_the_mail_and_of_its_address",
        "mail/test_refusals.py::test_a_wrong_password_stops_nobodys_mail",
        "mail/test_returned.py::test_a_report_counts_by_its_status",
        "mail/bench/test_post_office.py::test_a_mailbox_that_takes_no_mail",
        "mail/bench/test_post_office.py::"
        "test_a_wrong_password_is_the_operators_trouble_and_nobody_elses",
    ),
    "13. Whether an answer came in time is asked of the wrong clock.": (
        "mail/inbound/test_shapes.py::test_57_when_a_mail_arrived_decides_however_late_it_is_read",
        "mail/inbound/test_shapes.py::test_while_nothing_can_come_in_no_time_is_called_over",
        "mail/inbound/test_taken_up.py::"
        "test_when_a_mail_arrived_decides_and_neither_its_date_nor_when_it_is_read",
        "mail/bench/test_post_office.py::"
        "test_an_answer_that_waited_in_the_mailbox_past_the_deadline_counts",
    ),
    "14. A mail breaks what reads it, or keeps it busy.": (
        "mail/inbound/test_hostile.py::test_any_bytes_are_a_mail",
        "mail/inbound/test_hostile.py::test_damaged_mails_never_raise",
        "mail/inbound/test_hostile.py::test_hostile_mails_come_to_nothing_in_time",
        "mail/inbound/test_hostile.py::test_the_largest_mails_take_up_a_bounded_room",
        "mail/inbound/test_corpora.py::test_no_mail_raises_or_costs_much_or_plays_by_guess",
    ),
    "15. A sender is believed who proves nothing.": (
        "mail/inbound/test_judgement.py::test_only_what_the_trusted_server_found_counts",
        "mail/inbound/test_judgement.py::test_the_topmost_finding_of_the_trusted_server_counts",
        "mail/inbound/test_judgement.py::test_a_sender_is_one_address",
        "mail/inbound/test_judgement.py::test_two_from_headers_are_nobody",
        "mail/inbound/test_held.py::test_a_forged_sender_that_a_trusted_server_disproves_is_held",
    ),
}
FURTHER: dict[str, tuple[str, ...]] = {
    "Pictures lose their letters where there are no fonts.": (
        "mail/test_mails.py::test_a_picture_has_its_letters_on_a_machine_without_fonts",
    ),
    "A folder that is there and empty is no mailbox.": (
        "mail/test_mailbox.py::test_an_empty_folder_becomes_a_mailbox",
    ),
    "Tokens and addresses get into logs.": (
        "mail/test_worker.py::"
        "test_the_process_sends_and_ends_on_sigterm_and_writes_down_no_address_or_token",
        "mail/test_journal.py::test_secrets_are_taken_out_of_every_text",
    ),
    "A sentence stays English.": ("mail/test_language.py::test_every_sentence_has_a_german_one",),
    "One answer over LMTP for several recipients.": (
        "mail/inbound/test_ways.py::test_a_mail_server_gets_an_answer_for_every_recipient",
        "mail/bench/test_post_office.py::test_one_mail_to_two_turns_plays_both_over_lmtp",
    ),
    "A relay is greeted by a name that nobody knows.": (
        "mail/test_transport.py::test_a_relay_is_greeted_by_a_public_name",
        "mail/test_transport.py::test_the_relay_gets_the_very_bytes",
    ),
    "Whoever is unknown is answered, in somebody else's name.": (
        "mail/inbound/test_replies.py::test_nobody_unknown_gets_an_answer",
    ),
}


@cache
def named(file: str) -> frozenset[str]:
    """The names of the tests in a file."""
    tree = ast.parse((TESTS / file).read_text())
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_all_fifteen_are_here() -> None:
    assert [line.partition(".")[0] for line in MISTAKES] == [str(n) for n in range(1, 16)]


@pytest.mark.parametrize("mistake", MISTAKES | FURTHER)
def test_each_has_its_tests(mistake: str) -> None:
    for name in (MISTAKES | FURTHER)[mistake]:
        file, _, test = name.partition("::")
        assert test.startswith("test_")
        assert test in named(file), f"{name} is no test"
