"""Scenarios: what to simulate, as a value."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from copysim import _core
from copysim._engine import CopyPolicy
from copysim._units import SettingValue, checked_settings, setting_text

#: An engine: its id, a class derived from `CopyPolicy`, or an instance of one.
Policy: TypeAlias = str | CopyPolicy | type[CopyPolicy]
#: Settings by dotted key. "policy" may name an engine in Python.
SettingMap: TypeAlias = Mapping[str, SettingValue | Policy]


@dataclass(frozen=True)
class Setting:
    """One value that a run really uses, and where it comes from.

    Attributes
    ----------
    value : bool, int, float or str
        Quantities are texts with their unit, in the shortest one: "64 KiB", "0.2 ms".
    origin : str
        "default", "command line" (a setting given in code counts as one), or sheet and line.
    mark : str
        How it is known: "documented", "measured", "inferred", "fitted", or empty.
    source : str
        The citation, or empty.
    """

    value: bool | int | float | str
    origin: str
    mark: str = ""
    source: str = ""


def split_policy(settings: Mapping[str, Any]) -> tuple[list[str], CopyPolicy | None]:
    """Turns settings into assignments; an engine in Python becomes its id and its parameters."""
    assignments: list[str] = []
    engine: CopyPolicy | None = None
    for key, value in settings.items():
        if isinstance(value, type) and issubclass(value, CopyPolicy):
            value = value()
        if isinstance(value, CopyPolicy):
            if key not in ("policy", "policy.id"):
                raise ValueError(f"{key}: an engine can be the value of policy only, got {value!r}")
            engine = value
            # First, so that settings such as policy.chunk win wherever they stand.
            first = [f"policy.id={value.id}", *(f"{k}={v}" for k, v in value.as_settings().items())]
            assignments[:0] = first
        else:
            try:
                assignments.append(f"{key}={setting_text(value)}")
            except TypeError as error:
                raise TypeError(f"{key}: {error}") from None
    return assignments, engine


class Scenario:
    """Two machines, a link, a copy engine and a workload: what to simulate.

    A value: it never changes, can be copied, pickled, compared and hashed. It holds what its file and
    later settings say; sheets of the catalogue that it names are looked up when it runs. Make one with
    `copysim.scenario`.
    """

    __slots__ = {"core": "The scenario as C++ holds it; for the package itself.",
                 "engines": "The engines in Python that its policy may name, a tuple of CopyPolicy."}

    def __init__(self, core: _core.Scenario, engines: Iterable[CopyPolicy] = ()) -> None:
        self.core = core
        self.engines = tuple(engines)

    @property
    def id(self) -> str:
        """Its id in the catalogue, or where it was read from."""
        return self.core.id

    @property
    def title(self) -> str:
        """What it is, in one line; empty if its file does not tell."""
        return self.core.title

    @property
    def given(self) -> dict[str, bool | int | float | str]:
        """The values that it gives itself, by dotted key, without those of sheets and defaults."""
        return self.core.given()

    def settings(self) -> dict[str, Setting]:
        """Look up the whole effective configuration.

        Returns
        -------
        dict of str to Setting
            Every value that a run uses, by dotted key, with its source.

        Raises
        ------
        ValueError
            For the first mistake, with the text of the command line.

        Examples
        --------
        >>> import copysim
        >>> copysim.scenario("apc/vista-to-xp").settings()["link.rate"].value
        '1 Gbit/s'
        """
        return {key: Setting(value, origin, mark, source)
                for key, value, origin, mark, source in self.core.effective(list(self.engines))}

    def with_settings(self, settings: SettingMap | None = None, *, policy: Policy | None = None) -> Scenario:
        """Return this scenario with settings on top, checked as a whole.

        Parameters
        ----------
        settings : mapping, optional
            Values by dotted key, such as ``{"link.rtt": "5 ms"}``. Quantities have a unit.
        policy : str or CopyPolicy, optional
            Short for the setting "policy".

        Raises
        ------
        ValueError
            For an unknown key, a missing unit or a value that is not allowed.

        Examples
        --------
        >>> import copysim
        >>> slow = copysim.scenario("apc/vista-to-xp").with_settings({"link.rtt": "50 ms"}, policy="xp")
        >>> slow.given["link.rtt"], slow.given["policy.id"]
        ('50 ms', 'xp')
        """
        wanted = checked_settings(settings)
        if policy is not None:
            wanted["policy"] = policy
        if not wanted:
            return self
        assignments, engine = split_policy(wanted)
        engines = self.engines
        if engine is not None:
            engines = (*(each for each in engines if each.id != engine.id), engine)
        return Scenario(self.core.with_settings(assignments, list(engines)), engines)

    def to_toml(self) -> str:
        """Write it as TOML that `copysim.scenario` reads back to an equal scenario.

        An engine in Python is written as its id; the class itself does not fit into a file.
        """
        return self.core.to_toml()

    def to_dict(self) -> dict[str, bool | int | float | str]:
        """Write it as a flat dictionary that `copysim.scenario` reads back to an equal scenario."""
        title = {"title": self.title} if self.title else {}
        return {**title, **self.given}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.core == other.core and self.engines == other.engines

    def __hash__(self) -> int:
        return hash(tuple(self.given.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.to_toml(), self.id, self.engines)

    def __copy__(self) -> Scenario:
        return self

    def __deepcopy__(self, memo: object) -> Scenario:
        return self

    def __repr__(self) -> str:
        return f"<copysim.Scenario {self.id}: {self.title or 'without a title'}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{_escaped(key)}</td><td>{_escaped(str(value))}</td></tr>"
                       for key, value in self.given.items())
        return f"<b>{_escaped(self.id)}</b>: {_escaped(self.title)}<table>{rows}</table>"


#: What `scenario` accepts.
ScenarioLike: TypeAlias = Scenario | str | os.PathLike[str] | Mapping[str, Any]


def _escaped(text: str) -> str:
    import html

    return html.escape(text)


def _restore(toml: str, id: str, engines: tuple[CopyPolicy, ...]) -> Scenario:
    return Scenario(_core.Scenario.parse(toml, id, id), engines)


def _toml_value(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml_key(k)} = {_toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml_value(each) for each in value) + "]"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (bool, int)):
        return setting_text(value)
    text = value if isinstance(value, str) else setting_text(value)
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_key(key: str) -> str:
    return ".".join(json.dumps(part, ensure_ascii=False) for part in key.split("."))


def _toml(tables: Mapping[str, Any]) -> str:
    """TOML of nested dictionaries, dotted keys allowed; elements of a list may be "key.0", "key.1"."""
    nested: dict[str, Any] = {}
    for key, value in tables.items():
        _put(nested, key.split("."), value)
    return "".join(f"{_toml_key(key)} = {_toml_value(_lists(value))}\n" for key, value in nested.items())


def _put(into: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        into = into.setdefault(part, {})
    if isinstance(value, Mapping):
        inner = into.setdefault(path[-1], {})
        for key, each in value.items():
            _put(inner, key.split("."), each)
    else:
        into[path[-1]] = value


def _lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    inner = {key: _lists(each) for key, each in value.items()}
    if inner and list(inner) == [str(i) for i in range(len(inner))]:
        return list(inner.values())
    return inner


def scenario(what: ScenarioLike) -> Scenario:
    """Find, read or build a scenario.

    Parameters
    ----------
    what : str, path or mapping
        An id of the catalogue ("apc/vista-to-xp"), the path of a TOML file, TOML text (anything with a
        line break), or nested dictionaries like the tables of such a file.

    Returns
    -------
    Scenario

    Raises
    ------
    ValueError
        If there is no such scenario or it is malformed, with the text of the command line.

    Examples
    --------
    >>> import copysim
    >>> copysim.scenario("apc/vista-to-xp").settings()["link.rate"].value
    '1 Gbit/s'
    >>> mine = copysim.scenario({
    ...     "client": {"machine": "desktop-2007", "system": "vista-sp1"},
    ...     "policy": "vista-sp1",
    ...     "workloads": {"single": {"size": "100 MiB"}},
    ... })
    >>> copysim.scenario(mine.to_toml()) == mine
    True
    """
    if isinstance(what, Scenario):
        return what
    if isinstance(what, Mapping):
        tables = dict(what)
        policy = tables.get("policy")
        if isinstance(policy, CopyPolicy) or (isinstance(policy, type) and issubclass(policy, CopyPolicy)):
            del tables["policy"]
            return Scenario(_core.Scenario.parse(_toml(tables), "dict", "")).with_settings(policy=policy)
        return Scenario(_core.Scenario.parse(_toml(tables), "dict", ""))
    if not isinstance(what, (str, os.PathLike)):
        raise TypeError(f"scenario: it must be an id of copysim.catalogue(), the path of a TOML file, TOML text, a "
                        f"mapping or a Scenario, got {what!r}")
    text = os.fspath(what)
    if "\n" in text:
        return Scenario(_core.Scenario.parse(text, "text", ""))
    return Scenario(_core.Scenario.load(text))


def catalogue(kind: str = "scenarios") -> list[str]:
    """List what the library ships.

    Parameters
    ----------
    kind : str
        "scenarios", "policies", "drives" (or "disks"), "links", "loads", "machines", "systems" or
        "published" (or "timings"); the names in brackets are those of ``copysim list``.

    Returns
    -------
    list of str
        The ids, in alphabetical order (policies: in the order of the library).

    Examples
    --------
    >>> import copysim
    >>> "vista-sp1" in copysim.catalogue("policies")
    True
    """
    kinds = ("scenarios", "policies", "drives", "links", "loads", "machines", "systems", "published")
    kind = {"disks": "drives", "timings": "published"}.get(kind, kind)
    if kind not in kinds:
        raise ValueError(f"catalogue: kind must be one of {', '.join(kinds)}, got {kind!r}")
    if kind == "policies":
        return [id for id, _, _ in _core.builtin_policies()]
    return _core.catalogue_ids(kind)
