"""What measured: the machine, and the versions of what was at work."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path
from xml.parsers import expat

from lxml import etree

_CPUS = Path("/proc/cpuinfo")
MACHINE = ("cpu", "cores", "system")
"""What makes two machines different ones; the rest are versions."""


def about() -> dict[str, str]:
    """The machine and the versions, by name."""
    return {
        "cpu": _cpu(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} on {platform.machine()}",
        "Python": platform.python_version(),
        "urlset": version("urlset"),
        "lxml": version("lxml"),
        "libxml2": ".".join(map(str, etree.LIBXML_VERSION)),
        "pydantic": version("pydantic"),
        "expat": expat.EXPAT_VERSION.removeprefix("expat_"),
    }


def line(known: dict[str, str]) -> str:
    """The same in a line."""
    versions = ", ".join(f"{name} {value}" for name, value in known.items() if name not in MACHINE)
    return f"{known['cpu']}, {known['cores']} cores, {known['system']}; {versions}"


def _cpu() -> str:
    found = re.search(r"^model name\s*:\s*(.+)$", _CPUS.read_text(), re.MULTILINE) if _CPUS.exists() else None
    return found[1] if found else platform.processor() or platform.machine()
