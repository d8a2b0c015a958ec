"""A TCP relay that delays and paces every byte, as the one that smb-measured.md describes.

It reads at once, without limit, and releases each piece a fixed one-way delay later, in each
direction; with a limit, pieces of 1,460 bytes pass one after another before that, each for its
length over the limit. TCP is split in two, so that only the windows of the programs above it count.
"""

import queue
import socket
import statistics
import threading
import time

HOST = "127.0.0.1"
PACED_PIECE = 1460  # bytes


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


def pump(source: socket.socket, target: socket.socket, delay_s: float, bytes_per_s: float | None = None) -> None:
    """Starts two threads that carry bytes from `source` to `target`, `delay_s` late."""
    pieces: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()

    def read() -> None:
        data = b"?"
        free_from = 0.0
        while data:
            try:
                data = source.recv(1 << 18)
            except OSError:
                data = b""
            free_from = max(free_from, time.monotonic())
            if bytes_per_s is None or not data:
                pieces.put((free_from + delay_s, data))
                continue
            for begin in range(0, len(data), PACED_PIECE):
                piece = data[begin:begin + PACED_PIECE]
                free_from += len(piece) / bytes_per_s
                pieces.put((free_from + delay_s, piece))

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

    def __init__(self, target_port: int, round_trip_s: float, bytes_per_s: float | None = None) -> None:
        self._target_port = target_port
        self._delay_s = round_trip_s / 2
        self._bytes_per_s = bytes_per_s
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
            pump(client, server, self._delay_s, self._bytes_per_s)
            pump(server, client, self._delay_s, self._bytes_per_s)

    def close(self) -> None:
        self._server.close()


def measured_round_trip(round_trip_s: float, count: int = 15, bytes_per_s: float | None = None) -> float:
    """The median round trip of one byte through a relay: timers wake late, so it is longer."""

    def echo(server: socket.socket) -> None:
        connection, _ = server.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while data := connection.recv(16):
            connection.sendall(data)

    server = listener()
    threading.Thread(target=echo, args=(server,), daemon=True).start()
    relay = Relay(server.getsockname()[1], round_trip_s, bytes_per_s)
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
