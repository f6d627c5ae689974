"""The port as an HTTP proxy in Stripe's place: for whom, to whom else, and how it is trusted."""
