import check_coroutines
import pytest


def test_the_repository_has_no_dangerous_coroutine(repository):
    assert check_coroutines.violations(repository) == []


@pytest.mark.parametrize("line, reason", [
    ("if (co_await f() == 1) g();", "co_await in the condition of if"),
    ("if (const int x = 1; co_await f(x)) g();", "co_await in the condition of if"),
    ("while (\n  co_await f()) {}", "co_await in the condition of while"),
    ("switch (co_await f()) {}", "co_await in the condition of switch"),
    ("for (int i = 0; co_await f(i); ++i) {}", "co_await in the condition of for"),
    ('co_await g({.name = "a"});', "co_await with an aggregate temporary that owns memory"),
    ("co_await g(Job{.pieces = std::move(p)});", "co_await with an aggregate temporary that owns memory"),
    ("co_await g(x ? p : nullptr);", "co_await in one expression with a conditional operator"),
    ("const int y = x ? co_await f() : 0;", "co_await in one expression with a conditional operator"),
    ("auto t = [&]() -> Task<> { co_await f(); };", "the coroutine lambda [&] captures"),
    ("run([x, &y](int z) mutable -> Task<int> { co_return x; }(1));",
     "the coroutine lambda [x, &y] captures"),
])
def test_a_dangerous_form_is_found(tree, line, reason):
    root = tree({"sim/a.cpp": f"void h() {{\n{line}\n}}\n"})
    assert check_coroutines.violations(root) == [f"sim/a.cpp:2: {reason}"]


@pytest.mark.parametrize("line", [
    "const int x = co_await f();\nif (x == 1) g();",
    "if (const int x = co_await f(); x == 1) g();",
    "for (const int x : co_await f()) g(x);",
    "// if (co_await f()) g();",
    'log("while (co_await f())");',
    "co_await g({.offset = a, .length = b});",
    "auto t = []() -> Task<> { co_await f(); };",
    "auto t = [&] { return [](int x) -> Task<> { co_await f(x); }(1); };",
    "values[i] = co_await f();",
    "const int z = x ? 1 : 0;\nco_await f(z);",
    "const int y = co_await f();\nco_return y == 1 ? y : 0;",
    "[[maybe_unused]] const int x = co_await f();",
])
def test_a_safe_form_is_allowed(tree, line):
    assert check_coroutines.violations(tree({"sim/a.cpp": f"void h() {{\n{line}\n}}\n"})) == []
