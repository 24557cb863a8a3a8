"""Whether pages stand alone: nothing asked for, no dead link, no missing character."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from helpers.language import say
from helpers.site import fonts
from helpers.site.lessons import SiteError

MOST_BYTES = 2_000_000  # of a page
_LOADING = {"src", "srcset", "poster", "data", "background", "action", "formaction", "ping"}
_IN_STYLE = re.compile(r"url\(\s*[\"']?(?!data:|#)([^)\"']+)|@import\s+([^;]+)")
_IN_SCRIPT = re.compile(
    r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|import)\s*\("
    r"|\b(?:import|export)\b[^;\n]*\bfrom\s*[\"']|\bimport\s*[\"']"
)
_OUTSIDE = ("https", "http", "mailto")


class Page(HTMLParser):
    """What one page holds that matters here.

    Attributes:
        ids: the names that links can lead to, each as often as it is there.
        links: addresses of its links.
        faults: what it asks for.
    """

    def __init__(self, text: str):
        """Read a page."""
        super().__init__(convert_charrefs=True)
        self.text, self.ids, self.links, self.faults, self._inside = text, [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Look at the attributes of an element."""
        values = {name: value or "" for name, value in attrs}
        self._inside = tag if tag in ("script", "style") else ""
        if "id" in values:
            self.ids.append(values["id"])
        if "style" in values:
            self._style(values["style"])
        if tag in ("a", "area"):
            if "href" in values:
                self.links.append(values["href"])
        elif "href" in values or "xlink:href" in values:
            self._asks(values.get("href") or values.get("xlink:href"))
        for name in _LOADING & values.keys():
            self._asks(values[name])

    def handle_endtag(self, tag):
        """Leave a script or a style sheet."""
        self._inside = ""

    def handle_data(self, data):
        """Look into scripts and style sheets."""
        if self._inside == "style":
            self._style(data)
        elif self._inside == "script":
            self.faults += [_asks_for(found[0]) for found in _IN_SCRIPT.finditer(data)]

    def _style(self, text):
        for found in _IN_STYLE.finditer(text):
            self._asks(found[1] or found[2])

    def _asks(self, address):
        if address and not address.startswith(("data:", "#")):
            self.faults.append(_asks_for(address))


def _asks_for(what):
    return say("asks for {what}", what=what[:80])


def faults_of(out: Path) -> list[str]:
    """Name all faults of the pages in a folder.

    Args:
        out: the folder that ``python3 -m helpers site`` has written.

    Returns:
        One sentence a fault, each with the page's name; links to other servers are not followed.

    Raises:
        SiteError: there are no pages.
    """
    files = sorted(out.rglob("*.html"))
    if not (out / "index.html").is_file():
        raise SiteError(say("There is no index.html in {folder}.", folder=out))
    pages = {file.resolve(): Page(file.read_text(encoding="utf-8")) for file in files}
    return [
        f"{file.relative_to(out.resolve()).as_posix()}: {fault}"
        for file, page in pages.items()
        for fault in (*page.faults, *_of_itself(page), *_dead(file, page, pages, out.resolve()))
    ]


def _of_itself(page):
    size = len(page.text.encode())
    if size > MOST_BYTES:
        yield say("holds {size} bytes, more than {most}", size=size, most=MOST_BYTES)
    for name in sorted({name for name in page.ids if page.ids.count(name) > 1}):
        yield say("two elements are called {name}", name=name)
    lost = fonts.missing(fonts.special_characters(page.text))
    if lost:
        yield say("no font has {characters}", characters=" ".join(sorted(lost)))
    lacking = fonts.special_characters(page.text) - fonts.embedded(page.text) - lost
    if lacking:
        yield say("its fonts lack {characters}", characters=" ".join(sorted(lacking)))


def _dead(file, page, pages, out):
    for address in dict.fromkeys(page.links):
        parts = urlsplit(address)
        if parts.scheme in _OUTSIDE:
            if "OWNER/REPO" in address:
                yield say("leads to a place that is not named yet: {address}", address=address)
            continue
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if parts.scheme or not target.is_file() or out not in target.parents:
            yield say("leads nowhere: {address}", address=address)
        elif target in pages and unquote(parts.fragment) not in ("", *pages[target].ids):
            yield say("leads to no heading: {address}", address=address)
