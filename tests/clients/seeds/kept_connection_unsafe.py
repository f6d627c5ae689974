"""A helper builds each request, and its key, for a connection that is kept.

The retry reuses the connection, so it looks like a resend; the helper was called again, so it
is another request with another key.
"""

import http.client
import sys
import uuid

import billing


def build_headers() -> dict[str, str]:
    """Return the headers of the next request on the connection."""
    return billing.headers(str(uuid.uuid4()))


def charge(connection: http.client.HTTPConnection) -> bool:
    for _ in range(billing.ATTEMPTS):
        try:
            connection.request("POST", "/v1/charges", billing.BODY, build_headers())
            response = connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            continue
        if response.status < billing.SERVER_ERROR:
            return response.status == billing.OK
    return False


def warmed() -> http.client.HTTPConnection:
    """Return a connection that has carried a request before."""
    connection = http.client.HTTPConnection(billing.HOST, billing.PORT, timeout=billing.TIMEOUT)
    authorization = {"Authorization": f"Bearer {billing.SECRET}"}
    connection.request("GET", "/v1/charges?limit=1", headers=authorization)
    connection.getresponse().read()
    return connection


if __name__ == "__main__":
    sys.exit(not charge(warmed()))
