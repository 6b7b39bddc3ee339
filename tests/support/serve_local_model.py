"""Runs a small real model as an OpenAI-compatible server on loopback until its standard input is closed.

Used as a process of its own: `python serve_local_model.py MODEL.gguf`. The first line it prints is the address.
"""

from __future__ import annotations

import sys

import xllamacpp


def main(path: str) -> None:
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = 8192
    params.n_parallel = 2
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    server = xllamacpp.Server(params)
    print(f"listening {server.listening_address}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
