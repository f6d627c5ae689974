"""The edge of a port: listening, accepting, TLS, and what strikes before anything is read."""
