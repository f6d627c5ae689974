"""Webhooks: who is told of events, by whom, and how deliveries go wrong."""
