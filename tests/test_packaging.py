"""What holds of the project as a whole: its packages, its public names, its imports, its version."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module, metadata
from pathlib import Path

import pytest

import urlset

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
FOLDERS = ("formats", "converters")
HEAVY = {"feedparser", "lxml", "pydantic", "pydantic_core", "rich", "typer", "click", "idna", "pyarrow", "pandas"}
FORMAT_MODULES = sorted(path for path in (ROOT / "formats").glob("*.py") if path.name != "__init__.py")
MODULES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("urlset", *parts)).removesuffix(".__init__")


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, wherever in it, with the line; names are absolute."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            home = ".".join([*base, *([node.module] if node.module else [])])
            yield node.lineno, home
            yield from ((node.lineno, f"{home}.{alias.name}") for alias in node.names)


def test_the_listed_packages_are_the_folders() -> None:
    folders = {path.parent.relative_to(ROOT) for name in FOLDERS for path in (ROOT / name).rglob("__init__.py")}
    expected = {"urlset"} | {".".join(("urlset", *folder.parts)) for folder in folders}
    listed = PROJECT["tool"]["setuptools"]["packages"]
    assert set(listed) == expected
    assert len(listed) == len(set(listed))


def test_every_folder_with_modules_is_a_package() -> None:
    for path in MODULES:
        assert (path.parent / "__init__.py").exists(), path


def test_importing_urlset_loads_nothing_heavy() -> None:
    code = "import sys, urlset; print('\\n'.join({name.partition('.')[0] for name in sys.modules}))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & set(found.stdout.split()) == set()


def test_importing_urlset_loads_none_of_its_own_modules() -> None:
    code = "import sys, urlset; print('\\n'.join(name for name in sys.modules if name.startswith('urlset')))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["urlset"]


def test_public_names_are_sorted_and_resolve() -> None:
    assert urlset.__all__ == sorted(urlset.__all__, key=order)
    assert len(urlset.__all__) == len(set(urlset.__all__))
    for name in urlset.__all__:
        assert getattr(urlset, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        urlset.no_such_name  # noqa: B018


def order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, as the formatter sorts them."""
    kind = 0 if name.isupper() else 1 if name[0].isupper() else 2
    return kind, name


def test_public_names_are_complete() -> None:
    """What is imported for type checkers is what can be had at run time, and all of it is public."""
    tree = ast.parse((ROOT / "urlset" / "__init__.py").read_text("utf-8"))
    (guarded,) = [node for node in tree.body if isinstance(node, ast.If)]
    names = {
        alias.asname or alias.name for node in guarded.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert names | {"__version__"} == set(urlset.__all__)
    assert dir(urlset) == sorted(urlset.__all__)


def test_star_import_gives_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from urlset import *", names)  # noqa: S102
    assert set(names) - {"__builtins__"} == set(urlset.__all__)


@pytest.mark.parametrize("path", [path for path in MODULES if path.is_relative_to(ROOT / "formats")], ids=module_name)
def test_formats_never_import_converters(path: Path) -> None:
    wrong = [(line, name) for line, name in imported(path) if name.startswith(("urlset.converters", "converters"))]
    assert wrong == []


@pytest.mark.parametrize("path", FORMAT_MODULES, ids=module_name)
def test_a_format_imports_no_other_format(path: Path) -> None:
    formats = {module_name(other) for other in FORMAT_MODULES}
    assert [(line, name) for line, name in imported(path) if name in formats or name == "urlset.formats"] == []


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if path.is_relative_to(ROOT / "formats") and path.parent.name != "formats"],
    ids=module_name,
)
def test_what_formats_share_imports_no_format(path: Path) -> None:
    formats = {module_name(other) for other in FORMAT_MODULES}
    assert [(line, name) for line, name in imported(path) if name in formats] == []


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_only_the_frontends_print_and_know_the_terminal(path: Path) -> None:
    if path.parent.name == "cli":
        return
    tree = ast.parse(path.read_text("utf-8"))
    calls = [node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    assert "print" not in calls
    assert {name.partition(".")[0] for _, name in imported(path)} & {
        "rich",
        "typer",
        "click",
        "logging",
        "warnings",
    } == set()


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_every_module_can_be_imported_and_says_what_it_is(path: Path) -> None:
    module = import_module(module_name(path))
    assert module.__doc__ and len(module.__doc__.strip(" .\n")) > 10
    assert module.__file__ is not None and Path(module.__file__).samefile(path)


def test_built_in_formats_are_one_module_each() -> None:
    from urlset.formats import BUILT_IN

    assert len(BUILT_IN) == len(FORMAT_MODULES)
    assert len({one.name for one in BUILT_IN}) == len(BUILT_IN)


def test_the_version_is_that_of_the_metadata() -> None:
    assert urlset.__version__ == metadata.version("urlset") == PROJECT["project"]["version"]


def test_the_version_is_the_newest_of_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## \[?v?([0-9][^\s\]]*)", changelog, re.MULTILINE)
    assert headings[0] == PROJECT["project"]["version"]


def test_the_type_checkers_see_what_is_installed() -> None:
    for name in FOLDERS:
        link = ROOT / ".typings" / "urlset" / name
        assert link.resolve() == ROOT / name
