"""Stripe's language as values: requests, replies, parameters, errors, effects.

Nothing here remembers anything and nothing here touches a socket, a clock or a file.
Every other room may import from this one; this one imports from none.
"""
