"""Debian's smbd and smbclient, run from a folder of their own, without touching the system's."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from pathlib import Path

from relay import HOST, connect, listener

# What smbclient prints when it has started, and when it has closed a file that it copied.
STARTED = b"list of possible commands."
COPIED = b"average "

# A password, and its NT hash as smbpasswd(5) keeps it: MD4 of it in UTF-16.
GUEST = "somebody%none"
PASSWORD = "password"
NT_HASH = "8846F7EAEE8FB117AD06BDD830B7586C"

CONFIGURATION = """
[global]
  server role = standalone server
  server min protocol = NT1
  smb ports = {port}
  interfaces = 127.0.0.1
  bind interfaces only = yes
  disable netbios = yes
  load printers = no
  printcap name = /dev/null
  map to guest = Bad User
  guest account = {user}
  passdb backend = smbpasswd:{folder}/smbpasswd
  private dir = {folder}/private
  lock directory = {folder}/lock
  state directory = {folder}/state
  cache directory = {folder}/cache
  pid directory = {folder}/pid
  ncalrpc dir = {folder}/ncalrpc
  log file = {folder}/log.%m
{options}

[share]
  path = {folder}/share
  guest ok = yes
  read only = no
"""


class Server:
    """A running smbd with one share, open to guests; `with` ends it. `options` are lines of smb.conf(5).

    Sessions of guests are neither signed nor encrypted: those need `login`.
    """

    def __init__(self, folder: Path, options: tuple[str, ...] = ()) -> None:
        self.share = folder / "share"
        for name in ("private", "lock", "state", "cache", "pid", "ncalrpc", "share"):
            (folder / name).mkdir()
        with listener() as free:
            self.port: int = free.getsockname()[1]
        # As root, smbd serves guests as nobody, who must be able to write.
        account = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        user = account.pw_name
        self.login = f"{user}%{PASSWORD}"
        passwords = folder / "smbpasswd"
        passwords.write_text(f"{user}:{account.pw_uid}:{'X' * 32}:{NT_HASH}:[U          ]:LCT-65000000:\n")
        passwords.chmod(0o600)
        folder.chmod(0o755)
        self.share.chmod(0o777)
        configuration = folder / "smb.conf"
        configuration.write_text(CONFIGURATION.format(
            port=self.port, user=user, folder=folder, options="\n".join(f"  {line}" for line in options)))
        smbd = shutil.which("smbd") or "/usr/sbin/smbd"
        self._log = (folder / "smbd.log").open("wb")
        self._process = subprocess.Popen(
            [smbd, "--foreground", "--no-process-group", "--debug-stdout", f"--configfile={configuration}"],
            stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT, start_new_session=True)
        self._wait(folder)

    def _wait(self, folder: Path) -> None:
        for _ in range(150):
            try:
                connect(self.port).close()
                return
            except OSError:
                time.sleep(0.1)
            if self._process.poll() is not None:
                break
        self.close()
        said = (folder / "smbd.log").read_text(errors="replace").strip().splitlines()
        raise RuntimeError(f"smbd did not start: {said[-1] if said else 'it said nothing'}")

    def close(self) -> None:
        # smbd and the children that serve connections are a session of their own.
        try:
            os.killpg(self._process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._log.close()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Session:
    """One smbclient, connected; `copy` returns the seconds from a command until it closed its last file."""

    def __init__(self, port: int, protocol: str, local: Path, window: int | None = None,
                 login: str = GUEST) -> None:
        arguments = ["smbclient", f"//{HOST}/share", "-p", str(port), "-U", login,
                     "--configfile=/dev/null",
                     f"--option=client min protocol={protocol}", f"--option=client max protocol={protocol}"]
        if window:
            arguments += ["-b", str(window)]
        # A terminal as its output, else it would keep its answers in a buffer.
        self._output, terminal = os.openpty()
        self._process = subprocess.Popen(arguments, cwd=local, stdin=subprocess.PIPE, stdout=terminal,
                                         stderr=terminal, bufsize=0)
        os.close(terminal)
        self._read_until(STARTED, 1)

    def _read_until(self, sign: bytes, times: int) -> None:
        text = b""
        while text.count(sign) < times:
            try:
                piece = os.read(self._output, 4096)
            except OSError:  # the other end of the terminal is closed
                piece = b""
            if not piece:
                last = text.decode(errors="replace").strip().splitlines()
                raise RuntimeError(f"smbclient ended: {last[-1] if last else 'it said nothing'}")
            text += piece
            if b"NT_STATUS" in text:
                raise RuntimeError(f"smbclient: {text.decode(errors='replace').strip()}")

    def say(self, command: str) -> None:
        """Gives a command that is done at once, such as `prompt`."""
        assert self._process.stdin
        self._process.stdin.write(command.encode() + b"\n")
        time.sleep(0.1)  # each line must come alone: smbclient looks for input before it reads

    def copy(self, command: str, files: int) -> float:
        assert self._process.stdin
        started = time.monotonic()
        self._process.stdin.write(command.encode() + b"\n")
        self._read_until(COPIED, files)
        return time.monotonic() - started

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._output)
