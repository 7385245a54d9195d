# SPDX-License-Identifier: Apache-2.0
"""PyPI's `surt` as a black box for the dialect `pywb`: URLs of the sample, nasty and mutated ones; with the word `shared`,
100,000 real URLs of the crawls in ../shared, and mutated ones.

Only its answers are used; its code (AGPL) was not read. On real URLs every answer must be equal.
On nasty ones every difference must fall under a rule below.
Usage: surt_blackbox_test.py [shared] [mutated urls [seed]]
"""

# Also runs as: shared

import collections
import re
import sys

import oracle
import url_pairs


def sample_urls():
    """The URLs of the sample's pages, and those that its pages name in full."""
    seen = {}
    for pair in url_pairs.sample_pairs(oracle.SOURCE):
        seen.setdefault(pair.base.encode())
        if re.match(rb"(https?|ftp|mailto):", pair.reference):
            seen.setdefault(pair.reference)
    return [url for url in seen if is_text(url)]


def shared_urls(count):
    seen = {}
    for page, links in url_pairs.debweb_pages(oracle.SHARED):
        for url in [page, *links[:6]]:
            seen.setdefault(url.encode("utf-8", "surrogatepass"))
        if len(seen) >= count:
            break
    for pair in url_pairs.openbsd_pairs(oracle.SHARED, 50000):
        if re.match(rb"(https?|ftp|mailto):", pair.reference):
            seen.setdefault(pair.reference)
    return [url for url in seen if is_text(url)]


def nasty_urls(real, count, seed):
    pairs = url_pairs.mutated_pairs([url_pairs.Pair("", url) for url in real[:20000]], count, seed)
    urls = [text.encode() for text in url_pairs.nasty_texts()] + [pair.reference for pair in pairs]
    return [url for url in urls if is_text(url)]


def is_text(url):
    try:
        url.decode()
        return True
    except UnicodeDecodeError:
        return False


def ask_surt(surt, url):
    try:
        return surt.surt(url.decode()).encode()
    except Exception as error:  # an exception also counts as its answer
        return error


# ---- the rules


def authority_of(url):
    text = re.sub(r"[\t\r\n]", "", url.decode().strip(" \t\r\n\f\v"))
    text = re.sub(r"^(https?://)+(?=https?://)", "", text)
    return re.match(r"(?:[a-z][a-z0-9+.-]*:)?/*([^/?#]*)", text, re.I | re.S).group(1)


def surt_raises(url, ours, theirs):
    """surt rejects invalid ports, and some texts that are not URLs, with an exception; we always answer."""
    return isinstance(theirs, Exception)


def international_host(url, ours, theirs):
    """surt's IDNA 2003 (Unicode 3.2) and libidn2's transitional UTS 46 differ on rare characters: right to left next to digits or
    Latin, ignorable ones, empty labels next to others. One of us then escapes the host."""
    return re.search(r"[^\x00-\x7f]|%(25)*[89a-fA-F]", authority_of(url)) is not None


def brackets(url, ours, theirs):
    """surt looks for an address in brackets anywhere in the authority, closed or not."""
    return re.search(r"[][]", authority_of(url)) is not None


def no_host(url, ours, theirs):
    """Texts without a host ("//", "http:/", "http://u@/x"): surt then treats the first segment as the host, or keeps one slash
    more than we do."""
    host = re.sub(r"^.*@|:\d*$", "", authority_of(url))
    return re.sub(r"[.\s]|%2e", "", host, flags=re.I) == ""


def doubled_dots(url, ours, theirs):
    """surt turns "..." in a host into ".." where we leave one dot."""
    return re.search(r"\.\.\.", re.sub("%2e", ".", authority_of(url), flags=re.I)) is not None


def http_like_scheme(url, ours, theirs):
    """surt repairs the slashes of every scheme that begins with "http", such as httpx:, not only of two."""
    return re.match(r"http[a-z0-9+.-]*:", re.sub(r"[\t\r\n]", "", url.decode().strip()), re.I) is not None and (
        re.match(r"https?:", url.decode().strip()) is None)


def doubled_colon(url, ours, theirs):
    """surt accepts two colons, if what follows one of them is empty or a number; we leave such a text as it is."""
    return authority_of(url).count(":") >= 1 and ours == url


RULES = [surt_raises, http_like_scheme, doubled_colon, brackets, international_host, no_host, doubled_dots]


def compare(surt, urls, rules):
    counts = collections.Counter()
    unexplained = []
    for url, ours in zip(urls, oracle.fold("pywb", urls), strict=True):
        theirs = ask_surt(surt, url)
        if ours == theirs:
            counts["equal"] += 1
            continue
        reason = next((rule.__name__ for rule in rules if rule(url, ours, theirs)), "UNEXPLAINED")
        counts[reason] += 1
        if reason == "UNEXPLAINED":
            unexplained.append((url, ours, theirs))
    for reason, count in counts.most_common():
        print(f"{count:8} {reason}")
    for url, ours, theirs in unexplained[:25]:
        print(f"{url!r}\n  ours {ours!r}\n  surt {theirs!r}")
    return len(unexplained)


def main():
    try:
        import surt
    except ImportError:
        oracle.skip("no Python package surt")
    words = sys.argv[1:]
    shared = words[:1] == ["shared"]
    if shared:
        oracle.need_shared()
    count, seed = [*map(int, words[shared:]), *(20000, 20260816)[len(words) - shared:]]

    real = shared_urls(110000) if shared else sample_urls()
    print(f"real URLs: {len(real)}")
    failures = compare(surt, real, [])
    nasty = nasty_urls(real, count, seed)
    print(f"nasty and mutated URLs: {len(nasty)} (seed {seed})")
    failures += compare(surt, nasty, RULES)
    print(f"{len(real) + len(nasty)} URLs, {failures} unexplained differences")
    return 1 if failures or len(real) < (100000 if shared else 1000) else 0


if __name__ == "__main__":
    sys.exit(main())
