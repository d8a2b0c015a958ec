"""Checks the direction of includes: python, examples -> lib -> models -> sim -> units, error.

Models of one kind meet those of another only at the interface headers listed here, and only the
machine builder of lib/, and what builds one drive from its files, names concrete models.
`python3 check_layers.py` prints the violations.
"""

import re
import sys
from pathlib import Path

from source_text import cpp_files, place

# From the bottom up; a layer may include itself and what is below it.
LAYERS = ("base", "sim", "models", "lib", "faces")
# Where models of different kinds meet. A concrete model is never listed here.
INTERFACES = {
    "cache/backing_file.hpp",
    "cache/cached_file.hpp",  # what a cache keeps of a file: its node holds it
    "cache/file_cache.hpp",
    "copy/builtin_policies.hpp",  # the registry, by which lib/ finds engines
    "copy/copy_job.hpp",
    "copy/copy_policy.hpp",
    "copy/copy_report.hpp",
    "copy/policy_registry.hpp",
    "cpu/cpu.hpp",
    "cpu/cpu_process.hpp",
    "cpu/multicore_cpu.hpp",
    "cpu/receive_scaling.hpp",
    "fs/file.hpp",
    "fs/file_store.hpp",
    "link/frames.hpp",
    "link/packet.hpp",
    "link/transport.hpp",
    "shell/explorer.hpp",  # what an experiment starts
    "shell/program.hpp",  # the same
    "storage/block_device.hpp",
}
# Libraries that stay inside sources.
PRIVATE_LIBRARIES = ("boost/asio", "boost/json", "Eigen/", "toml++/", "CLI/")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def layer_of_header(header: str) -> str:
    """The layer of `copysim/<header>`: sim, models, lib, or base for units.hpp and error.hpp."""
    folder = header.split("/")[0]
    if folder in LAYERS:
        return folder
    return "faces" if header == "copysim.hpp" else "base"


def layer_of_file(path: Path) -> str:
    if path.parts[:2] == ("include", "copysim"):
        return layer_of_header("/".join(path.parts[2:]))
    return path.parts[0] if path.parts[0] in LAYERS else "faces"


def kind_of(parts: tuple[str, ...]) -> str | None:
    """The kind of model (storage, cache, ...) of a path that contains models/<kind>/..."""
    if "models" not in parts:
        return None
    rest = parts[parts.index("models") + 1:]
    return rest[0] if len(rest) > 1 else None


def resolve(root: Path, path: Path, quoted: bool, name: str) -> str | None:
    """The public header or private neighbour that an include names, as a path from the root."""
    if name.startswith("copysim/"):
        return f"include/{name}"
    if quoted:
        return str((path.parent / name).resolve().relative_to(root.resolve()))
    return None


def builds_models(path: Path) -> bool:
    """Whether a file of lib/ is a builder: of machines, or of one drive from its files for a trace."""
    return path.stem.startswith(("machine", "validate_disk")) or "disksim" in path.parts


def complaint(path: Path, target: Path) -> str | None:
    """Why `path` may not include `target` (both from the root), or None if it may."""
    layer, below = layer_of_file(path), layer_of_file(target)
    if LAYERS.index(below) > LAYERS.index(layer):
        return f"{layer} must not include {below}"
    kind, other = kind_of(path.parts), kind_of(target.parts)
    if other is None or "/".join(target.parts[-2:]) in INTERFACES:
        return None
    if layer == "models" and kind != other:
        return f"models of kind {kind} meet those of kind {other} only at interfaces"
    if layer == "lib" and not builds_models(path):
        return "only lib/machine*.cpp names concrete models"
    return None


def violations(root: Path) -> list[str]:
    """One line per include that breaks the rules."""
    found = []
    for path in cpp_files(root, "include", "sim", "models", "lib", "examples", "python"):
        text = path.read_text()
        relative = path.relative_to(root)
        for match in INCLUDE.finditer(text):
            quoted, name = match.group(1) == '"', match.group(2)
            target = resolve(root, path, quoted, name)
            reason = complaint(relative, Path(target)) if target else None
            if relative.parts[0] == "include":
                if name.startswith(PRIVATE_LIBRARIES):
                    reason = "this library must stay out of public headers"
                if name.startswith("boost/intrusive") and not (
                        layer_of_file(relative) == "sim" or kind_of(relative.parts) == "cache"):
                    reason = "Boost.Intrusive may show only in the headers of sim/ and cache/"
            if reason:
                found.append(f"{place(root, path, text, match.start())}: includes {name}: {reason}")
    return found


if __name__ == "__main__":
    problems = violations(Path(__file__).resolve().parents[2])
    print(*problems, sep="\n" if problems else "")
    sys.exit(1 if problems else 0)
