"""What ``fakestripe doctor`` does: every fault against a raw client, from where it stands."""
