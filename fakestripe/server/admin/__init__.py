"""The admin side under ``/_fakestripe/``: its verbs, and what they are told."""
