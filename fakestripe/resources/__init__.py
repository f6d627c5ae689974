"""Stripe's objects, one a file, pure: parameters in, a ``Change`` or an object out.

Each operation is two small functions: ``read_x`` turns parameters into a command (what it refuses
is never recorded under a key), ``make_x`` turns a command into a change (what it refuses is).
"""
