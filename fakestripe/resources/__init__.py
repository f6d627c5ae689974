"""Stripe's objects, one a file, pure: parameters in, a ``Change`` or an object out.

A POST is three small functions: ``read_x`` turns parameters into a command and ``check_x`` looks
it up in the ledger (what they refuse is parameter validation, never recorded under a key);
``make_x`` turns the command into a change (what the endpoint itself refuses there is recorded).
A GET is one: ``show`` or ``list_x``.
"""
