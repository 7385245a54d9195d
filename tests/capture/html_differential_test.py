#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The HTML tokenizer against two independent parsers, on real and on mutated pages: those of the sample, or with the word
`shared` those of two crawls of ../shared.

Compared are the (tag, attribute, decoded value) triples of start tags, for the attributes that
html_names.h knows; on real pages also titles and anchor texts.

- lexbor (selectolax) builds the tree that a browser would. Trees are not token streams: they clone
  elements (the adoption agency gives a mis-nested <a> a copy in every block it crosses) and drop
  start tags (a <form> in a form, a <frame> outside a frameset, most things in a <select>). So we
  count with lexbor: precision and recall of link attributes.
- html5lib gives the truth about tokens: its tokenizer is recorded while its own tree construction
  drives it. Wherever our triples differ from lexbor's tree they must equal html5lib's tokens, in
  order. Then the difference is due to tree construction, and its kind is printed.
- Where even those differ, html5lib's tokenizer is driven a third time, by the content model that
  we promise (`PromisedModel` below: raw-text elements by name, svg and math by html_foreign.h's
  rules). It must equal ours always. What remains between the second and the third is tree
  construction deciding where raw text begins, possible only in pages with <select>, <frameset>,
  <table>, <svg>, <math> or <template>.
"""
import collections
import io
import os
import random
import re
import struct
import subprocess
import sys
import tarfile

sys.path.insert(0, os.path.join(os.environ["WEBSTRATA_SOURCE"], "tests"))
from not_tried import skip  # noqa: E402

# Also runs as: shared
try:
    import html5lib
    from html5lib import _tokenizer, constants, html5parser
    from selectolax.lexbor import LexborHTMLParser
    from warcio.archiveiterator import ArchiveIterator
except ImportError as missing:
    skip(f"needs html5lib, selectolax and warcio (tests/requirements.txt): {missing}")

SHARED = os.environ["WEBSTRATA_SHARED"]
MINIWEB = os.path.join(SHARED, "data/miniweb/bookworm.tar.zst")
OPENBSD = os.path.join(SHARED, "data/openbsd-www/html_20060101.tar.gz")
DUMP = os.path.join(os.environ["WEBSTRATA_BUILD"], "tests/html_dump")
SEED = int(os.environ.get("WEBSTRATA_SEED", "20060101"))
REAL_PAGES = 1200
MUTATED_PAGES = int(os.environ.get("WEBSTRATA_MUTATIONS", "3000"))

TAGS = set("""a area audio base body button embed form frame iframe image img input link meta object
script source td th table track use video noembed noframes plaintext style textarea title xmp svg
math annotation-xml desc foreignobject malignmark mglyph mi mn mo ms mtext b big blockquote br
center code dd div dl dt em font h1 h2 h3 h4 h5 h6 head hr i li listing menu nobr ol p pre ruby s
small span strike strong sub sup tt u ul var abbr acronym bdi bdo cite data del dfn ins kbd label
mark q rb rp rt samp time wbr basefont bgsound col keygen param address article aside caption
details dir fieldset figcaption figure footer header html main nav option section select summary
tbody tfoot thead tr""".split())
LINK_ATTRIBUTES = set("""action background data formaction href imagesrcset longdesc poster src srcset
xlink:href""".split())
ATTRIBUTES = LINK_ATTRIBUTES | set(
    "alt color content encoding face http-equiv rel size type".split())
# Attributes are dumped in the order of the enum, which is alphabetical.
ORDER = {name: i for i, name in enumerate(
    """action alt background color content data encoding face formaction href http-equiv imagesrcset
    longdesc poster rel size src srcset type xlink:href""".split())}


# ---- the three sides

def ours(pages):
    """Triples, anchor texts and title of each page, from the C++ side."""
    packed = b"".join(struct.pack("<I", len(page)) + page for page in pages)
    out = subprocess.run([DUMP], input=packed, stdout=subprocess.PIPE, check=True).stdout
    results, triples, anchors, title = [], [], [], ""
    for line in out.decode("utf-8").split("\n")[:-1]:
        if line == "=end":
            results.append((triples, anchors, title))
            triples, anchors, title = [], [], ""
        elif line.startswith("=anchor\t"):
            anchors.append(unescape(line[8:]))
        elif line.startswith("=title\t"):
            title = unescape(line[7:])
        else:
            tag, attribute, value = line.split("\t")
            triples.append((tag, attribute, unescape(value)))
    assert len(results) == len(pages)
    return results


def unescape(value):
    if "\\" not in value:
        return value
    return (value.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t")
            .replace("\0", "\\"))


def known_triples(tag, attributes):
    names = sorted((n for n in attributes if n in ATTRIBUTES), key=ORDER.get)
    return [(tag, name, attributes[name]) for name in names]


SELECTOR = ",".join("[%s]" % name.replace(":", r"\:") for name in sorted(LINK_ATTRIBUTES))


def lexbor_links(page):
    """Link triples of lexbor's tree, as a multiset."""
    found = collections.Counter()
    seen = set()  # an element that matches two selectors is listed twice
    for node in LexborHTMLParser(page).css(SELECTOR):
        tag = node.tag.lower()
        if tag not in TAGS or node.mem_id in seen:
            continue
        seen.add(node.mem_id)
        for name, value in node.attributes.items():
            if name in LINK_ATTRIBUTES:
                found[tag, name, value or ""] += 1
    return found


def lexbor_title(page):
    node = LexborHTMLParser(page).css_first("title")
    return fold(node.text()) if node else ""


def fold(text):
    return re.sub("[ \\t\\n\\f\\r]+", " ", text).strip(" ")


class RecordingTokenizer(_tokenizer.HTMLTokenizer):
    """Notes every start tag before tree construction sees (and changes) it."""

    def __init__(self, *arguments, **names):
        super().__init__(*arguments, **names)
        self.triples = []

    def __iter__(self):
        for token in super().__iter__():
            if token["type"] == constants.tokenTypes["StartTag"] and token["name"] in TAGS:
                self.triples += known_triples(token["name"], token["data"])
            yield token


def html5lib_tokens(text):
    parser = html5parser.HTMLParser()
    parser.innerHTMLMode, parser.container, parser.scripting = False, None, False
    parser.tokenizer = RecordingTokenizer(text, parser=parser)
    parser.reset()
    parser.mainLoop()
    return parser.tokenizer.triples


class PromisedModel:
    """Plays tree construction for html5lib's tokenizer: raw text by name, svg and math roughly."""

    RCDATA = {"title", "textarea"}
    RAWTEXT = {"style", "xmp", "iframe", "noembed"}  # noframes is markup for us: its links are for crawlers
    VOID = set("""area base br embed hr img input link meta source track wbr basefont bgsound col
                  keygen param frame image""".split())
    BREAKOUT = set("""b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6
        head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup
        table tt u ul var""".split())
    MATH_TEXT = {"mi", "mo", "mn", "ms", "mtext"}
    FOREIGN = MATH_TEXT | set("svg math annotation-xml desc foreignobject malignmark mglyph".split())

    def __init__(self):
        self.open = []          # (name, namespace, holds_html, holds_math_text)
        self.tree = self        # what the tokenizer asks: tree.openElements, tree.defaultNamespace
        self.defaultNamespace = "html"

    @property
    def openElements(self):
        Node = collections.namedtuple("Node", "namespace")
        return [Node(self.open[-1][1] if self.open else "html")]

    def start(self, token, tokenizer):
        name, data = token["name"], token["data"]
        top = self.open[-1] if self.open else None
        if top and not (top[1] == "html" or top[2] or
                        (top[3] and name not in ("mglyph", "malignmark")) or
                        (top[:2] == ("annotation-xml", "math") and name == "svg")):
            if name not in self.BREAKOUT and not (
                    name == "font" and {"color", "face", "size"} & set(data)):
                self.push_foreign(token, top[1])
                return
            self.leave_foreign()
        if name in ("svg", "math"):
            self.push_foreign(token, name)
            return
        if self.open and name not in self.VOID:
            self.open.append((name, "html", False, False))
        if name in self.RCDATA:
            tokenizer.state = tokenizer.rcdataState
        elif name in self.RAWTEXT:
            tokenizer.state = tokenizer.rawtextState
        elif name == "script":
            tokenizer.state = tokenizer.scriptDataState
        elif name == "plaintext":
            tokenizer.state = tokenizer.plaintextState

    def push_foreign(self, token, space):
        name = token["name"]
        if token["selfClosing"]:
            return
        kind = token["data"].get("encoding", "").translate(html5lib.constants.asciiUpper2Lower)
        html_point = (name in ("foreignobject", "desc", "title") if space == "svg" else
                      name == "annotation-xml" and kind in ("text/html", "application/xhtml+xml"))
        self.open.append((name, space, html_point, space == "math" and name in self.MATH_TEXT))

    def leave_foreign(self):
        while self.open and self.open[-1][1] != "html" and not any(self.open[-1][2:]):
            self.open.pop()

    def end(self, name):
        if self.open and self.open[-1][1] != "html" and name in ("p", "br"):
            self.leave_foreign()
        for i in reversed(range(len(self.open))):
            if self.open[i][1] == "html":
                break
            if self.open[i][0] == name:
                del self.open[i:]
                return
        for i in reversed(range(len(self.open))):
            if self.open[i][0] == name:
                del self.open[i:]
                return
            if any(self.open[i][2:]) or self.open[i][:2] == ("annotation-xml", "math"):
                return
        if name in TAGS - self.FOREIGN - self.VOID - {"html", "head", "body"}:
            self.open.clear()


def promised_tokens(text):
    model = PromisedModel()
    tokenizer = RecordingTokenizer(text, parser=model)
    for token in tokenizer:
        if token["type"] == constants.tokenTypes["StartTag"]:
            model.start(token, tokenizer)
        elif token["type"] == constants.tokenTypes["EndTag"]:
            model.end(token["name"])
    return tokenizer.triples


# ---- the pages

def sound(page):
    """The page in UTF-8; charsets are tested elsewhere. html5lib removes a BOM, so do we."""
    try:
        text = page.decode("utf-8")
    except UnicodeDecodeError:
        text = page.decode("latin-1")
    return text.lstrip("\ufeff").encode("utf-8")


def miniweb_pages():
    tar = subprocess.run(["zstd", "-dcq", "--long=27", MINIWEB], stdout=subprocess.PIPE, check=True)
    with tarfile.open(fileobj=io.BytesIO(tar.stdout)) as archive:
        members = sorted((m for m in archive.getmembers() if m.isfile()), key=lambda m: m.name)
        random.Random(SEED).shuffle(members)
        return [(m.name, sound(archive.extractfile(m).read())) for m in members[:REAL_PAGES]]


def sample_pages():
    pages = []
    for year in ("2021", "2023"):
        with open(os.path.join(os.environ["WEBSTRATA_SOURCE"], f"examples/sample/{year}.warc.gz"), "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type == "response" and "html" in record.http_headers.get_header("Content-Type", ""):
                    pages.append((f"{year} {record.rec_headers['WARC-Target-URI']}", sound(record.content_stream().read())))
    random.Random(SEED).shuffle(pages)
    assert len(pages) > 300, f"only {len(pages)} pages in the sample"
    return pages[:REAL_PAGES // 2]


def openbsd_pages():
    with tarfile.open(OPENBSD) as archive:
        return [(m.name, sound(archive.extractfile(m).read())) for m in archive
                if m.isfile() and m.name.lower().endswith((".html", ".htm"))]


NASTY = """<!-- | --> | --!> | <!--> | <!---> | <!----> | <!--!> | <!-- a -- b --> | <!- x> | <!x | <!DOCTYPE html>
<!DOCTYPE a "b>c"> | <? x ?> | </> | </ a> | </1> | < a href=1> | <a href=2 | <a href="3 | <a href='4' href=5>
<a =x href=6> | <a "href=7>b"> | <a href = '8'> | <a href=>9> | <a href=1/0/> | <a/href=11> | <a title=">" href=12>
<A HREF=13> | <a\thref\n=\r\n"14\r\n15\r16"> | <a href="?a=1&copy=2&copy;&copyx&notit;&not;in"> | <a href="&#x41;&#65&#128;&#0;&#xD800;&#x110000;&#;&#x;&">
<a href="&amp;&AMP&lt&gt;&CounterClockwiseContourIntegral;&ngE;"> | <a href="a\0b"> | <a\0 href=17> | <a hr\0ef=18>
<script> | </script> | <script>"<!--<script>" | </script > | </scriptx> | </SCRIPT/> | --></script> | <script src=19><!--
<style> | </style> | <style>a{content:"<a href=20>"}</style> | <title> | </title> | <title><a href=21></title> | </title/x="
<textarea> | </textarea> | <xmp> | </xmp> | <iframe src=22> | </iframe> | <noembed> | </noembed> | <noframes> | </noframes>
<noscript><img src=23></noscript> | <plaintext> | <svg> | </svg> | <svg/> | <svg><title> | <svg><style> | <svg><script>
<svg><a xlink:href=24 href=25> | <svg><foreignObject><title> | <svg><desc><style> | </foreignObject> | <math> | </math>
<math><mi><style> | <math><annotation-xml encoding="text/HTML"><title> | <math><annotation-xml><svg> | <![CDATA[ <a href=26> ]]>
]]> | <svg><![CDATA[<a href=27>]]> | <svg><p> | <svg><font size=1> | <svg><font> | <base href=28> | <frameset> | <frame src=29>
</frameset> | <select> | <option> | </select> | <form action=30> | </form> | <table> | <tr><td background=31> | </table>
<image src=32> | <img src=33 srcset="34 2x"> | <body background=35> | <template> | </template> | " | ' | = | / | > | < | & | \0 | - | ! | \r""".split("\n")
NASTY = [piece.strip(" ").encode().decode("unicode_escape") for line in NASTY
         for piece in line.split(" | ")]
NASTY += [">", "/>", " ", "\n", "<a href=x>", "</a>", "<p>", "</p>", "<b>", "</b>", "<div>", "</div>"]


def mutate(page, rng):
    """A window of a real page, changed randomly a few times."""
    size = rng.choice((200, 600, 1500, 3000))
    start = rng.randrange(max(1, len(page) - size))
    text = bytearray(page[start:start + size])
    for _ in range(rng.choice((1, 2, 4, 8, 16))):
        at = rng.randrange(len(text) + 1)
        action = rng.randrange(6)
        if action < 3:
            text[at:at] = rng.choice(NASTY).encode()
        elif action == 3 and at < len(text):
            text[at] ^= 1 << rng.randrange(8)
        elif action == 4:
            del text[at:at + rng.choice((1, 2, 5, 20))]
        elif at < len(text):
            other = rng.randrange(len(text))
            text[at:at] = text[other:other + rng.choice((1, 5, 40))]
    if rng.random() < 0.2:
        del text[rng.randrange(len(text) + 1):]
    # Characters that XML cannot represent do not concern HTML, but some concern html5lib's input.
    return bytes(text).decode("utf-8", "replace").lstrip("\ufeff").encode("utf-8")


# ---- the comparison

class Tally:
    def __init__(self, name):
        self.name = name
        self.pages = self.both = self.ours = self.theirs = 0
        self.differing_pages = self.modelled_pages = 0
        self.kinds = collections.Counter()
        self.unexplained = []
        self.anchors = 0

    def compare_anchors(self, name, page, anchors):
        """Anchor texts; a block's edge is a space here and nothing in a tree's text."""
        nodes = LexborHTMLParser(page).css("a[href],area[href],frame[src]")
        if len(nodes) != len(anchors):
            return  # cloned or dropped: compare() looks into that
        for node, anchor in zip(nodes, anchors):
            expected = fold(node.text()) if node.tag == "a" else ""
            if expected and expected.replace(" ", "")[:900] != anchor.replace(" ", "")[:900]:
                self.unexplained.append((name, "anchor %r, not %r" % (anchor, expected), page))
            self.anchors += 1

    def compare(self, name, page, triples, always_check_tokens=False):
        links = collections.Counter(t for t in triples if t[1] in LINK_ATTRIBUTES)
        theirs = lexbor_links(page)
        self.pages += 1
        self.ours += sum(links.values())
        self.theirs += sum(theirs.values())
        self.both += sum((links & theirs).values())
        if links != theirs:
            self.differing_pages += 1
        if links != theirs or always_check_tokens:
            self.explain(name, page, triples, links, theirs)

    def explain(self, name, page, triples, links, theirs):
        text = page.decode("utf-8")
        tokens = html5lib_tokens(text)
        if triples != tokens:
            lower = text.lower()
            if triples != promised_tokens(text):
                self.unexplained.append((name, "not what the tokenizer promises", page))
            elif not any("<" + tag in lower for tag in
                         ("select", "frameset", "table", "svg", "math", "template", "noframes")):
                self.unexplained.append((name, "tree construction cannot explain it", page))
            else:
                self.modelled_pages += 1
            return
        for triple, count in (theirs - links).items():
            tag, attribute, value = triple
            if triple in links:
                self.kinds["cloned by tree construction: <%s %s>" % (tag, attribute)] += count
            elif tag == "img" and ("image", attribute, value) in links:
                self.kinds["<image> renamed <img>"] += count
            else:
                self.unexplained.append((name, "only lexbor has %r" % (triple,), page))
        for (tag, attribute, _), count in (links - theirs).items():
            if tag != "image":
                self.kinds["dropped by tree construction: <%s %s>" % (tag, attribute)] += count

    def precision(self):
        return self.both / max(1, self.ours)

    def recall(self):
        return self.both / max(1, self.theirs)

    def show(self):
        print("%s: %d pages, %d links here, %d in lexbor's trees: precision %.6f, recall %.6f" % (
            self.name, self.pages, self.ours, self.theirs, self.precision(), self.recall()))
        if self.anchors:
            print("  %d anchor texts compared" % self.anchors)
        print("  %d pages differ from the tree; raw text decided by tree construction in %d; unexplained %d" % (
            self.differing_pages, self.modelled_pages, len(self.unexplained)))
        for kind, count in self.kinds.most_common(12):
            print("    %6d  %s" % (count, kind))
        for name, why, page in self.unexplained[:5]:
            print("    UNEXPLAINED", name, why)
            kept = os.path.join(os.environ["WEBSTRATA_BUILD"], "html_unexplained.html")
            with open(kept, "wb") as file:
                file.write(page)
            print("      page kept in", kept)


def compare_real(name, pages):
    tally = Tally(name)
    for (page_name, page), (triples, anchors, title) in zip(pages, ours([p for _, p in pages])):
        tally.compare(page_name, page, triples)
        tally.compare_anchors(page_name, page, anchors)
        expected = lexbor_title(page)
        if title != expected:
            tally.unexplained.append((page_name, "title %r, not %r" % (title, expected), page))
    tally.show()
    return tally


def compare_mutated(pages):
    rng = random.Random(SEED)
    print("mutations with seed", SEED)
    sources = [page for _, page in pages if len(page) > 100]
    mutated = [mutate(rng.choice(sources), rng) for _ in range(MUTATED_PAGES)]
    tally = Tally("mutated")
    for i, (page, (triples, _, _)) in enumerate(zip(mutated, ours(mutated))):
        tally.compare("mutation %d" % i, page, triples, always_check_tokens=True)
    tally.show()
    return tally


def main():
    if sys.argv[1:] == ["shared"]:
        for path in (MINIWEB, OPENBSD):
            if not os.path.exists(path):
                skip(f"needs {path}")
        pages = {"miniweb": miniweb_pages(), "openbsd 2006": openbsd_pages()}
    else:
        pages = {"sample": sample_pages()}
    real = [compare_real(name, found) for name, found in pages.items()]
    mutated = compare_mutated([page for found in pages.values() for page in found])
    good = all(t.precision() >= 0.999 and t.recall() >= 0.999 for t in real)
    good = good and not any(t.unexplained for t in real + [mutated])
    print("ok" if good else "FAILED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
