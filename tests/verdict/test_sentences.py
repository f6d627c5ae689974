"""The rules of the verdict, sentence by sentence, and the tests that hold each of them.

Where a rule changes, its sentence is looked up here; that every test named exists is tested.
"""

import ast
from pathlib import Path

import pytest

SENTENCES = {
    "Only POSTs that are steps of a payment or refund belong to an operation": (
        "test_reads_and_other_posts_belong_to_no_operation",
    ),
    "1: an object in the path, or a ch_ pi_ parameter: the operation that made it": (
        "test_a_step_on_an_object_belongs_to_the_operation_that_made_it",
        "test_a_refund_by_its_intent_belongs_to_the_operation_that_made_it",
        "test_an_object_in_metadata_decides_nothing",
    ),
    "2: the selector": (
        "test_a_selector_names_operations",
        "test_the_selector_of_the_run_goes_before_that_of_a_profile",
    ),
    "3: the one declared intent that a parameter names or whose match fits; several: none": (
        "test_the_one_intent_whose_name_a_parameter_has",
        "test_no_intent_is_named_by_what_is_paid_or_by_which_card",
        "test_an_intent_may_say_how_its_request_looks",
    ),
    "4: an earlier arrival of the same account and step with this key": (
        "test_a_key_names_its_operation_within_one_step_of_one_account",
    ),
    "5: a key of both fault-free runs": (
        "test_a_key_of_both_fault_free_runs_names_an_operation_of_its_own",
    ),
    "6: a lost operation of the same step and identity; never one still in flight": (
        "test_a_lost_operation_takes_the_next_of_its_identity",
        "test_an_operation_in_flight_takes_nothing",
        "test_a_client_that_left_has_lost_its_operation",
    ),
    "6: the oldest that shares a name; while fewer exist a new one; else the oldest lost": (
        "test_a_name_finds_its_operation_among_equals",
        "test_an_unknown_name_is_a_new_operation_while_fewer_exist_than_intended",
        "test_an_unknown_name_is_the_oldest_lost_once_all_exist",
    ),
    "7: as many as intended: the oldest open one, else the last": (
        "test_no_more_operations_than_intended_for_a_pool",
        "test_the_oldest_open_operation_takes_what_is_too_many",
    ),
    "8: a new one": ("test_other_orders_are_other_payments",),
    "An attempt is counted at its step, in labels and hazards too": (
        "test_a_confirmation_belongs_to_the_operation_that_made_the_intent",
    ),
    "Intents declared later regroup the verdict, never the faults": (
        "test_intents_declared_later_regroup_the_verdict_and_not_the_faults",
        "test_a_journal_placed_later_is_placed_as_the_server_did",
    ),
    "Nameless twins are numbered by arrival, and the report says so": (
        "test_twins_without_names_are_numbered_by_arrival",
        "test_a_lack_is_carried_by_what_was_tried_and_the_rest_was_never_sent",
    ),
    "Settled, and open": (
        "test_what_a_client_was_told_closes_an_operation_or_leaves_it_open",
        "test_a_refusal_closes_only_the_keys_that_it_answers",
        "test_a_closed_operation_opens_again_with_a_new_key",
    ),
    "Identity: what is equal in both runs; amount and currency are never volatile": (
        "test_what_both_runs_sent_alike_is_an_identity",
        "test_the_same_values_in_another_order_are_stable",
        "test_amount_and_currency_are_never_volatile",
    ),
    "Ids stand for the request that made them; a step carries its maker's identity": (
        "test_ids_made_in_a_run_stand_for_their_request",
        "test_ids_made_in_the_run_stand_for_the_request_that_made_them",
        "test_a_step_on_an_object_carries_its_makers_identity",
    ),
    "A volatile parameter that differs in every payment is a name": (
        "test_what_differs_in_every_payment_is_a_name",
        "test_what_does_not_tell_every_payment_apart_is_no_name",
    ),
    "What fits no identity belongs to the nearest, else to one of equal amount": (
        "test_a_request_belongs_to_the_identity_that_it_differs_least_from",
        "test_a_request_on_another_path_belongs_to_one_of_equal_amount",
    ),
    "Learnt intents count live charges, not requests": (
        "test_the_count_is_of_charges_and_not_of_requests",
    ),
    "They are printed with count and total": ("test_an_unsafe_client_is_told_everything",),
    "A fault-free run that charges one operation twice is a warning": (
        "test_a_selector_learns_each_name_and_takes_one_charge_as_meant",
    ),
    "After replays without a fault every word but duplicate is inconclusive": (
        "test_replays_without_a_fault_replace_every_word_but_a_duplicate",
        "test_replays_without_a_fault_leave_a_duplicate",
    ),
    "With replicas a duplicate among names is inconclusive": (
        "test_with_replicas_a_name_of_each_run_proves_nothing",
        "test_replicas_that_charge_one_name_twice_are_a_duplicate",
    ),
    "Intents that match nothing are a pool by the ledger's charge, not blamed one by one": (
        "test_a_pool_is_counted_and_not_blamed_one_by_one",
        "test_a_confirmation_carries_no_amount_and_is_counted_by_the_charge_that_it_made",
    ),
    "Refunds are operations too: a second one is a duplicate with re_ ids": (
        "test_a_second_refund_is_a_duplicate_with_its_own_ids",
        "test_a_part_refunded_twice_is_a_duplicate_of_its_own",
        "test_who_was_told_of_the_charge_and_failed_with_the_refund_has_no_orphan",
        "test_a_refund_that_was_never_sent_is_missing_where_the_client_ended_well",
    ),
    "More live charges than intended, or two sharing a name, are a duplicate": (
        "test_the_table_of_words",
        "test_two_charges_of_one_name_are_a_duplicate_however_few_there_are",
        "test_two_intents_confirmed_for_one_order_are_a_duplicate",
    ),
    "Another amount is overcharged or undercharged": (
        "test_a_changed_amount_is_over_or_undercharged",
        "test_a_capture_decides_the_amount",
    ),
    "A charge that fits nothing": (
        "test_in_check_a_charge_that_fits_nothing_doubles_one_of_its_amount",
        "test_a_charge_that_fits_no_pool_is_in_doubt",
    ),
    "A failed charge never counts": ("test_a_failed_charge_never_counts",),
    "Compensated": (
        "test_a_refunded_duplicate_is_compensated",
        "test_a_part_of_the_money_compensates_nothing",
        "test_a_cancelled_duplicate_is_compensated",
    ),
    "Authorised only": (
        "test_two_that_were_never_captured_are_authorised_only",
        "test_two_captured_are_a_duplicate_without_excuse",
        "test_a_recorded_journal_is_judged_as_the_table_says",
    ),
    "Server made, and the only kind that may be expected": (
        "test_a_lost_record_is_the_servers_doing_and_may_be_expected",
        "test_a_day_that_a_rule_let_pass_is_the_servers_doing",
        "test_a_day_that_the_test_let_pass_is_the_clients",
        "test_what_the_server_forgot_may_be_known_of_who_arrived_first",
        "test_two_intents_that_the_server_made_of_one_are_its_own_duplicate",
    ),
    "Told: an unaltered answer with the id, or an outcome that names it": (
        "test_a_charge_is_told_by_an_unaltered_answer_with_its_id_or_an_outcome",
        "test_an_error_that_names_a_charge_has_not_told_of_it",
    ),
    "Belief: what was reported, with paying() too": (
        "test_the_last_outcome_of_an_operation_counts",
        "test_paying_reports_paid_or_failed_and_raises_again",
    ),
    "Belief: exit statuses, of one payment, of several, of replicas": (
        "test_what_exit_statuses_say_of_the_payments",
        "test_a_run_that_failed_although_all_was_paid_and_told_is_in_doubt",
        "test_a_reported_outcome_is_worth_more_than_an_exit_status",
    ),
    "The table of words": ("test_the_table_of_words", "test_doubt_has_its_reason"),
    "A reported charge that belongs to another operation is an orphan; both are named": (
        "test_a_charge_of_another_operation_is_an_orphan_that_names_both",
        "test_d09_the_answer_of_another_order",
    ),
    "Without intents: one key, or lost and named": (
        "test_one_key_that_made_both_is_a_duplicate",
        "test_a_lost_charge_made_again_is_a_duplicate_where_a_parameter_names_it",
        "test_a_lost_charge_made_again_is_ambiguous_where_nothing_names_it",
    ),
    "Without intents: no charge is inconclusive unless refused; missing needs intents": (
        "test_no_charge_is_fine_only_where_a_refusal_was_delivered",
        "test_missing_and_unpaid_need_intents",
    ),
    "Clean needs proof: a lost answer, then a retry, a read-back or an outcome": (
        "test_a_lost_answer_and_a_retry_are_proof",
        "test_a_lost_answer_and_a_read_back_are_proof",
        "test_a_lost_answer_and_a_reported_outcome_are_proof",
    ),
    "Or a barrier with two replicas alive": (
        "test_a_barrier_while_two_replicas_lived_is_proof_of_the_guard",
        "test_a_replica_that_had_ended_guards_nothing",
    ),
    "A wait that was sat out proves nothing": (
        "test_a_wait_that_the_client_sat_out_proves_nothing",
    ),
    "Without a rule a replay or a 409 on a repeat": (
        "test_without_a_rule_a_replay_is_proof",
        "test_without_a_rule_a_409_on_a_repeat_is_proof",
        "test_without_a_rule_and_a_key_there_is_danger_as_well",
    ),
    "What was exercised is printed": (
        "test_a_duplicate_reads_like_a_test_failure",
        "test_what_was_held_at_a_barrier_is_counted_by_operation",
    ),
    "Inconclusive replaces only clean and unpaid, and always carries reasons": (
        "test_a_correct_client_is_never_blamed",
        "test_doubt_never_softens_a_red_word",
        "test_every_reason_has_a_meaning_and_a_remedy",
    ),
    "The nearest request is printed": ("test_a_charge_that_fits_no_pool_is_in_doubt",),
    "A declared rule that never fired": (
        "test_a_declared_rule_that_never_fired_leaves_no_clean_and_no_unpaid",
        "test_one_rule_that_fired_is_enough_in_a_run_of_the_whole_library",
        "test_a_safe_client_passes_the_whole_library",
    ),
    "Worst first": ("test_the_words_are_worst_first", "test_words_are_told_worst_first"),
    "Hazard: more keys than payments, or two keys for one name": (
        "test_a_new_key_is_a_hazard_and_the_word_stays",
        "test_without_keys_every_arrival_is_one",
        "test_two_keys_for_one_name_are_a_hazard_however_few_there_are",
        "test_for_a_confirmation_the_object_is_the_key",
    ),
    "Not counted: refusals, keys told a decline, runs with a read-back": (
        "test_an_arrival_that_was_plainly_refused_does_not_count",
        "test_a_key_that_was_told_its_decline_does_not_count",
        "test_a_client_that_reads_back_may_use_a_new_key",
        "test_an_intent_that_the_server_made_twice_under_one_key_endangers_nobody",
    ),
    "The word stays and the exit status is 3": ("test_exit_statuses",),
    "Labels": (
        "test_a_stack_is_accused_only_where_it_resends",
        "test_a_copy_that_is_late_or_another_is_no_resend",
        "test_an_overlap_with_one_that_had_not_failed_is_a_replica",
        "test_the_sentence_of_a_resend_names_stack_gap_and_connections",
    ),
    "Causes, each with its evidence": (
        "test_a_bad_journal_is_blamed_on_its_cause",
        "test_a_good_journal_is_blamed_for_nothing",
    ),
    "Printed like a good test failure, with the way back": (
        "test_a_duplicate_reads_like_a_test_failure",
        "test_one_mistake_is_told_once_and_replayed_everywhere",
    ),
    "A word is never printed bare": (
        "test_a_word_is_never_printed_bare",
        "test_everything_that_a_verdict_says_can_be_explained",
    ),
    "Storms and missing back-off are warnings": (
        "test_a_warning_is_no_word_and_no_exit_status",
        "test_no_official_sdk_is_warned_of_even_in_a_loop_that_does_not_wait",
    ),
    "No false blame, no false comfort": (
        "test_no_false_blame_and_no_false_comfort",
        "test_a_correct_client_is_never_blamed",
        "test_a_faulty_client_is_never_comforted",
    ),
}


def functions_of(folder):
    trees = (ast.parse(path.read_text()) for path in folder.rglob("test_*.py"))
    return {node.name for tree in trees for node in ast.walk(tree) if hasattr(node, "name")}


KNOWN = functions_of(Path(__file__).parents[1])


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_rule_is_held_by_tests_that_exist(sentence):
    assert set(SENTENCES[sentence]) <= KNOWN
