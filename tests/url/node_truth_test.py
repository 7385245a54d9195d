# SPDX-License-Identifier: Apache-2.0
"""Node's URL as truth: (base, reference) pairs of the sample, nasty ones and mutated ones, fragment and userinfo removed;
with the word `shared`, over 100,000 of the crawls in ../shared.

Every difference must fall under one of the rules below; one that does not fails the test.
Usage: node_truth_test.py [shared] [mutated pairs [seed]]
"""

# Also runs as: shared

import collections
import ctypes
import json
import re
import shutil
import subprocess
import sys
import unicodedata

import oracle
import url_pairs

WEB = ("http:", "https:", "ftp:")


def as_node_text(reference):
    """JavaScript has no bytes: what is not UTF-8 is percent-encoded as it is, which is our rule too."""
    try:
        return reference.decode()
    except UnicodeDecodeError:
        return "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in reference)


def ask_node(pairs):
    text = "".join(json.dumps([pair.base, as_node_text(pair.reference)]) + "\n" for pair in pairs)
    script = oracle.SOURCE / "tests" / "url" / "node_truth.js"
    answer = subprocess.run(["node", script], input=text.encode(), stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in answer.stdout.decode().splitlines()]


# ---- the rules


def other_scheme_expected(reference):
    """What url.h promises for other schemes: hardly changed."""
    text = reference.strip(bytes(range(0x21)))
    text = bytes(byte for byte in text if byte not in b"\t\n\r").split(b"#")[0]
    match = re.match(rb"[A-Za-z][A-Za-z0-9+.-]*:", text)
    if not match or match.group().lower().decode() in WEB:
        return None
    rest = text[match.end() :]
    return match.group().lower().decode() + "".join(
        chr(byte) if 0x21 <= byte <= 0x7E else f"%{byte:02X}" for byte in rest
    )


def caret(pair, ours, node):
    """The standard percent-encodes ^ in paths since March 2025; Node 20 is older."""
    if node is None:
        return False
    path, mark, query = node["href"].partition("?")
    return ours == path.replace("^", "%5E") + mark + query


def unicode_labels(host):
    for label in host.split("."):
        if label.startswith("xn--"):
            try:
                yield label[4:].encode().decode("punycode")
            except UnicodeError:
                yield ""


def bidi_rule(pair, ours, node):
    """RFC 5893: a label that begins left to right may contain no right-to-left letter. Node accepts it."""
    if ours != "-" or node is None:
        return False
    directions = [[unicodedata.bidirectional(c) for c in label] for label in unicode_labels(node["host"])]
    return any(label and label[0] not in ("R", "AL") and {"R", "AL", "AN"} & set(label) for label in directions)


def odd_punycode(pair, ours, node):
    """Punycode that encodes plain ASCII (xn--fa-), or that no encoder writes (xn---zca for xn--zca), is rejected by UTS 46 since
    2023. Node 20 accepts it."""
    if ours != "-" or node is None:
        return False
    ace = [label for label in node["host"].split(".") if label.startswith("xn--")]
    again = ["xn--" + label.encode("punycode").decode() for label in unicode_labels(node["host"])]
    return ace != again or any(label.endswith("-") for label in ace)


def overlay_beside_symbol(pair, ours, node):
    """libidn2 rejects symbols; we use placeholders for them, but not next to U+0338, which composes with some."""
    text = as_node_text(pair.reference)
    return ours == "-" and node is not None and "\u0338" in unicodedata.normalize("NFD", text)


def long_label(pair, ours, node):
    """libidn2 refuses labels whose ASCII form is longer than DNS allows."""
    return ours == "-" and node is not None and any(
        label.startswith("xn--") and len(label) > 63 for label in node["host"].split("."))


def outside_idna_2008(pair, ours, node):
    """libidn2 refuses what IDNA 2008 refuses, though UTS 46 allows it. Our placeholders (idna.cpp) allow arrows, signs and emoji,
    and ASCII punctuation unless the label runs from right to left; what is left are rare signs and numbers, such as U+00A3 or
    U+0D5C, and the old Hangul letters."""
    if ours != "-" or node is None:
        return False
    letters = ("Ll", "Lm", "Lo", "Mn", "Mc", "Nd")
    for label in unicode_labels(node["host"]):
        categories = [unicodedata.category(character) for character in label if ord(character) >= 0x80]
        runs_right_to_left = unicodedata.bidirectional(label[:1]) in ("R", "AL") if label else False
        if any(category not in letters for category in categories) or re.search("[\u1100-\u11ff]", label):
            return True
        if runs_right_to_left and re.search(r"[^a-z0-9\u0080-\U0010ffff-]", label):
            return True
    return False


IDN2_NFC_INPUT, IDN2_NONTRANSITIONAL, IDN2_UNASSIGNED = 1, 8, -309


def young_character(pair, ours, node):
    """libidn2's tables are older than Node's: it says itself that it does not know the character."""
    if ours != "-" or node is None:
        return False
    library = ctypes.CDLL("libidn2.so.0")
    result = ctypes.c_void_p()
    flags = IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL
    return any(
        library.idn2_lookup_u8(label.encode(), ctypes.byref(result), flags) == IDN2_UNASSIGNED
        for label in unicode_labels(node["host"]))


def symbol_to_come(pair, ours, node):
    """We accept whole symbol blocks, so that a host keeps its name when Unicode fills their gaps; Node accepts what its version
    defines."""
    if node is not None or ours == "-":
        return False
    host = re.match(r"[a-z]+://([^/:]*)", ours).group(1)
    return any(0x1F000 <= ord(character) <= 0x1FAFF for label in unicode_labels(host) for character in label)


def node_disowns(pair, ours, node):
    """A label such as "𝒳n--a" is mapped to "xn--a", which must then be valid: Node does not check, but rejects its own answer
    when it is parsed again."""
    return ours == "-" and node is not None and not node["stands"]


def dots_left_in_path(pair, ours, node):
    """Node 20 overlooks dot segments after a segment that merely begins with a dot ("/.a/../b")."""
    if node is None or ours == "-":
        return False
    start = node["href"].index("/", node["href"].index("//") + 2)
    path, mark, query = node["href"][start:].partition("?")
    kept = []
    segments = path.split("/")[1:]
    for position, segment in enumerate(segments):
        dots = re.sub("%2e", ".", segment, flags=re.I)
        is_last = position == len(segments) - 1
        if dots == "..":
            kept = kept[:-1] + ([""] if is_last else [])
        elif dots == ".":
            kept += [""] if is_last else []
        else:
            kept.append(segment)
    return ours == (node["href"][:start] + "/" + "/".join(kept)).replace("^", "%5E") + mark + query


RULES = [caret, bidi_rule, odd_punycode, overlay_beside_symbol, long_label, outside_idna_2008,
         node_disowns, dots_left_in_path, young_character, symbol_to_come]


def explanation(pair, ours, node):
    other = other_scheme_expected(pair.reference)
    if other is not None:
        return "other scheme, kept verbatim" if ours == other else None
    for rule in RULES:
        if rule(pair, ours, node):
            return rule.__name__
    return None


# ---- the story


def gather(shared, mutated_count, seed):
    if shared:
        debweb, openbsd = url_pairs.debweb_pairs(oracle.SHARED, 60000), url_pairs.openbsd_pairs(oracle.SHARED, 50000)
        real, sources, needed = debweb + openbsd, debweb[:20000] + openbsd[:20000], 100000
    else:
        sources = url_pairs.sample_pairs(oracle.SOURCE)
        real, needed = sources + url_pairs.nasty_pairs(), 10000
    mutated = url_pairs.mutated_pairs(sources, mutated_count, seed)
    print(f"pairs: real and nasty {len(real)}, mutated {len(mutated)} (seed {seed})")
    assert len(real) >= needed, f"only {len(real)} pairs"
    return real + mutated


def main():
    if shutil.which("node") is None:
        oracle.skip("no node on this machine")
    words = sys.argv[1:]
    shared = words[:1] == ["shared"]
    if shared:
        oracle.need_shared()
    mutated_count, seed = [*map(int, words[shared:]), *(30000, 20260816)[len(words) - shared:]]

    pairs = gather(shared, mutated_count, seed)
    counts = collections.Counter()
    unexplained = []
    for pair, ours, node in zip(pairs, oracle.resolve(pairs), ask_node(pairs), strict=True):
        theirs = "-" if node is None else node["href"]
        if ours == theirs:
            counts["equal, both fail" if ours == "-" else "equal"] += 1
            continue
        reason = explanation(pair, ours, node)
        counts[reason or "UNEXPLAINED"] += 1
        if reason is None:
            unexplained.append((pair, ours, theirs))
    for reason, count in counts.most_common():
        print(f"{count:8} {reason}")
    for pair, ours, theirs in unexplained[:30]:
        print(f"base {pair.base!r} reference {pair.reference!r}\n  ours {ours}\n  node {theirs}")
    print(f"{len(pairs)} pairs, {len(unexplained)} unexplained differences")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
