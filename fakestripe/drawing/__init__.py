"""What verdicts look like: the HTML of a report, and of the page that watches a running server.

Everything is drawn here, from values that the verdict room made: the file needs no script, the
page needs one only to stay fresh. Nothing is fetched from anywhere, whatever a caller wrote is
text and never markup, and no key is shown whole.
"""
