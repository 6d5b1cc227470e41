"""Temporary files that can't be written: the error names their folder, and neither the source nor the output."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from urlset.formats.vocabulary.errors import WriteError
from urlset.formats.vocabulary.temporary import Temporary

sys.path.insert(0, str(Path(__file__).parent))

from faulty_server import body, serving

LOCS = [f"https://example.com/{number:07d}/{'x' * 90}" for number in range(110_000)]
"""More than is kept in memory, and than a file may have in these tests."""

PLACES = ["standard output", "standard input", "a pipe", "a body"]


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
@pytest.mark.parametrize("place", PLACES)
def test_the_folder_is_named(place: str, tmp_path: Path) -> None:
    given = tmp_path / "given.txt"
    given.write_text("\n".join(LOCS), "utf-8")
    folder = tmp_path / "tmp"
    folder.mkdir()
    with serving({"/a.txt": body(given.read_bytes())}) as server:
        arguments = {
            "standard output": ["convert", str(given), "-o", "-", "--to", "text", "--sort"],
            "standard input": ["info", "-"],
            "a pipe": ["info", "/dev/stdin"],
            "a body": ["convert", f"{server.base}/a.txt", "-o", str(tmp_path / "out.txt")],
        }[place]
        script = (
            "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000));"
            "from urlset.converters.cli import main; sys.exit(main())"
        )
        with subprocess.Popen(["cat", given], stdout=subprocess.PIPE) as cat:
            ran = subprocess.run(
                [sys.executable, "-c", script, *arguments],
                stdin=cat.stdout,
                capture_output=True,
                env={**os.environ, "TMPDIR": str(folder), "NO_PROXY": "*"},
                cwd=tmp_path,
                check=False,
            )
            cat.terminate()
    said = ran.stderr.decode()
    assert ran.returncode == 2, said
    assert f"no room for temporary files: File too large; set TMPDIR to another folder than {folder}" in said
    assert "Traceback" not in said
    assert ran.stdout == b""
    assert not list(tmp_path.glob("out*"))
    assert not list(folder.iterdir())


def test_bytes_in_memory_and_on_disk() -> None:
    with Temporary(10) as file:
        file.writelines([b"abc", b"def"])
        assert not file._rolled  # type: ignore[attr-defined]
        file.write(b"ghijklmn")
        assert file._rolled  # type: ignore[attr-defined]
        file.flush()
        assert file.seek(0) == 0
        assert (file.read(3), file.read()) == (b"abc", b"defghijklmn")
    assert file.closed


def test_no_folder_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setenv("TMPDIR", "/nowhere")
    monkeypatch.setattr(tempfile, "gettempdir", none)
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: none())
    with Temporary(1) as file, pytest.raises(WriteError, match="No usable") as caught:
        file.write(b"abc")
    assert caught.value.source == "/nowhere"


def test_an_error_of_the_pieces_is_their_own() -> None:
    def pieces() -> object:
        yield b"a"
        raise ConnectionError("elsewhere")

    with Temporary(1) as file, pytest.raises(ConnectionError, match="elsewhere"):
        file.writelines(pieces())  # type: ignore[arg-type]
