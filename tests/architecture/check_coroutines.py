"""Checks for coroutine forms that g++ 12 miscompiles or that dangle, in every C++ file.

- `co_await` in the condition of if, while, switch or for (an init-statement is fine);
- `co_await f({.name = ...})` with an aggregate temporary that owns memory;
- `co_await f(x ? y : z)` or `x ? co_await f() : y`: a conditional temporary is destroyed twice;
- a lambda with captures that is itself a coroutine: its captures die with the lambda object.
"""

import re
import sys
from pathlib import Path

from source_text import closing, code, cpp_files, place

SUSPENDS = re.compile(r"\bco_(?:await|return|yield)\b")
CONDITION = re.compile(r"\b(if|while|switch|for)\s*(?:constexpr\s*)?\(")
OWNING = re.compile(r'"|std::(?:string\b(?!_view)|vector|move|make_)')
# A lambda introducer: `[` that follows no operand (a subscript) and opens no attribute.
LAMBDA = re.compile(r"(?<![\w\])\[])\s*\[(?!\[)([^\[\]]*)\]\s*(?=[({<]|mutable|->|noexcept)")


def conditions(text: str) -> list[tuple[int, str]]:
    found = []
    for match in CONDITION.finditer(text):
        opening = match.end() - 1
        inside = text[opening + 1:closing(text, opening)]
        parts = inside.split(";")
        condition = parts[1] if match.group(1) == "for" and len(parts) > 1 else parts[-1]
        if match.group(1) == "for" and len(parts) == 1:
            continue  # a range-for evaluates its range once: measured to be fine
        if "co_await" in condition:
            found.append((match.start(), f"co_await in the condition of {match.group(1)}"))
    return found


def aggregates(text: str) -> list[tuple[int, str]]:
    found = []
    for match in re.finditer(r"\bco_await\b[^;{]*[(,]\s*[\w:]*\{(?=\s*\.)", text):
        opening = match.end() - 1
        if OWNING.search(text[opening:closing(text, opening)]):
            found.append((match.start(), "co_await with an aggregate temporary that owns memory"))
    return found


def conditionals(text: str) -> list[tuple[int, str]]:
    return [(match.start(), "co_await in one expression with a conditional operator")
            for match in re.finditer(r"\bco_await\b[^;{}?]*\?|\?[^;{}]*\bco_await\b", text)]


def lambdas(text: str) -> list[tuple[int, int, str]]:
    """(offset, end of body, captures) of each lambda."""
    found = []
    for match in LAMBDA.finditer(text):
        body = match.end()
        while body < len(text) and text[body] in "(<" or text[body:body + 1].isspace():
            if text[body] == "(":
                body = closing(text, body)
            elif text[body] == "<":
                body = text.find(">", body)
            body += 1
        body = text.find("{", body)
        if body >= 0 and ";" not in text[match.end():body]:
            found.append((match.start(), closing(text, body), match.group(1).strip()))
    return found


def capturing_coroutines(text: str) -> list[tuple[int, str]]:
    found = []
    all_lambdas = lambdas(text)
    for start, end, captures in all_lambdas:
        own = list(text[text.find("{", start):end])
        base = end - len(own)
        for inner_start, inner_end, _ in all_lambdas:
            if start < inner_start and inner_end < end:
                own[max(inner_start - base, 0):inner_end - base] = " " * (inner_end - max(inner_start, base))
        if captures and SUSPENDS.search("".join(own)):
            found.append((start + text[start:].index("["), f"the coroutine lambda [{captures}] captures"))
    return found


def violations(root: Path) -> list[str]:
    """One line per forbidden form."""
    found = []
    for path in cpp_files(root):
        text = code(path.read_text())
        for offset, reason in sorted(conditions(text) + aggregates(text) + conditionals(text)
                                     + capturing_coroutines(text)):
            found.append(f"{place(root, path, text, offset)}: {reason}")
    return found


if __name__ == "__main__":
    problems = violations(Path(__file__).resolve().parents[2])
    print(*problems, sep="\n" if problems else "")
    sys.exit(1 if problems else 0)
