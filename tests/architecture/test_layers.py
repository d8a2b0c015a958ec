import check_layers
import pytest


def test_the_repository_keeps_the_direction_of_includes(repository):
    assert check_layers.violations(repository) == []


def test_every_listed_interface_is_a_header_of_the_repository(repository):
    folder = repository / "include" / "copysim" / "models"
    assert [name for name in sorted(check_layers.INTERFACES) if not (folder / name).exists()] == []


@pytest.mark.parametrize("file, include, reason", [
    ("sim/clock.cpp", "<copysim/models/content.hpp>", "sim must not include models"),
    ("include/copysim/sim/task.hpp", "<copysim/lib/version.hpp>", "sim must not include lib"),
    ("include/copysim/error.hpp", "<copysim/sim/task.hpp>", "base must not include sim"),
    ("models/copy/xp_copy.cpp", "<copysim/lib/machine.hpp>", "models must not include lib"),
    ("models/copy/xp_copy.cpp", "<copysim/models/storage/hard_disk.hpp>",
     "models of kind copy meet those of kind storage only at interfaces"),
    ("models/copy/xp_copy.cpp", '"../storage/elevator.hpp"',
     "models of kind copy meet those of kind storage only at interfaces"),
    ("lib/sweep.cpp", "<copysim/models/storage/hard_disk.hpp>",
     "only lib/machine*.cpp names concrete models"),
    ("include/copysim/lib/sweep.hpp", "<boost/asio.hpp>", "this library must stay out of public headers"),
    ("include/copysim/lib/fit.hpp", "<Eigen/Dense>", "this library must stay out of public headers"),
    ("include/copysim/lib/fit.hpp", "<toml++/toml.h>", "this library must stay out of public headers"),
    ("include/copysim/models/fs/ntfs.hpp", "<boost/intrusive/list.hpp>",
     "Boost.Intrusive may show only in the headers of sim/ and cache/"),
])
def test_an_include_against_the_arrow_is_found(tree, file, include, reason):
    root = tree({file: f"#pragma once\n#include {include}\n"})
    name = include.strip('<>"')
    assert check_layers.violations(root) == [f"{file}:2: includes {name}: {reason}"]


@pytest.mark.parametrize("file, include", [
    ("models/copy/xp_copy.cpp", "<copysim/models/fs/file.hpp>"),
    ("models/copy/xp_copy.cpp", "<copysim/models/copy/chunks.hpp>"),
    ("models/copy/xp_copy.cpp", "<copysim/models/content.hpp>"),
    ("models/smb/client.cpp", '"credits.hpp"'),
    ("lib/machine_builder.cpp", "<copysim/models/storage/hard_disk.hpp>"),
    ("lib/disksim/drive_file.cpp", "<copysim/models/storage/hard_disk.hpp>"),
    ("lib/fit.cpp", "<Eigen/Dense>"),
    ("include/copysim/sim/event.hpp", "<boost/intrusive/list.hpp>"),
    ("examples/cpp/copy.cpp", "<copysim/copysim.hpp>"),
])
def test_an_include_along_the_arrow_is_allowed(tree, file, include):
    assert check_layers.violations(tree({file: f"#include {include}\n"})) == []
