"""A setup or teardown: ``hook.py VERB JSON`` posts JSON to the server of the run."""

import http.client
import os
import sys
from urllib.parse import urlsplit

connection = http.client.HTTPConnection(urlsplit(os.environ["FAKESTRIPE_URL"]).netloc, timeout=10)
connection.request("POST", f"/_fakestripe/{sys.argv[1]}", sys.argv[2])
answer = connection.getresponse()
print(answer.status, answer.read().decode())
sys.exit(0 if answer.status == 200 else 1)
