# SPDX-License-Identifier: Apache-2.0
"""webstrata seeds as a user runs it: on the sample crawls, on graph files, and with words that make no sense."""

import csv
import json
import re
import sys
from pathlib import Path

from archives import temporary_folder, write
from running import SAMPLE, expect, run, run_tests

METHODS = ["pandora", "cores", "maxout", "outdegree", "pagerank", "random"]


class Library:
    """The two sample crawls in one archive."""

    def __init__(self, folder):
        self.archive = Path(folder) / "lib.ws"
        write("build", self.archive, SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
        self.old = f"{self.archive}@2021"
        self.newer = f"{self.archive}@2023.."
        self.folder = Path(folder)


def seeds(*arguments):
    code, out, errors = run("seeds", "--quiet", *arguments)
    expect(code == 0, f"{arguments}: {errors}")
    return out


def seeds_json(*arguments):
    return json.loads(seeds(*arguments, "--json"))


def expect_refused(words, *arguments):
    code, out, errors = run("seeds", *arguments)
    expect(code == 2 and not out, f"{arguments}: exit {code}, {out}")
    expect(errors.count("\n") == 1 and words in errors, f"{arguments}: {errors}")


def test_every_method_gives_pages_of_the_archive(library):
    for method in METHODS:
        urls = seeds(library.old, "--by", method, "--count", 3).splitlines()
        expect(len(urls) == 3 and len(set(urls)) == 3, f"{method}: {urls}")
        for url in urls:
            expect(run("captures", library.archive, url)[0] == 0, f"{method}: {url} was never captured")
        expect(seeds(library.old, "--by", method, "--count", 3).splitlines() == urls, f"{method} is not repeatable")


def test_reasons_follow_the_url(library):
    for line in seeds(library.old, "--count", 4, "--why").splitlines():
        url, why = line.split("\t")
        expect(url.startswith("http") and "PageRank" in why, line)


def test_truth_gives_only_pages_that_live(library):
    found = seeds_json(library.old, "--count", 5, "--by", "random", "--truth", library.newer)
    expect(found["tests"] == len(found["seeds"]) + len(found["vanished"]), found)
    for seed in found["seeds"]:
        state = run("captures", library.archive, seed["url"])[1]
        expect("2021" in state, f"{seed['url']}: {state}")


def test_survival_is_learned_by_rates_or_by_liverank(library):
    for who in ["rates", "liverank"]:
        words = [library.old, "--count", 8, "--truth", library.newer, "--survival", who]
        found = seeds_json(*words)
        expect(len(found["seeds"]) == 8 and found["tests"] == 8 + len(found["vanished"]), found)
        expect("alive with probability" in found["seeds"][-1]["why"], found)
        expect(seeds_json(*words) == found, f"{who} is not repeatable")
        expect(seeds_json(*words, "--threads", 1) == found, f"{who} depends on threads")


def test_reasons_count_as_people_do(library):
    path = library.folder / "single.tsv"
    path.write_text("http://h.example/\thttp://p.example/\n")
    expect("1 hub, 1 authority," in seeds(path, "--by", "cores", "--count", 1, "--why"), "cores")
    expect("\t1 link to" in seeds(path, "--by", "maxout", "--count", 1, "--why"), "maxout")
    expect("\t1 link\n" in seeds(path, "--by", "outdegree", "--count", 1, "--why"), "outdegree")


def test_cores_are_written_and_measured(library):
    path = library.folder / "cores.jsonl"
    found = seeds_json(library.old, "--by", "cores", "--count", 3, "--cores", path, "--distances")
    cores = [json.loads(line) for line in path.read_text().splitlines()]
    expect(len(cores) == 3 == len(found["cores"]) == len(found["distances"]["matrix"]), found)
    links = set(run("export", library.old, "--as", "tsv")[1].splitlines())
    members = []
    for core, sizes, seed in zip(cores, found["cores"], found["seeds"]):
        expect(core["density"] == 100 and sizes["hubs"] == len(core["hubs"]), core)
        expect(seed["url"] in core["hubs"], f"{seed} is no hub of its core")
        members += core["hubs"] + core["authorities"]
        for hub in core["hubs"]:
            for authority in core["authorities"]:
                expect(f"{hub}\t{authority}" in links, f"no link {hub} {authority}")
                expect(hub.split("/")[2] != authority.split("/")[2], f"{hub} {authority}: inside a host")
    expect(len(members) == len(set(members)), "cores overlap")
    for row, distances in enumerate(found["distances"]["matrix"]):
        expect(distances[row] == 0, "a core is at distance 0 of itself")
    text = seeds(library.old, "--by", "cores", "--count", 3, "--distances")
    expect("links from core" in text, text)


def test_evaluation_is_on_this_graph_or_a_newer_one(library):
    here = seeds_json(library.old, "--count", 4, "--evaluate")["evaluation"]
    expect(here["seeds"] == 4 and len(here["chosen"]) == 7 and here["chosen"][0]["pages"] == 4, here)
    shares = [row["pagerank_so_far"] for row in here["chosen"]]
    expect(shares == sorted(shares) and shares[-1] <= 1 + 1e-9, shares)
    later = seeds_json(library.old, "--count", 4, "--depth", 2, "--evaluate", library.newer)["evaluation"]
    expect(later["seeds"] + later["vanished"] == 4 and len(later["random"]) == 3, later)
    text = seeds(library.old, "--count", 4, "--evaluate")
    expect("avg PageRank" in text and "random" in text, text)
    # From all pages, one link leads everywhere: to the captured pages, or to what they link to as well.
    nodes = json.loads(seeds(library.old, "--count", 1, "--degrees", "--bootstrap", 0, "--json"))["graph"]["nodes"]
    pages = len(run("liverank", "--quiet", library.old, "--by", "random")[1].split())
    for scope, least, most in (("captured", pages, pages), ("all", pages + 1, nodes)):
        reached = seeds_json(library.old, "--by", "random", "--count", pages, "--evaluate", "--depth", 1, "--scope", scope)["evaluation"]["chosen"]
        expect(reached[0]["pages"] == pages and least <= reached[1]["pages_so_far"] <= most, f"{scope}: {reached}, {least}, {most}")
    expect_refused("--scope some", library.old, "--evaluate", "--scope", "some")


def test_numbers_as_csv(library):
    """--csv writes what JSON says about seeds, distances and crawls."""
    folder = library.folder / "numbers"
    words = (library.old, "--by", "cores", "--count", 3)
    told = seeds_json(*words, "--distances", "--evaluate", "--csv", folder)
    tables = {file.stem: list(csv.DictReader(file.open(newline=""))) for file in folder.glob("*.csv")}
    expect([row["url"] for row in tables["seeds"]] == [seed["url"] for seed in told["seeds"]], list(tables["seeds"][0]))
    found = [row for name, rows in tables.items() if name.startswith("pages-by-depth") for row in rows if row["series"] == "cores"]
    expect([float(row["y"]) for row in found] == [depth["pages"] for depth in told["evaluation"]["chosen"]], (list(tables), found))
    pairs = {(int(row["from"]), int(row["to"])): int(row["links"] or -1) for row in tables["distances"]}
    matrix = told["distances"]["matrix"]
    expect(pairs == {(i + 1, k + 1): links for i, row in enumerate(matrix) for k, links in enumerate(row)}, pairs)


def test_vanished_seeds_are_replaced(library):
    """A story by hand: the list moved, the index died and its links live on elsewhere."""
    old, newer = library.folder / "old.jsonl", library.folder / "new.jsonl"
    pages = [f"http://p{i}.example/" for i in range(6)]

    def line(url, time, links, kinds="navigation", **more):
        return json.dumps({"url": url, "time": time, "links": [{"url": link, "kinds": kinds} for link in links], **more})

    old.write_text("\n".join([line("http://a.example/list", "2021", pages, status=200),
                              line("http://b.example/index", "2021", pages[:4], status=200),
                              line("http://c.example/same", "2021", pages[:1], status=200, digest="sha1:AAAA")]
                             + [line(url, "2021", [], status=200) for url in pages]))
    newer.write_text("\n".join([line("http://a.example/list", "2023", ["http://a.example/moved"], "redirect", status=301,
                                     redirect="http://a.example/moved"),
                                line("http://a.example/moved", "2023", pages[4:], status=200),
                                line("http://d.example/catalogue", "2023", pages[:5], status=200),
                                line("http://e.example/copy", "2023", [], status=200, digest="sha1:AAAA")]
                               + [line(url, "2023", [], status=200) for url in pages]))
    write("build", library.folder / "old.ws", old)
    write("build", library.folder / "new.ws", newer)
    found = seeds_json(library.folder / "old.ws", "--by", "outdegree", "--count", 3, "--replace", library.folder / "new.ws")
    expect([r["by"] for r in found["replaced"]] == ["redirect", "similar links", "same content"], found)
    expect([s["url"] for s in found["seeds"]] ==
           ["http://a.example/moved", "http://d.example/catalogue", "http://e.example/copy"], found)


def test_forms_of_other_crawlers(library):
    plain = seeds(library.old, "--count", 3).splitlines()
    for form in ["list", "heritrix", "browsertrix"]:
        expect(seeds(library.old, "--count", 3, "--as", form).splitlines() == plain, form)
    precedence = seeds(library.old, "--count", 3, "--as", "heritrix-precedence").splitlines()
    expect(precedence == [f"{url} {place}" for place, url in enumerate(plain, 1)], precedence)
    many = seeds(library.old, "--by", "random", "--count", 200, "--as", "heritrix-precedence").splitlines()
    places = [int(line.split(" ")[1]) for line in many]
    expect(places == sorted(places) and places[0] == 1 and places[-1] == 127, places)
    schedule = seeds(library.old, "--count", 3, "--as", "heritrix-schedule").splitlines()
    expect(schedule == [f"F+ {url}" for url in plain], schedule)
    nutch = seeds(library.old, "--count", 3, "--as", "nutch").splitlines()
    scores = [float(re.fullmatch(re.escape(url) + r"\tnutch\.score=([0-9.e+-]+)", line)[1]) for url, line in zip(plain, nutch)]
    expect(max(scores) == 1 and min(scores) > 0, nutch)
    for url, line in zip(plain, seeds(library.old, "--count", 3, "--as", "frontier").splitlines()):
        expect(json.loads(line) == {"discovered": {"info": {"url": url, "key": url.split("/")[2]}}}, line)


def test_graph_files_have_seeds_too(library):
    path = library.folder / "star.tsv"
    path.write_text("".join(f"http://h.example/\thttp://p{i}.example/\n" for i in range(5)))
    for method in METHODS:
        urls = seeds(path, "--by", method, "--count", 1).splitlines()
        expect(len(urls) == 1, f"{method}: {urls}")
    expect(seeds(path, "--by", "cores", "--count", 1) == "http://h.example/\n", "the hub of a star")
    code, out, errors = run("seeds", path, "--by", "cores", "--count", 3)
    expect(code == 0 and out.count("\n") == 1 and "only 1 of 3 seeds" in errors, errors)
    numbers = library.folder / "numbers.tsv"
    numbers.write_text("0\t1\n1\t2\n")
    expect_refused("keep inner links", numbers, "--by", "cores", "--count", 1)
    expect(seeds(numbers, "--by", "cores", "--count", 1, "--keep-inner-links").strip() in "012", "numbers")


def test_hits_before_each_core_can_be_chosen(library):
    """60 iterations are the default, and a tolerance that everything meets ends HITS after the first."""
    def cores(*more):
        path = library.folder / "hits.jsonl"
        seeds(*words, *more, "--cores", path)
        return path.read_text()
    words = (library.old, "--by", "cores", "--count", 3, "--hub", "top")
    expect(cores() == cores("--iterations", 60), "the default")
    expect(cores("--iterations", 1) == cores("--tolerance", "1e9") != cores(), "a tolerance ends it")
    expect(cores("--cold-start") != "", "a cold start")
    for option, value in (("--iterations", 0), ("--tolerance", -1)):
        expect_refused("HITS", *words, option, value)
    expect_refused("--iterations needs --by cores", library.old, "--iterations", 5)


def test_sizes_and_power_laws_of_degrees(library):
    """Tables 1 and 2 of the paper; the counts from the exported links."""
    links = [line.split("\t") for line in run("export", library.old, "--as", "tsv", "--quiet")[1].splitlines()]
    between = sum(source.split("/")[2] != target.split("/")[2] for source, target in links)
    found = seeds_json(library.old, "--count", 2, "--degrees", "--bootstrap", 10)["graph"]
    expect((found["links"], found["links_between_hosts"]) == (len(links), between), f"{found}: {len(links)}, {between}")
    degrees = {}
    for _, target in links:
        degrees[target] = degrees.get(target, 0) + 1
    law = found["in_degrees"]
    expect(law["nodes"] == len(degrees) and law["tail"] == sum(degree >= law["cutoff"] for degree in degrees.values()), law)
    expect(law["exponent"] > 1 and 0 <= law["p"] <= 1 and 0 < law["distance"] < 1, law)
    expect(found == seeds_json(library.old, "--count", 2, "--degrees", "--bootstrap", 10)["graph"], "a seed repeats it")
    text = seeds(library.old, "--count", 2, "--degrees", "--bootstrap", 0)
    expect("links between hosts" in text and re.search(r"in-degree +\d+\.\d{3}", text), text)
    expect("p" not in seeds_json(library.old, "--count", 2, "--degrees", "--bootstrap", 0)["graph"]["in_degrees"], "no p-value")
    expect("graph" not in seeds_json(library.old, "--count", 2), "only with --degrees")


def test_a_graph_of_one_host_says_why_it_has_no_cores(library):
    graph = library.folder / "one.tsv"
    graph.write_text("".join(f"http://a.example/{i}\thttp://a.example/{j}\n" for i in range(4) for j in range(4, 8)))
    code, out, errors = run("seeds", graph, "--by", "cores", "--count", 1)
    expect(code == 1 and not out and "--keep-inner-links" in errors, (code, out, errors))
    expect(len(seeds(graph, "--by", "cores", "--count", 1, "--keep-inner-links").splitlines()) == 1, "with its links there is one")


def test_refusals(library):
    old = library.old
    expect_refused("only", old, "--count", 1000000)
    expect_refused("at least 1", old, "--count", 0)
    for option in ["--count", "--seed", "--sets"]:
        expect_refused("-1 is not a whole number", old, option, "-1")
    for option in ["--size", "--hub-cap", "--new-members"]:
        expect_refused("-1 is not a whole number", old, "--by", "cores", option, "-1")
    expect_refused("--density needs --by cores", old, "--density", "90")
    expect_refused("--price needs --by pandora", old, "--by", "cores", "--price", "0.1")
    expect_refused("--truth", old, "--tests", 3)
    expect_refused("--evaluate", old, "--depth", 3)
    for option in ["--truth", "--replace", "--evaluate"]:
        expect_refused("no pages", old, option, f"{library.archive}@1999")
    expect_refused("density", old, "--by", "cores", "--density", 0)
    expect_refused("density", old, "--by", "cores", "--density", 101)
    expect_refused("size", old, "--by", "cores", "--size", 1)
    expect_refused("luck", old, "--by", "luck")
    expect_refused("no such form", old, "--as", "stone")
    expect_refused("--growth", old, "--by", "cores", "--growth", "wild")
    expect_refused("--hub", old, "--by", "cores", "--hub", "left")
    expect_refused("depths", old, "--depths", "0")
    expect_refused("sets", old, "--sets", "1")
    expect_refused("price", old, "--price", "2")
    expect_refused("--by cores", old, "--distances")
    expect_refused("only", old, "--as", "nutch", "--why")
    expect_refused("luck", old, "--truth", library.newer, "--survival", "luck")
    expect_refused("--truth", old, "--survival", "liverank")
    expect_refused("--by pandora", old, "--by", "maxout", "--truth", library.newer, "--survival", "rates")
    expect_refused("cannot be combined", old, "--truth", library.newer, "--replace", library.newer)
    expect_refused("no pages", f"{library.archive}@1999")
    expect_refused("nowhere", "nowhere.ws")


def main():
    with temporary_folder() as folder:
        return run_tests(globals(), Library(folder))


if __name__ == "__main__":
    sys.exit(main())
