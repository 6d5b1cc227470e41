"""The options of the HTTP client, for every command that may fetch documents."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from urlset.converters.sources.web.settings import Http
from urlset.formats.vocabulary.errors import OptionError

R = TypeVar("R")

_PANEL = "Fetching"
_NAME = "fetching"


def _settings(
    timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            rich_help_panel=_PANEL,
            help="So long may a server be silent; one document may take ten times as long in all.",
        ),
    ] = Http.timeout,
    user_agent: Annotated[
        str | None,
        typer.Option(metavar="TEXT", rich_help_panel=_PANEL, help="The User-Agent; by default urlset and its version."),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME:VALUE",
            rich_help_panel=_PANEL,
            help="A header to send to the hosts of the sources, and to no others; may be repeated.",
        ),
    ] = None,
    delay: Annotated[
        float,
        typer.Option(metavar="SECONDS", rich_help_panel=_PANEL, help="The least time between two requests to a host."),
    ] = Http.delay,
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", rich_help_panel=_PANEL, help="Keep documents there; the next time ask whether they changed."
        ),
    ] = None,
    obey_robots: Annotated[
        bool,
        typer.Option("--obey-robots", metavar="", rich_help_panel=_PANEL, help="Fetch nothing robots.txt disallows."),
    ] = False,
    public_only: Annotated[
        bool,
        typer.Option(
            "--public-only",
            metavar="",
            rich_help_panel=_PANEL,
            help="Connect to no private, loopback or link-local address, and through no proxy.",
        ),
    ] = False,
) -> dict[str, Any]:
    """The options as keywords of :class:`Http`."""
    return {
        "timeout": timeout,
        "user_agent": user_agent,
        "headers": dict(map(_header, header or ())),
        "delay": delay,
        "cache": cache,
        "obey_robots": obey_robots,
        "public_only": public_only,
    }


def _header(text: str) -> tuple[str, str]:
    """The name and the value of a header; what was given is not told, as it may be a secret."""
    name, colon, value = text.partition(":")
    if not colon:
        raise OptionError("a header is NAME:VALUE (--header)")
    return name.strip(), value.strip()


def fetches(command: Callable[..., R]) -> Callable[..., R]:
    """Give a command these options in place of its parameter ``fetching``, which takes them as keywords of Http."""
    own = inspect.signature(command, eval_str=True).parameters
    ours = inspect.signature(_settings, eval_str=True).parameters
    parameters = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in (*own.values(), *ours.values()) if one.name != _NAME
    ]

    @wraps(command)
    def wrapped(**given: Any) -> R:
        chosen = _settings(**{name: given.pop(name) for name in ours})
        return command(**given, **{_NAME: chosen})

    wrapped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {one.name: one.annotation for one in parameters}
    return wrapped
