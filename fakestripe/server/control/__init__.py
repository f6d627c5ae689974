"""What a test holds of a server: the fixture's methods, in a thread or in the test's own loop."""
