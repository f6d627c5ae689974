"""The helper is given the key: however often it builds a request, it is the same payment.

Otherwise the structure of its unsafe twin: one kept connection, and headers built per request.
"""

import http.client
import sys
import time

import billing


def build_headers(idempotency_key: str) -> dict[str, str]:
    """Return the headers of the next request on the connection."""
    return billing.headers(idempotency_key)


def charge(connection: http.client.HTTPConnection, idempotency_key: str) -> str | None:
    for attempt in range(billing.PATIENCE):
        try:
            headers = build_headers(idempotency_key)
            connection.request("POST", "/v1/charges", billing.BODY, headers)
            response = connection.getresponse()
            return billing.charge_id(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException):
            connection.close()
        except billing.Refused:
            return None
        except billing.Unsettled:
            pass
        time.sleep(billing.pause(attempt))
    return None


def warmed() -> http.client.HTTPConnection:
    """Return a connection that has carried a request before, if one could be made."""
    connection = http.client.HTTPConnection(billing.HOST, billing.PORT, timeout=billing.TIMEOUT)
    authorization = {"Authorization": f"Bearer {billing.SECRET}"}
    try:
        connection.request("GET", "/v1/charges?limit=1", headers=authorization)
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        connection.close()
    return connection


if __name__ == "__main__":
    sys.exit(billing.conclude(charge(warmed(), billing.stable_key())))
