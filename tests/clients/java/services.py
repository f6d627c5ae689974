"""How a billing service in Java is started, by the name of its system and its form.

It asserts nothing and knows no system: the services are a Maven project that is built once.
"""

from pathlib import Path
from typing import Final

from archive import SERIAL, archive
from msgspec import Struct
from toolchain import java_services

BRIEF: Final = ("-XX:TieredStopAtLevel=1", SERIAL, "-Xshare:auto", "-Xmx256m")
"""What a JVM is told that lives for seconds."""
FLAGS: Final = ("--operation", "metadata.bill", "--max-hang", "2s")
"""What ``fakestripe check`` is told of all of them."""


class Services(Struct, frozen=True):
    """The built services; ``jar`` starts any of them."""

    jar: Path
    archive: Path

    @staticmethod
    def built() -> "Services":
        """Build them if need be; raises ``Unavailable``."""
        jar = java_services()
        return Services(jar, archive(jar))

    def command(self, system: str, form: str) -> tuple[str, ...]:
        """Return the command line of one service."""
        shared = f"-XX:SharedArchiveFile={self.archive}"
        return ("java", *BRIEF, shared, "-jar", str(self.jar), system, form)
