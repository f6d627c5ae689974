"""``fakestripe check``, part by part: what was asked, processes, runs, reports."""
