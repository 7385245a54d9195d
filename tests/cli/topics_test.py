# SPDX-License-Identifier: Apache-2.0
"""Topics from the text of captures to the columns of an archive, as a user sees them."""

import collections
import json
import math
import os
import random
import re
import sys
import tempfile
import unicodedata
from pathlib import Path

from running import SAMPLE, expect, expect_one_line, run, run_tests, skip

# Also runs as: shared

STROKES = str.maketrans("øłđħŧı", "oldhti")


def fold(text):
    """Case and accents folded, by Python's own tables; for Latin letters alone."""
    plain = unicodedata.normalize("NFKD", text).casefold().translate(STROKES)
    plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return re.sub(r"\s+", " ", plain)


def count(words, text):
    return sum(len(re.findall(rf"(?<!\w){re.escape(fold(word))}(?!\w)", fold(text))) for word in words)


def f(x):
    return 1 + math.log(x) if x > 0 else 0


def ok(*arguments):
    code, out, errors = run(*arguments)
    expect(code == 0, f"{arguments}: exit {code}: {errors}")
    return out


def write_lines(path, captures):
    path.write_text("".join(json.dumps(capture) + "\n" for capture in captures))
    return path


def topic_file(folder, words, name="bridges", head=""):
    path = folder / f"{name}.topic"
    path.write_text(head + "".join(f"{word}\n" for word in words))
    return path


def random_crawl(seed, size=30, year=2010):
    """Pages whose text and links hold some words of a topic; some are captured twice."""
    draw = random.Random(seed)
    words = ["bridge", "Brücke", "PONT neuf", "river", "Cambridge", "bridges", "pont", "the", "of", "a-bridge"]
    captures = []
    for i in range(size):
        text = " ".join(draw.choice(words) for _ in range(draw.randrange(60)))
        links = []
        for _ in range(draw.randrange(6)):
            link = {"url": f"http://s.example/{draw.randrange(size)}", "text": draw.choice(words)}
            if draw.random() < 0.8:
                link["context"] = f"{draw.choice(words)} {link['text']} {draw.choice(words)}"
            links.append(link)
        captures.append({"url": f"http://s.example/{draw.randrange(size)}", "ts": f"{year}0101{i:06}", "text": text, "links": links})
    return captures


def expected(captures, words):
    """The latest capture of a page counts; of a link the latest that has it, all its windows together."""
    pages, links = {}, {}
    for capture in sorted(captures, key=lambda c: c["ts"]):
        pages[capture["url"]] = f(count(words, capture["text"]))
        found = collections.Counter()
        for link in capture["links"]:
            found[link["url"]] += count(words, link.get("context", link["text"]))
        for target, times in found.items():
            links[capture["url"], target] = f(times)
    return pages, links


def close(a, b):
    return a.keys() == b.keys() and all(abs(a[k] - b[k]) < 1e-9 for k in a)


def saved(lib, name):
    """The columns of an archive, through `export --as scores`."""
    pages, links = {}, {}
    for line in ok("export", lib, "--as", "scores", "--name", name).splitlines():
        *names, score = line.split("\t")
        if len(names) == 1:
            pages[names[0]] = float(score)
        else:
            links[tuple(names)] = float(score)
    return pages, links


def scores_of(files, topic, *flags):
    pages, links = {}, {}
    for line in ok("extract", "-q", *files, "--topic", topic, "--as", "scores", *flags).splitlines():
        url, score = line.split("\t")
        pages[url] = float(score)
    for line in ok("extract", "-q", *files, "--topic", topic, "--as", "link-scores", *flags).splitlines():
        source, target, score = line.split("\t")
        links[source, target] = float(score)
    return pages, links


def test_extract_scores_as_python_counts(folder):
    words = ["bridge", "Pont", "brucke"]
    for seed in range(3):
        captures = random_crawl(seed)
        crawl = write_lines(folder / f"{seed}.jsonl", captures)
        pages, links = expected(captures, words)
        found = scores_of([crawl], topic_file(folder, words))
        expect(close(found[0], pages), f"seed {seed}: pages {found[0]} {pages}")
        expect(close(found[1], links), f"seed {seed}: links")


def test_json_lines_carry_scores(folder):
    capture = {"url": "http://a.example/", "ts": "20100101", "text": "A bridge. Bridge!",
               "links": [{"url": "b", "text": "the bridge", "context": "over the bridge we go"}, {"url": "c", "text": "no"}]}
    crawl = write_lines(folder / "a.jsonl", [capture, {"url": "http://d.example/", "ts": "20100101", "links": []}])
    lines = [json.loads(line) for line in ok("extract", "-q", crawl, "--topic", topic_file(folder, ["bridge"])).splitlines()]
    expect(abs(lines[0]["topics"]["bridges"] - f(2)) < 1e-12, lines[0])
    expect([link["topics"]["bridges"] for link in lines[0]["links"]] == [1, 0], lines[0])
    expect("text" not in lines[0], "the text is printed though nobody asked for it")
    expect("topics" not in lines[1], "a page without text has a score")


def test_anchor_text_alone(folder):
    capture = {"url": "http://a.example/", "ts": "20100101", "text": "",
               "links": [{"url": "b", "text": "here", "context": "the bridge is here"}, {"url": "c", "text": "bridge"}]}
    crawl = write_lines(folder / "a.jsonl", [capture])
    topic = topic_file(folder, ["bridge"])
    links = scores_of([crawl], topic, "--link-window", "anchor")[1]
    expect(sorted(links.values()) == [0, 1] and links["http://a.example/", "http://a.example/c"] == 1, links)
    expect(sorted(scores_of([crawl], topic)[1].values()) == [1, 1], "the window is not looked at")


def test_archives_keep_scores_whatever_the_order(folder):
    words = ["bridge", "pont", "brücke"]
    topic = topic_file(folder, words)
    old, new = random_crawl(7, year=2010), random_crawl(8, year=2012)
    first, second = write_lines(folder / "old.jsonl", old), write_lines(folder / "new.jsonl", new)
    pages, links = expected(old + new, words)
    for name, batches in {"one": [[first, second]], "forth": [[first], [second]], "back": [[second], [first]]}.items():
        lib = folder / f"{name}.ws"
        ok("build", "-q", lib, *batches[0], "--topic", topic)
        for batch in batches[1:]:
            ok("update", "-q", lib, *batch, "--topic", topic)
        found = saved(lib, "bridges")
        expect(close(found[0], pages), f"{name}: pages")
        expect(close(found[1], links), f"{name}: links")
        expect("scores      bridges (pages and links)" in ok("info", lib), "info does not list the topic")
        expect(json.loads(ok("info", lib, "--json"))["link_scores"] == ["bridges"], "info --json does not")
        ok("verify", lib)


def test_an_update_without_topic_leaves_new_pages_without(folder):
    topic = topic_file(folder, ["bridge"])
    old, new = random_crawl(1), [{"url": "http://n.example/", "ts": "2013", "text": "bridge", "links": []}]
    lib = folder / "lib.ws"
    ok("build", "-q", lib, write_lines(folder / "old.jsonl", old), "--topic", topic)
    before = saved(lib, "bridges")
    ok("update", "-q", lib, write_lines(folder / "new.jsonl", new))
    expect(saved(lib, "bridges") == before, "scores changed")


def test_several_topics_at_once(folder):
    captures = random_crawl(4)
    crawl = write_lines(folder / "a.jsonl", captures)
    lib = folder / "lib.ws"
    ok("build", "-q", lib, crawl, "--topic", topic_file(folder, ["bridge"], "one"), "--topic", topic_file(folder, ["river"], "two"))
    expect(close(saved(lib, "one")[0], expected(captures, ["bridge"])[0]), "one")
    expect(close(saved(lib, "two")[0], expected(captures, ["river"])[0]), "two")


def test_tf_idf_by_hand(folder):
    texts = ["bridge bridge arch", "bridge", "nothing"]
    captures = [{"url": f"http://a.example/{i}", "ts": "20100101", "text": text, "links": []} for i, text in enumerate(texts)]
    topic = topic_file(folder, ["bridge", "arch"], head="@weigh tf-idf\n")
    crawl = write_lines(folder / "a.jsonl", captures)
    idf = {"bridge": 1 + math.log(4 / 3), "arch": 1 + math.log(4 / 2)}
    hand = [f(2) * idf["bridge"] + idf["arch"], idf["bridge"], 0]
    pages = scores_of([crawl], topic)[0]
    expect(all(abs(pages[f"http://a.example/{i}"] - hand[i]) < 1e-9 for i in range(3)), pages)
    code, _, errors = run("extract", "-q", "-", "--topic", topic, input=crawl.read_bytes())
    expect(code == 2, "standard input was read twice")
    expect_one_line(errors, "standard input")
    # An update continues counting: six captures, bridge in four, arch in two.
    lib = folder / "lib.ws"
    ok("build", "-q", lib, crawl, "--topic", topic)
    more = [dict(capture, url=capture["url"] + "x") for capture in captures]
    ok("update", "-q", lib, write_lines(folder / "b.jsonl", more), "--topic", topic)
    later = f(2) * (1 + math.log(7 / 5)) + 1 + math.log(7 / 3)
    pages = saved(lib, "bridges")[0]
    expect(abs(pages["http://a.example/0"] - hand[0]) < 1e-9 and abs(pages["http://a.example/0x"] - later) < 1e-9, pages)


def test_threads_do_not_matter(folder):
    topic = topic_file(folder, ["documentation", "debian"])
    crawl = sorted(SAMPLE.glob("*.warc.gz"))
    one = ok("extract", "-q", *crawl, "--topic", topic, "--threads", "1")
    expect(one == ok("extract", "-q", *crawl, "--topic", topic, "--threads", "4"), "threads matter")
    expect('"topics"' in one, "no page of the sample has a score")


def test_what_is_refused(folder):
    crawl = write_lines(folder / "a.jsonl", random_crawl(1))
    lib = folder / "lib.ws"

    def refused(*arguments, says):
        code, out, errors = run(*arguments)
        expect(code == 2 and out == "", f"{arguments}: exit {code}, wrote {out!r}")
        expect_one_line(errors, *says)

    refused("build", lib, crawl, "--topic", folder / "none.topic", says=["none.topic"])
    expect(not lib.exists(), "a mistake in a topic left an archive behind")
    refused("build", lib, crawl, "--topic", topic_file(folder, [], "empty"), says=["empty.topic", "no keyword"])
    refused("build", lib, crawl, "--topic", topic_file(folder, ["a", "Á"], "twice"), says=["line 2", "line 1"])
    refused("extract", crawl, "--as", "scores", says=["--topic"])
    refused("extract", crawl, "--as", "tsv", "--topic", topic_file(folder, ["a"], "t"), says=["tsv"])
    ok("build", "-q", lib, crawl, "--topic", topic_file(folder, ["bridge"]))
    refused("update", "-q", lib, crawl, "--topic", topic_file(folder, ["river"]), says=["bridges", "other keywords"])
    refused("export", lib, "--as", "scores", "--name", "nope", says=["nope", "bridges"])


def shared_schools_wiki_against_python(folder):
    """The prototype's data: counts of whole words by a regular expression."""
    path = Path(os.environ["WEBSTRATA_SHARED"]) / "data" / "schools-wiki" / "captures.2007.jsonl.zst"
    if not path.exists():
        skip(f"needs {path}")
    import subprocess
    lines = subprocess.run(["zstd", "-dc", "--long=27", path], stdout=subprocess.PIPE, check=True).stdout.splitlines()[:300]
    captures = [json.loads(line) for line in lines]
    crawl = folder / "wiki.jsonl"
    crawl.write_bytes(b"\n".join(lines) + b"\n")
    for word in ("bridge", "france", "war"):
        pages = scores_of([crawl], topic_file(folder, [word]))[0]
        for capture in captures:
            expect(abs(pages[capture["url"]] - f(count([word], capture["text"]))) < 1e-9, f"{word}: {capture['url']}")


def main():
    if sys.argv[1:] == ["shared"]:
        with tempfile.TemporaryDirectory() as folder:
            shared_schools_wiki_against_python(Path(folder))
        return 0
    return run_tests(dict(globals()), folder=tempfile.TemporaryDirectory)


if __name__ == "__main__":
    sys.exit(main())
