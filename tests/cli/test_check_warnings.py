"""Bad manners under ``check``: told and reported, and neither a word nor an exit status."""

import json
import sys
from xml.etree import ElementTree as ET

PATIENT = """
import sys, urllib.request
for attempt in range(12):
    request = urllib.request.Request(
        sys.argv[1] + "/v1/charges",
        b"amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_1",
        {"Authorization": f"Bearer {sys.argv[2]}", "Idempotency-Key": "ord_1"},
    )
    try:
        urllib.request.urlopen(request)
        sys.exit(0)
    except OSError:
        pass
sys.exit(1)
"""
PROFILE = """
# Ten answers are lost, and the eleventh is not.
name: storm
rules:
  - at: committed
    when: {attempt: [1]}
    do: reset
  - at: received
    when: {attempt: [2, 3, 4, 5, 6, 7, 8, 9, 10]}
    do: reset
"""


def test_a_storm_is_told_and_reported_and_changes_nothing(cli, tmp_path):
    profile, out, xml = (tmp_path / name for name in ("storm.yaml", "report.json", "junit.xml"))
    profile.write_text(PROFILE)
    client = [sys.executable, "-c", PATIENT, "{url}", "{key}"]
    reports = ["--report", out, "--report", xml]
    result = cli("check", "--profile", profile, *reports, "--", *client)
    run = json.loads(out.read_text())["runs"][0]

    assert (result.returncode, run["verdict"]) == (0, "clean")
    assert (
        "warning (storm): ord_1: 11 attempts at POST /v1/charges (arrivals 1 to 11) under storm\n"
        "  Bound the retries: a few"
    ) in result.stdout
    assert "warning (storm): ord_1" in ET.parse(xml).find("system-out").text
    assert "storm" in [warned["kind"] for warned in run["warnings"]]
