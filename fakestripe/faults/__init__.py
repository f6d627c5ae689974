"""What a profile may say, and which fault an arrival meets: pure, decided from facts alone."""
