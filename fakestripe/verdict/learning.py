"""What two fault-free runs teach (identities, names, keys), and where they differ."""

from fakestripe.protocol.lesson import Lesson
from fakestripe.verdict.records import Records


def learn(first: Records, second: Records) -> Lesson:
    """Return what two fault-free runs, one replica each, have in common."""
    del first, second
    return Lesson()


def differences(first: Records, second: Records) -> tuple[str, ...]:
    """Return, in sentences, where two fault-free runs differ so much that nothing is learnt."""
    del first, second
    return ()
