# SPDX-License-Identifier: Apache-2.0
"""(base, reference) pairs for the URL tests: real ones from the sample and from ../shared/data, and nasty ones.

A reference is bytes, as a page holds it; a base is text. Everything is a function of the seed.
"""

import collections
import gzip
import io
import json
import random
import re
import subprocess
import tarfile
from urllib.parse import urlsplit

Pair = collections.namedtuple("Pair", "base reference")


def relative_to(base, url):
    """How a page at `base` might write `url`, or the URL itself."""
    here, there = urlsplit(base), urlsplit(url)
    if (here.scheme, here.netloc) != (there.scheme, there.netloc):
        return url
    here_parts, there_parts = here.path.split("/")[:-1], there.path.split("/")
    common = 0
    while common < min(len(here_parts), len(there_parts) - 1) and here_parts[common] == there_parts[common]:
        common += 1
    path = "../" * (len(here_parts) - common) + "/".join(there_parts[common:])
    return path + ("?" + there.query if there.query else "") or "./"


def debweb_pages(shared):
    """Yields (page URL, [link URLs]) of both releases."""
    for release in ("bullseye", "bookworm"):
        path = shared / "data" / "debweb" / f"captures.{release}.jsonl.zst"
        unpack = subprocess.Popen(["zstd", "-dcq", "--long=27", str(path)], stdout=subprocess.PIPE)
        for line in io.TextIOWrapper(unpack.stdout, encoding="utf-8"):
            page = json.loads(line)
            yield page["url"], [link["url"] for link in page["links"]]
        unpack.wait()


def debweb_pairs(shared, count):
    """Every page gives a few of its links, alternately absolute and relative."""
    pairs = []
    for number, (page, links) in enumerate(debweb_pages(shared)):
        if number % 4 != 0:
            continue
        pairs.append(Pair("", page.encode()))
        for position in range(number % 3, min(len(links), 12), 3):
            link = links[position]
            text = relative_to(page, link) if position % 2 else link
            pairs.append(Pair(page, text.encode("utf-8", "surrogatepass")))
        if len(pairs) >= count:
            break
    return pairs


HREF = re.compile(rb"""\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I)


def openbsd_pairs(shared, count):
    """Raw attribute values of a site of 2006, at the address of each page."""
    pairs = []
    path = shared / "data" / "openbsd-www" / "html_20060101.tar.gz"
    with tarfile.open(path) as archive:
        for member in archive:
            if not member.isfile() or not member.name.endswith((".html", ".htm")):
                continue
            base = "http://www.openbsd.org/" + member.name.removeprefix("./")
            for groups in HREF.findall(archive.extractfile(member).read()):
                pairs.append(Pair(base, groups[0] or groups[1] or groups[2]))
                if len(pairs) >= count:
                    return pairs
    return pairs


def sample_pairs(source):
    """Raw attribute values of the sample crawls, at the address of each page."""
    seen = {}
    for path in sorted((source / "examples" / "sample").glob("*.warc.gz")):
        base = ""
        for record in gzip.open(path).read().split(b"WARC/1.")[1:]:
            base = re.search(rb"^WARC-Target-URI: *<?([^\r\n>]*)", record, re.M)
            if base and b"\nWARC-Type: response" in record:
                for groups in HREF.findall(record):
                    seen.setdefault(Pair(base[1].decode(), groups[0] or groups[1] or groups[2]))
    return list(seen)


NASTY_BASES = [
    "http://example.org/a/b/c?q=1", "https://example.org/", "ftp://files.example.org:2121/pub/",
    "http://[2001:db8::1]:8080/x/y", "http://192.0.2.7/%7Euser/index.html", "https://xn--bcher-kva.example/ü/ß",
]

NASTY_REFERENCES = """
|.|..|./|../|../..|../../|../../../../x|./.|./..|a/./b|a/../b|a/b/..|a/b/.|/..|/../x|/./x|//|///|////x
%2e|%2E|.%2e|%2e%2E/x|a/%2e%2e/b|%2e%2e%2f|..%2fx|.%2|%2|%|%zz|%e|a%|%%|%2525
?|?x|?x?y|??|?#|#|#x|#?|x#y#z|x?y#z|?a b|?a'b|?a"b|?<>|?`{}|?^|?|\\|?ü|?%zz|?[]|?a\tb
a b|a"b|a<b>c|a`b|a{b}c|a^b|a|b|a[b]c|a'b|a;b|a:b|a@b|a,b|a!b|a*b|a(b)|a$b|a&b=c|a+b|~a|a\x7fb|a\x01b|\x00a|a\x00
\\x|\\\\x|\\/x|/\\x|a\\b|a\\..\\b|..\\x|http:\\\\h\\p|http:/\\h|\\..|.\\.
http:|http:/|http://|http:///|http:x|http:/x|http:///x|http:////x/y|https:x|https:/x|HTTP://X|hTTps:\\x|ftp:x|ftp:/x|ftp://x
http:?x|http:#x|http://?x|http://#x|http://x?y|http://x#y|http://x/?|http://x?|http://x/#
http://u@x|http://u:p@x|http://@x|http://:@x|http://u@|http://u@/x|http://a@b@c/|http://a:b:c@d|http://u\\@x|http://u?@x|//u:p@x/y
http://x:|http://x:80|http://x:080|http://x:443|https://x:443|https://x:80|ftp://x:21|http://x:0|http://x:65535|http://x:65536|http://x:99999999999|http://x:a|http://x:8a|http://x:-1|http://x: 80|http://x:80:80|http://:80|http://x:00000000080/
http://1|http://1.2|http://1.2.3|http://1.2.3.4|http://1.2.3.4.|http://1.2.3.4.5|http://1.2.3.4..|http://256|http://4294967295|http://4294967296|http://1.256|http://1.16777216|http://1.2.65536|http://1.2.3.256|http://256.1.1.1
http://0x7f.1|http://0X7F.0x1|http://0x|http://0x.0x.0|http://0xg|http://0x1g|http://010.1|http://08|http://09.1|http://1.08|http://0|http://00|http://00000000000000000000001|http://0x00000000000000000001|http://1e3|http://1.e|http://a.1|http://a.0x1|http://a.0xz|http://1.a|http://.1|http://1..|http://1..2|http://%31.%32|http://１.２.３.４|http://0xffffffff|http://0x100000000|http://037777777777
http://[::]|http://[::1]|http://[1::]|http://[::1]x|http://[::1|http://::1]|http://[]|http://[:]|http://[:::]|http://[1:2:3:4:5:6:7:8]|http://[1:2:3:4:5:6:7::]|http://[::2:3:4:5:6:7:8]|http://[1::2::3]|http://[1:2:3:4:5:6:7]|http://[1:2:3:4:5:6:7:8:9]|http://[12345::]|http://[g::]|http://[::1.2.3.4]|http://[::ffff:192.0.2.1]|http://[::1.2.3]|http://[::1.2.3.4.5]|http://[::01.2.3.4]|http://[::256.2.3.4]|http://[1.2.3.4]|http://[1:2:3:4:5:6:1.2.3.4]|http://[1:2:3:4:5:6:7:1.2.3.4]|http://[::1.2.3.4:5]|http://[0:0:0:1:0:0:0:0]|http://[1:0:0:2:0:0:0:3]|http://[0:1:0:1:0:1:0:1]|http://[::A:B]|http://[::1]:80|http://[::1]:81/|http://[::1%eth0]|http://[::%31]|http://[v1.x]|http://[1:]|http://[:1]|http://[1::2:]|http://[1:2:3:4:5:6::7:8]
http://EXAMPLE|http://ex%41mple|http://a%2eb|http://a%00b|http://a%20b|http://a b|http://a<b|http://a>b|http://a^b|http://a|b|http://a%7cb|http://a%25b|http://a%b|http://a%zz|http://%ff|http://%c3%bc|http://%C3|http://a_b|http://a!b|http://a,b|http://a)b|http://a(b|http://a*b|http://a+b|http://a;b|http://a=b|http://a&b|http://a$b|http://a'b|http://a"b|http://a`b|http://a{b}|http://a~b|http://-a-|http://a--b|http://ab--c|http://.|http://..|http://.a|http://a.|http://a..|http://a..b|http://a%2Fb|http://a%3ab|http://a%40b|http://a%5bb|http://a%09b|http://a\tb|http://%61\n%62
http://ü|http://Ü|http://faß.de|http://ﬁ|http://ＧＯ.com|http://日本語。jp|http://a｡b|http://a．b|http://xn--|http://xn--a|http://xn--bcher-kva|http://XN--BCHER-KVA|http://xn--zca|http://xn--ls8h|http://☃.net|http://i❤.ws|http://💩.la|http://a\u00adb|http://\u00ad|http://a\u200cb|http://a\u200db|http://क्\u200dष|http://א|http://אa|http://1א|http://א1|http://العربية|http://\u0301a|http://·|http://l·l|http://々|http://ß|http://ẞ|http://ſ|http://K|http://℀|http://≠|http://=\u0338|http://\ufffd|http://\ufeffa|http://a\u2060b|http://⒈|http://Ⅷ|http://①|http://xn--ü|http://ü.xn--|http://xn--iñvalid|http://ü-|http://-ü|http://ab--ü|http://ü!|http://ü_|http://ü b|http://ü%20|http://ü:8|http://ü.1|http://1.ü|http://ａ..ｂ|http://xn--fa-hia|http://xn--FA-HIA.de|http://xn--n3h|http://𝒳𝓃--bcher-kva|http://x\u00adn--a|http://ς|http://Σ|http://İ|http://ı|http://ΐ|http://U\u0308|http://各|http://\ud55c\uae00|http://กขค
mailto:a@b|mailto:a b|MAILTO:x|javascript:alert('x#y')|JavaScript:void(0)|data:text/html,<b>x</b>|data:,a b|tel:+1|file:///etc|file:c:\\x|file:x|ws://x/|wss:x|about:blank|blob:http://x/|foo://bar baz/|foo:|foo:?x|foo:x?y#z|x-y.z+1:q|urn:a:b|gopher://x/|news:a|1a:b|a%3ab|-a:b|+a:b|a b:c|:|:x|:80|a:|é:x|view-source:http://x|foo:a\u00fcb|foo:a\tb|irc://x:6667/#y
 x|x |\tx\t|\x01x\x02|  http://x  |ht\ttp://x|h\nttp://x|http:/\n/x|/\t/x|.\t.|%\n2e|a\rb|\u00a0x|\u3000x|\ufeffx|//x\t:8\t0/
//x|//x/y|//x:1|//|//?x|//[::1]|//a b|//ü|//u@x|///x///y|/x//y|x//y|x///..|/x//../y|//x//..|;a|?a;b|a;b=c/../d|a?b/../c|a?b\\c|a#b\\c|./a:b|a:b:c|./:|../:x|a/b:c
ü|ü/ß|%C3%BC|%c3%bc|日本|😀|a\u0301|\u202e|?😀|#😀|\u0080|\u00ff|?\u00ff|/\u2028
""".strip("\n")


def nasty_texts():
    texts = [""]
    for line in NASTY_REFERENCES.split("\n"):
        # "a|b" must be a text of its own: a doubled bar is a bar.
        texts += line.replace("||", "\0").split("|")
    unescape = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[tnr\\])")
    plain = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}

    def expand(match):
        body = match.group(1)
        return plain[body] if body in plain else chr(int(body[1:], 16))

    def whole(text):  # join surrogate pairs
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    return [whole(unescape.sub(expand, text.replace("\0", "|"))) for text in texts] + ["a|b", "?|", "http://a|b"]


def nasty_pairs():
    return [Pair(base, text.encode()) for text in nasty_texts() for base in ["", *NASTY_BASES]]


SPICE = list("/\\?#@:%.[]&=;,!*'\"<>^`{}|~_-+$() \t\n\r\x00\x01\x1f\x7fabcxyz0189AZ") + [
    "..", "//", "%2e", "%2E", "%2F", "%00", "%ff", "%C3%BC", "xn--", "ü", "ß", "日", "😀", "\u200d", "\u00ad", "。",
    "http:", "https://", "ftp:", "0x", "127.1", "[::1]", ":80", "../", "./", "é", "A\u030a", "א",
]


def mutated(text, chance):
    pieces = list(text)
    for _ in range(chance.randint(1, 4)):
        where = chance.randint(0, len(pieces))
        act = chance.random()
        if act < 0.5:
            pieces.insert(where, chance.choice(SPICE))
        elif act < 0.75 and pieces:
            del pieces[where - 1 : where + chance.randint(0, 2)]
        elif pieces:
            pieces[where - 1] = chance.choice(SPICE)
    return "".join(pieces)


def mutated_pairs(sources, count, seed):
    """Nasty and real texts with a few characters changed."""
    chance = random.Random(seed)
    nasty = nasty_texts()
    real = [pair.reference.decode("utf-8", "ignore") for pair in sources]
    pairs = []
    for _ in range(count):
        text = chance.choice(nasty if not real or chance.random() < 0.6 else real)
        if chance.random() < 0.3:
            text = chance.choice(("http://", "https://", "//", "ftp://")) + text
        pairs.append(Pair(chance.choice(["", *NASTY_BASES]), mutated(text, chance).encode("utf-8", "replace")))
    return pairs
