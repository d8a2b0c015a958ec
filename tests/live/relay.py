"""A TCP relay that delays every byte, as the one that smb-measured.md describes.

It reads at once, without limit, and releases each piece a fixed one-way delay later, in each
direction. TCP is split in two, so that only the windows of the programs above it count.
"""

import queue
import socket
import statistics
import threading
import time

HOST = "127.0.0.1"


def listener() -> socket.socket:
    """A socket that listens on a free port of the loopback."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((HOST, 0))
    server.listen()
    return server


def connect(port: int) -> socket.socket:
    connection = socket.create_connection((HOST, port), timeout=30)
    connection.settimeout(None)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def pump(source: socket.socket, target: socket.socket, delay_s: float) -> None:
    """Starts two threads that carry bytes from `source` to `target`, `delay_s` late."""
    pieces: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()

    def read() -> None:
        data = b"?"
        while data:
            try:
                data = source.recv(1 << 18)
            except OSError:
                data = b""
            pieces.put((time.monotonic() + delay_s, data))

    def write() -> None:
        while True:
            due, data = pieces.get()
            if (late := due - time.monotonic()) > 0:
                time.sleep(late)
            try:
                if data:
                    target.sendall(data)
                    continue
                target.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            return

    for work in (read, write):
        threading.Thread(target=work, daemon=True).start()


class Relay:
    """Listens on `port` and passes each connection on to `target_port`."""

    def __init__(self, target_port: int, round_trip_s: float) -> None:
        self._target_port = target_port
        self._delay_s = round_trip_s / 2
        self._server = listener()
        self.port: int = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server = connect(self._target_port)
            pump(client, server, self._delay_s)
            pump(server, client, self._delay_s)

    def close(self) -> None:
        self._server.close()


def measured_round_trip(round_trip_s: float, count: int = 15) -> float:
    """The median round trip of one byte through a relay: timers wake late, so it is longer."""

    def echo(server: socket.socket) -> None:
        connection, _ = server.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while data := connection.recv(16):
            connection.sendall(data)

    server = listener()
    threading.Thread(target=echo, args=(server,), daemon=True).start()
    relay = Relay(server.getsockname()[1], round_trip_s)
    connection = connect(relay.port)
    times = []
    for _ in range(count):
        started = time.monotonic()
        connection.sendall(b"x")
        connection.recv(1)
        times.append(time.monotonic() - started)
    connection.close()
    relay.close()
    server.close()
    return statistics.median(times)
