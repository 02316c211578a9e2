"""A webhook endpoint that verifies signatures; needs Python 3.9 or newer and nothing else."""

import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BODY_BYTES_MAX = 1024 * 1024


# For 24 hours after a rotation the second one holds the signature of the secret before.
SIGNATURES = ("X-Service-Signature", "X-Service-Signature-Previous")


def is_signed(body: bytes, headers, secret: str) -> bool:
    """True when a header signs the raw body."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(headers.get(name, "").encode(), expected.encode()) for name in SIGNATURES)


class Receiver(BaseHTTPRequestHandler):
    secret = ""
    # Keep the ids in your database: a repetition may come hours later, to another process.
    seen: set = set()

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length) if length <= BODY_BYTES_MAX else b""
        if not is_signed(body, self.headers, self.secret):
            return self.answer(401)
        event = json.loads(body)
        # The id of the body is signed, that of the header is not.
        if event["id"] not in self.seen:
            print(event["timestamp"], event["event"], json.dumps(event["data"]), flush=True)
            self.seen.add(event["id"])
        # Answer quickly with any 2xx; anything else is tried again.
        self.answer(204)

    def answer(self, status: int):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    Receiver.secret = os.environ["WEBHOOK_SECRET"]
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
