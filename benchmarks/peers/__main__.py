"""Make an environment for each peer, by the name of its package, and record the versions."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from benchmarks.peers import PEERS, RECORD, Peer

_VERSION = "from importlib.metadata import version; print(version({!r}))"


def install(folder: Path, peers: tuple[Peer, ...] = PEERS) -> dict[str, str]:
    """Install peers below a folder; the versions of those that could be. The others are told of and left out."""
    found: dict[str, str] = {}
    for peer in peers:
        try:
            found[peer.name] = _node(peer, folder) if peer.is_node else _python(peer, folder)
            sys.stderr.write(f"{peer.name} {found[peer.name]}\n")
        except subprocess.CalledProcessError as error:
            said = str(error.stderr or error).strip().rpartition("\n")[2]
            sys.stderr.write(f"{peer.name}: left out, it can't be installed: {said}\n")
        except FileNotFoundError as error:
            sys.stderr.write(f"{peer.name}: left out, there is no {error.filename}\n")
    (folder / RECORD).write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    return found


def _python(peer: Peer, folder: Path) -> str:
    home = folder / peer.package
    _call(sys.executable, "-m", "venv", str(home))
    python = str(home / "bin" / "python")
    _call(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", peer.package)
    return _call(python, "-c", _VERSION.format(peer.package)).strip()


def _node(peer: Peer, folder: Path) -> str:
    home = folder / peer.package
    home.mkdir(exist_ok=True)
    _call("npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(home), peer.package)
    package = json.loads((home / "node_modules" / peer.package / "package.json").read_text("utf-8"))
    return str(package["version"])


def _call(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """``install --into DIR``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("install", help="make the environments")
    verb.add_argument("--into", type=Path, required=True, metavar="DIR", help="the folder for them; made if missing")
    folder: Path = parser.parse_args().into
    folder.mkdir(parents=True, exist_ok=True)
    install(folder)


if __name__ == "__main__":
    main()
