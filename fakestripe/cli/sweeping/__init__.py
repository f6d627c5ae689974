"""``fakestripe sweep``, part by part: what was asked, runs as processes, profiles, reports."""
