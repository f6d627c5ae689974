"""The base of every ratio: aiohttp, one handler that reads the body and answers constant bytes.

Run as ``python bare.py PORT SIZE``; SIZE is the length of a charge, so that both servers send
bodies of one length.
"""

import sys

from aiohttp import web


def main() -> None:
    """Serve until killed."""
    body = b"x" * int(sys.argv[2])

    async def handle(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(body=body, content_type="application/json")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), access_log=None, print=None)


if __name__ == "__main__":
    main()
