"""Receives webhooks: answers the challenge, accepts only fresh signed requests, handles each event once.

Listens on the port that it is given, or a free one. Writes it to the file `port`, and reads the signing secret from the file `secret`."""

import base64
import hashlib
import hmac
import http.server
import json
import pathlib
import sys
import time
from email.message import Message

seen: set[str] = set()


def is_genuine(headers: Message, body: bytes) -> bool:
    secret = base64.b64decode(pathlib.Path("secret").read_text().strip().removeprefix("whsec_"))
    signed = b"%s.%s.%s" % (headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body)
    own = "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    is_fresh = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return is_fresh and any(hmac.compare_digest(own, one) for one in headers["webhook-signature"].split())


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        event = json.loads(body)
        if event["type"] == "webhook.verification":
            self.answer(200, event["data"]["challenge"])
        elif not is_genuine(self.headers, body):
            self.answer(401, "not genuine")
        else:
            if self.headers["webhook-id"] not in seen:
                seen.add(self.headers["webhook-id"])
                print(f"received: {event['type']} {event['data'].get('file_id')}", flush=True)
            self.answer(204, "")

    def answer(self, status: int, text: str) -> None:
        self.send_response(status)
        if text:
            self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    server = http.server.HTTPServer(("127.0.0.1", wanted), Receiver)
    pathlib.Path("port").write_text(str(server.server_port))
    server.serve_forever()
