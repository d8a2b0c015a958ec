import check_files
import pytest


def test_the_repository_has_no_malformed_file(repository):
    assert check_files.violations(repository) == []


@pytest.mark.parametrize("name, text, part", [
    ("lib/long.cpp", "int x;\n" * 401, "has 401 lines"),
    ("lib/mark.cpp", "// TO" + "DO: later\n", "unfinished"),
    ("include/copysim/a.hpp", "int f();\n", "lacks #pragma once"),
    ("lib/quoted.cpp", '#include "copysim/units.hpp"\n', "as <copysim/...>"),
])
def test_a_malformed_file_is_found(tree, name, text, part):
    problems = check_files.violations(tree({name: text}))
    assert len(problems) == 1
    assert part in problems[0]


def test_a_file_of_400_lines_is_allowed(tree):
    assert check_files.violations(tree({"lib/full.cpp": "int x;\n" * 400})) == []
