#!/usr/bin/env python3
"""Draws what the packet throttle of Windows Vista trades: drop-outs of sound against network speed.

    ./dev copysim help >/dev/null        # builds copysim
    python3 examples/mmcss_trade_off.py build/release/bin/copysim docs/mmcss_trade_off.svg

Every point is simulated: `copysim sweep` varies the throttle (packets per millisecond, 0 is off),
the number of cores, and how much of every 10 ms the player needs. Only the standard library is used.
"""

import csv
import subprocess
import sys

SETTINGS = [1, 5, 10, 20, 30, 40, 50, 60, 70, 0]
PANELS = [("1", "1ms", "one core, sound (1 ms of work in 10 ms)"),
          ("1", "3ms", "one core, film (3 ms of work in 10 ms)"),
          ("2", "1ms", "two cores, sound"),
          ("2", "3ms", "two cores, film")]
WIDTH, HEIGHT, LEFT, TOP, GAP = 400, 180, 60, 40, 75
BLUE, RED = "#1f5fa8", "#b8321f"

# (cores, work, setting) -> (MB/s, drop-outs per minute)
Points = dict[tuple[str, str, int], tuple[float, float]]


def sweep(copysim: str) -> Points:
    """All points, simulated."""
    command = [copysim, "sweep", "mmcss/one-core", "--format", "csv",
               "--set", "reception.length=20s",
               "--vary", "client.cpu.cores=1,2", "--vary", "reception.player.work=1ms,3ms",
               "--vary", "reception.throttle.index=" + ",".join(map(str, SETTINGS))]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    points: Points = {}
    for row in csv.DictReader(done.stdout.splitlines()):
        key = (row["client.cpu.cores"], row["reception.player.work"],
               int(row["reception.throttle.index"]))
        points[key] = (float(row["throughput_bytes_per_s"]) / 1e6,
                       float(row["player.drop_outs_per_minute"]))
    return points


def text(x: float, y: float, words: str, color: str = "#222", anchor: str = "middle", size: int = 12) -> str:
    return (f'<text x="{x:.0f}" y="{y:.0f}" fill="{color}" text-anchor="{anchor}" '
            f'font-size="{size}">{words}</text>')


def line(places: list[tuple[float, float]], color: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places)
    return f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>{dots}'


def panel(points: Points, cores: str, work: str, title: str, x: float, y: float) -> str:
    """One pair of curves in a frame whose upper left corner is (x, y)."""
    step = WIDTH / (len(SETTINGS) - 1)
    parts = [f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>',
             text(x + WIDTH / 2, y - 8, title, size=13)]
    for column, (top, unit, color) in enumerate([(125, "MB/s", BLUE), (6000, "drop-outs/min", RED)]):
        places = [(x + i * step, y + HEIGHT * (1 - points[cores, work, n][column] / top))
                  for i, n in enumerate(SETTINGS)]
        parts.append(line(places, color))
        edge, anchor = (x - 5, "end") if column == 0 else (x + WIDTH + 5, "start")
        parts += [text(edge, y + 10, str(top), color, anchor), text(edge, y + HEIGHT, "0", color, anchor),
                  text(edge, y + 26, unit, color, anchor, 10)]
    parts += [text(x + i * step, y + HEIGHT + 16, "off" if n == 0 else str(n), size=11)
              for i, n in enumerate(SETTINGS)]
    return "".join(parts)


def main(copysim: str, picture: str) -> None:
    points = sweep(copysim)
    across, down = WIDTH + 2 * LEFT + 40, HEIGHT + GAP
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * across}" height="{2 * down + TOP}" '
             f'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>']
    for i, (cores, work, title) in enumerate(PANELS):
        parts.append(panel(points, cores, work, title, LEFT + i % 2 * across, TOP + i // 2 * down))
    parts.append(text(across, 2 * down + TOP - 12,
                      "NetworkThrottlingIndex: packets per millisecond while a player runs"))
    with open(picture, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: mmcss_trade_off.py COPYSIM PICTURE.svg")
    main(sys.argv[1], sys.argv[2])
