# SPDX-License-Identifier: Apache-2.0
"""Links of whole pages, from WARC to resolved URL, against an independent chain: warcio writes the WARC, lexbor
parses, Node's URL resolves. 1,000 pages of miniweb and the openbsd site of 2006; precision and recall >= 0.999.

The known difference: in a page that is not UTF-8 the standard encodes a query in the page's own charset, and so do we; Node
is given the reference alone and takes UTF-8."""

import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import skip  # noqa: E402

try:
    from selectolax.lexbor import LexborHTMLParser
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter
except ImportError as missing:
    skip(f"{missing}; pip install -r tests/requirements.txt")

SHARED = Path(os.environ["WEBSTRATA_SHARED"])
SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
MINIWEB = SHARED / "data" / "miniweb" / "bookworm.tar.zst"
OPENBSD = SHARED / "data" / "openbsd-www" / "html_20060101.tar.gz"
SEED = 1000


def miniweb_pages():
    """A thousand (URL, bytes), drawn with a seed."""
    tar = subprocess.run(["zstd", "-dcq", "--long=27", MINIWEB], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(tar)) as files:
        members = [m for m in files.getmembers() if m.isfile()]
        for member in random.Random(SEED).sample(members, 1000):
            host, path = member.name.removeprefix("./").split("/", 1)
            yield f"http://{host}.docs.example/{path}".replace(" ", "%20").replace("?", "%3F"), files.extractfile(member).read()


def openbsd_pages():
    with tarfile.open(OPENBSD) as files:
        for member in files.getmembers():
            if member.isfile() and member.name.endswith((".html", ".htm")):
                yield f"http://www.openbsd.org/{member.name.removeprefix('./')}", files.extractfile(member).read()


def text_of(page):
    """As the house does it: BOM, the page's own word, UTF-8 if valid, else windows-1252."""
    named = re.search(rb"<meta[^>]*charset=[\"']?([\w-]+)", page[:1024], re.IGNORECASE)
    label = named[1].decode().lower() if named else ""
    label = {"iso-8859-1": "cp1252", "us-ascii": "cp1252", "iso-8859-9": "cp1254", "gb2312": "gbk", "big5": "big5hkscs"}.get(label, label)
    for encoding in [label, "utf-8"]:
        try:
            return page.decode(encoding, errors="replace" if encoding == label and encoding else "strict")
        except (LookupError, UnicodeDecodeError):
            pass
    return page.decode("cp1252", errors="replace")


def references_of(url, page):
    """(base, reference) of every a, area, frame and meta refresh."""
    tree = LexborHTMLParser(text_of(page))
    base = next((node.attributes["href"] for node in tree.css("base[href]")), None)
    found = [node.attributes["href"] or "" for node in tree.css("a[href], area[href]")]
    found += [node.attributes["src"] for node in tree.css("frame[src]") if node.attributes["src"]]
    for node in tree.css("meta[http-equiv][content]"):
        if (node.attributes["http-equiv"] or "").lower() == "refresh":
            target = re.match(r"\s*[\d.]*[\s;,]*url\s*=\s*['\"]?([^'\"]*)", node.attributes["content"] or "", re.IGNORECASE)
            found += [target[1]] if target else []
    return base, found


def resolve(pairs):
    """Node's answers, None where it refuses."""
    text = "".join(json.dumps(pair) + "\n" for pair in pairs)
    script = SOURCE / "tests" / "url" / "node_truth.js"
    out = subprocess.run(["node", script], input=text.encode(), capture_output=True, check=True).stdout
    return [answer and answer["href"] for answer in map(json.loads, out.decode().splitlines())]


def expected_links(pages):
    bases, references = [], []
    for url, page in pages:
        base, found = references_of(url, page)
        bases.append((url, base or ""))
        references.append(found)
    resolved_bases = resolve(bases)
    pairs = [(base or url, r) for (url, _), base, found in zip(bases, resolved_bases, references) for r in found]
    sources = [url for (url, _), found in zip(bases, references) for _ in found]
    links = set()
    for source, target in zip(sources, resolve(pairs)):
        if target and target.startswith(("http:", "https:", "ftp:")):
            links.add((source, re.sub(r"^(\w+://)[^/?]*@", r"\1", target.split("#")[0])))
    return links


def our_links(pages, folder):
    path = Path(folder) / "pages.warc.gz"
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        for url, page in pages:
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(page), http_headers=headers))
    out = subprocess.run([os.environ["WEBSTRATA_PROGRAM"], "extract", "-q", path], capture_output=True, check=True).stdout
    links = set()
    for capture in map(json.loads, out.decode().splitlines()):
        links |= {(capture.get("spelling", capture["url"]), link["url"]) for link in capture["links"]}
    return links


def main():
    if not MINIWEB.exists() or not shutil.which("node") or not shutil.which("zstd"):
        skip(f"needs {MINIWEB}, node and zstd (tools/packages.test)")
    failed = False
    for name, pages in (("miniweb", list(miniweb_pages())), ("openbsd 2006", list(openbsd_pages()))):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = our_links(pages, folder), expected_links(pages)
        both = len(ours & theirs)
        precision, recall = both / len(ours), both / len(theirs)
        print(f"{name}: {len(pages)} pages, {len(theirs)} links, precision {precision:.6f}, recall {recall:.6f} (seed {SEED})")
        for link in sorted(ours - theirs)[:5]:
            print("  only ours:  ", *link)
        for link in sorted(theirs - ours)[:5]:
            print("  only theirs:", *link)
        failed = failed or precision < 0.999 or recall < 0.999
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
