# SPDX-License-Identifier: Apache-2.0
"""webstrata liverank as a user runs it: on the sample crawls, with lists as truth, over days, and with words that make no sense."""

import csv
import json
import sys
from pathlib import Path

from archives import temporary_folder, write
from running import SAMPLE, expect, expect_one_line, run, run_tests

METHODS = ["auto", "lore", "pb", "pa-ratio", "pa", "asf", "bfs", "ai", "recursive", "pagerank", "indegree", "random"]


class Library:
    """The two sample crawls in one archive, and what its pages of 2021 are called."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.archive = self.folder / "lib.ws"
        write("build", self.archive, SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
        self.old = f"{self.archive}@2021"
        self.newer = f"{self.archive}@2023.."
        self.pages = liverank(self.old, "--by", "indegree", "--budget", 100000).splitlines()

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path


def liverank(*arguments):
    code, out, errors = run("liverank", *arguments)
    expect(code == 0, f"{arguments}: {code} {errors}")
    return out


def liverank_json(*arguments):
    return json.loads(liverank(*arguments, "--json"))


def expect_refused(words, *arguments):
    code, out, errors = run("liverank", *arguments)
    expect(code == 2 and not out, f"{arguments}: exit {code}, {out}")
    expect_one_line(errors, words)


def test_every_method_finds_all_that_lives(library):
    answers = {}
    for method in METHODS:
        found = liverank_json(library.old, "--by", method, "--truth", library.newer)
        expect(found["n"] == len(library.pages) == found["tests"], f"{method}: {found['n']} {found['tests']}")
        expect(found["found"] == found["n_a"] > 0, f"{method}: {found['found']} of {found['n_a']}")
        expect(set(found["cost"]) == {"0.1", "0.2", "0.5", "0.8", "0.9", "0.95"}, found["cost"])
        expect(all(cost >= 1 for cost in found["cost"].values()), found["cost"])
        expect(sum(found["outcomes"].values()) == found["tests"], found["outcomes"])
        answers[method] = (found["n_a"], found["area"])
        again = liverank_json(library.old, "--by", method, "--truth", library.newer)
        expect(again == found, f"{method} is not repeatable")
    expect(len({n_a for n_a, _ in answers.values()}) == 1, answers)
    expect(answers["auto"][1] < answers["random"][1], answers)


def test_n_a_is_estimated_from_a_uniform_sample(library):
    found = liverank_json(library.old, "--by", "pa", "--truth", library.newer, "--sample", "systematic", "--sample-size", "25%")
    low, high = found["n_a_interval"]
    expect(low <= found["n_a_estimate"] <= high and high - low < found["n"] / 2, found["n_a_interval"])
    top = liverank_json(library.old, "--by", "pa", "--truth", library.newer, "--sample", "pagerank")
    expect("n_a_interval" not in top, "a sample of top pages cannot estimate anything")


def test_budgets_and_stop_rules(library):
    some = liverank_json(library.old, "--truth", library.newer, "--budget", 10)
    expect(some["tests"] == 10 and some["ended"] == "budget" and some["cost"]["0.95"] is None, some["cost"])
    code, out, _ = run("liverank", library.old, "--truth", library.newer, "--budget", 0, "--json")
    expect(code == 1 and json.loads(out)["tests"] == 0, out)
    half = liverank_json(library.old, "--by", "random", "--truth", library.newer, "--alpha", "0.5")
    expect(half["ended"] == "alpha" and half["tests"] < half["n"], half["tests"])


def test_truth_may_be_a_list(library):
    alive, gone = library.pages[:20], library.pages[20:30]
    names = library.file("alive.txt", "\n".join(alive + ["http://nobody.example/"]))
    found = liverank_json(library.old, "--truth", names, "--by", "random")
    expect(found["n_a"] == 20 and found["truth"]["unknown_urls"] == 1, found["truth"])
    rows = [f"{url}\talive" for url in alive] + [f"{url}\t404" for url in gone] + [f"{alive[0]}\tgone", f"{alive[1]}\t200"]
    found = liverank_json(library.old, "--truth", library.file("outcomes.tsv", "\n".join(rows)), "--by", "random")
    expect(found["n_a"] == 20 and found["outcomes"]["gone"] == 10, found["outcomes"])
    expect(found["outcomes"]["unknown"] == found["n"] - 30, found["outcomes"])
    expect(found["truth"]["contradicting"] == 1 and found["truth"]["repeated"] == 1, found["truth"])
    table = "url\tfirst\tlast\talive_2026\n" + "".join(f"{url}\t1999\t2001\t{int(url in alive)}\n" for url in library.pages)
    found = liverank_json(library.old, "--truth", library.file("liveness.tsv", table), "--by", "random")
    expect(found["n_a"] == 20 and found["outcomes"]["gone"] == found["n"] - 20, found["outcomes"])


def test_a_refusal_or_a_silence_in_a_newer_graph_is_not_a_death(library):
    """Pages that answer 301, 403, 500, 404 and 200 two years later, and one that no crawl asked for."""
    later = {"moved": 301, "refused": 403, "failed": 500, "lost": 404, "there": 200}
    lines = [{"url": f"http://t.example/{name}", "time": "2020-01-01", "status": 200, "links": ["http://t.example/x"]}
             for name in [*later, "unseen"]]
    lines += [{"url": f"http://t.example/{name}", "time": "2022-01-01", "status": status,
               **({"links": ["http://t.example/x"]} if status == 200 else {}),
               **({"redirect": "http://t.example/y"} if status == 301 else {})} for name, status in later.items()]
    crawl = library.file("refusals.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    archive = library.folder / "refusals.ws"
    write("build", archive, crawl)
    for newer, outcomes, absent, not_looked_at in (
            ("@2022..", {"alive": 1, "moved": 1, "blocked": 1, "unreachable": 1, "gone": 2}, 1, 0),
            ("@2022", {"alive": 2, "moved": 1, "blocked": 1, "unreachable": 1, "gone": 1}, 0, 1)):
        found = liverank_json(f"{archive}@2020", "--truth", f"{archive}{newer}", "--by", "indegree")
        seen = {name: count for name, count in found["truth"]["outcomes"].items() if count}
        expect(seen == outcomes, f"{newer}: {seen}")
        expect((found["truth"]["absent"], found["truth"]["not_looked_at"]) == (absent, not_looked_at), f"{newer}: {found['truth']}")
    errors = run("liverank", f"{archive}@2020", "--truth", f"{archive}@2022")[2]
    expect("1 of 6 pages were not visited" in errors and "count as gone" not in errors, errors)


def test_any_text_is_no_truth(library):
    """A file that names no URLs would call every page gone, and spoil a campaign."""
    texts = {"readme.md": "# Title\n\nSome words about it.\n", "page.xml": "<?xml version='1.0'?>\n<gexf>\n</gexf>\n",
             "lines.jsonl": '{"url": "http://a.example/"}\n', "comment.txt": "# nothing but this\n",
             "users": "root:x:0:0:root:/root:/bin/bash\n", "index.cdxj": 'example,a)/ 20200101000000 {"url": "http://a.example/"}\n'}
    state = library.folder / "spoiled.tsv"
    liverank("plan", library.old, "--state", state, "--by", "indegree", "--tests", 5)
    before = state.read_text()
    for name, text in texts.items():
        path = library.file(name, text)
        expect_refused(name, library.old, "--truth", path)
        expect_refused(name, "learn", path, "--state", state)
        expect(state.read_text() == before, f"{name} changed the campaign")
    listed = library.file("remarks.tsv", f"# found today\n{library.pages[0]}\talive\n")
    expect(liverank_json(library.old, "--truth", listed)["found"] == 1, "remarks are passed over")


def test_targets(library):
    counts = {target: liverank_json(library.old, "--truth", library.newer, "--by", "random", "--target", target)["n_a"]
              for target in ["present", "moved", "unchanged", "changed"]}
    expect(counts["unchanged"] + counts["changed"] <= counts["present"] <= counts["moved"], counts)
    expect(counts["unchanged"] > 0, counts)
    times = [f"{url}\t2014-05-01" for url in library.pages[:5]] + [f"{url}\t2012" for url in library.pages[5:9]]
    times += [f"{library.pages[9]}\t-", f"{library.pages[10]}\tgone"]
    active = liverank_json(library.old, "--truth", library.file("times.tsv", "\n".join(times)), "--target", "active", "--by", "ai",
                           "--undirected", "--active-within", "180d")
    expect(active["n_a"] == 5 and active["truth"]["without_activity"] == 1, active)


def test_why_tells_features_weights_and_rank(library):
    page = library.pages[3]
    why = liverank_json(library.old, "--truth", library.newer, "--why", page)["why"]
    expect(why["url"] == page and why["rank"] >= 1 and len(why["reasons"]) > 5, why)
    score = next(reason["value"] for reason in why["reasons"] if reason["what"].startswith("score"))
    expect(abs(score - sum(reason["adds"] for reason in why["reasons"])) < 1e-6, why)
    expect("score" in liverank(library.old, "--truth", library.newer, "--why", page), "as text")


def test_compare_gives_a_table_and_csv(library):
    path = library.folder / "costs.csv"
    text = liverank(library.old, "--truth", library.newer, "--compare", "random,asf,auto", "--seeds", 3, "--csv", path)
    expect(all(method in text for method in ["random", "asf", "auto", "best of the papers"]), text)
    with path.open() as file:
        rows = list(csv.DictReader(file))
    expect(len(rows) == 3 * 3 * 6 and float(rows[0]["cost"]) >= 1, len(rows))
    columns = {(row["method"], row["sample"], row["z"]) for row in rows}
    expect(columns == {("random", "", "0"), ("asf", "random", "0.01"), ("auto", "systematic", "0.0025")}, columns)
    found = liverank_json(library.old, "--truth", library.newer, "--compare", "methods", "--seeds", 1)
    expect([row["method"] for row in found["rows"]] == METHODS, found["rows"])


def test_compare_takes_the_sample_that_was_chosen(library):
    """One kind of sample and one size for a figure; what a comparison cannot do is refused, not ignored."""
    words = [library.old, "--truth", library.newer, "--seeds", 1]
    found = liverank_json(*words, "--compare", "pa,asf,pagerank", "--sample", "pagerank", "--sample-size", "5%")
    seen = [(row["label"], row["sample"], row["z"]) for row in found["rows"]]
    expect(seen == [("pa pagerank 5%", "pagerank", 0.05), ("asf pagerank 5%", "pagerank", 0.05), ("pagerank", "", 0)], seen)
    mean = liverank_json(*words, "--compare", "asf", "--unsampled", "mean", "--sample-size", 20)["rows"]
    expect([row["label"] for row in mean] == ["asf random 20 mean"], mean)
    everything = liverank_json(*words, "--compare", "all")["rows"]
    kinds = {(row["sample"], row["z"]) for row in everything if row["method"] == "pa"}
    due = {(kind, z) for kind in ("random", "pagerank", "indegree") for z in (0.0025, 0.01, 0.05, 0.2)} | {("pagerank", 0.025)}
    expect(kinds == due, kinds)
    for extra in (["--sample", "pagerank"], ["--sample-size", "5%"], ["--per-site", 2], ["--round", 5], ["--no-neighbours"], ["--unsampled", "mean"]):
        expect_refused("tries every sample itself", *words, "--compare", "all", *extra)
    for extra in (["--budget", 5], ["--alpha", 0.5], ["--price", 0.5], ["--dead-host", 1], ["--dead-domain", 1]):
        expect_refused("--compare", *words, "--compare", "methods", *extra)


def test_a_sample_may_have_a_number_of_pages_per_site(library):
    """Two pages of each host, tested first; with a size, the largest hosts only."""
    def hosts(*words):
        order = library.folder / "order.txt"
        found = liverank_json(library.old, "--truth", library.newer, "--by", "asf", "--site", "host", "--per-site", 2, "--order", order, *words)
        expect("n_a_interval" not in found, "such a sample is not uniform")
        return [url.split("/")[2] for url in order.read_text().split()]
    pages = hosts()
    sizes = {host: pages.count(host) for host in pages}
    first = pages[:sum(min(size, 2) for size in sizes.values())]
    expect({host: first.count(host) for host in first} == {host: min(size, 2) for host, size in sizes.items()}, first)
    largest = sorted(sizes.values(), reverse=True)
    few = hosts("--sample-size", 4)[:4]
    expect(sorted(few.count(host) for host in set(few)) == [2, 2] and all(sizes[host] >= largest[1] for host in few), few)
    label = liverank_json(library.old, "--truth", library.newer, "--compare", "asf,pa-ratio", "--per-site", 2, "--seeds", 1)["rows"]
    expect([(row["label"], row["sample"]) for row in label] == [("asf 2-per-site", "2-per-site"), ("pa-ratio 2-per-site", "2-per-site")], label)
    expect_refused("per site", library.old, "--per-site", 2, "--sample", "pagerank")


def test_the_newer_graph_may_be_a_graph_file(library):
    """Links of URLs, or a BVGraph with a list of URLs of its own; all say the same."""
    pages = [f"http://h.example/{i}" for i in range(30)]
    old = library.file("then.tsv", "".join(f"{pages[i]}\t{pages[(i + 1) % 30]}\n" for i in range(30)))
    kept = pages[10:]
    newer = library.file("now.tsv", "".join(f"{kept[i]}\t{kept[(i + 1) % 20]}\n" for i in range(20)))
    found = liverank_json(old, "--truth", newer, "--by", "random")
    expect(found["n"] == 30 and found["n_a"] == found["found"] == 20, found)
    run("export", newer, library.folder / "now", "--as", "bvgraph")
    urls = (library.folder / "now.urls.gz").rename(library.folder / "now.names.gz")  # not the name that is found by default
    again = liverank_json(old, "--truth", library.folder / "now", "--truth-urls", urls, "--by", "random")
    expect(again["n_a"] == 20, again)
    expect_refused("--truth-urls", old, "--truth-urls", urls)


def test_alpha_stops_whatever_the_method_begins_with(library):
    for extra in (["--by", "pagerank"], ["--by", "pa", "--sample", "indegree"], ["--by", "auto", "--dead-host", 1]):
        found = liverank_json(library.old, "--truth", library.newer, "--alpha", 0.5, *extra)
        low, high = found["n_a_interval"]
        expect(low <= found["n_a"] <= high, f"{extra}: {found['n_a']} is not in {low} to {high}")


def test_plans_are_dealt_out_to_crawlers(library):
    whole = liverank(library.old, "--by", "pagerank", "--budget", 12).splitlines()
    dealt = [line.split("\t") for line in liverank(library.old, "--by", "pagerank", "--budget", 12, "--shards", 5).splitlines()]
    expect([url for _, url in dealt] == whole and [int(shard) for shard, _ in dealt] == [i % 5 for i in range(12)], dealt)


def test_a_campaign_goes_on_over_days(library):
    """Plan, test elsewhere, learn, plan: as good as in one go, and no page is named twice."""
    table = liverank_json(library.old, "--truth", library.newer, "--by", "random", "--order", library.folder / "order.txt")
    expect(len((library.folder / "order.txt").read_text().splitlines()) == table["tests"], "order")
    alive = {url for url in library.pages if run("captures", library.archive, url)[1].count("2023") > 0}
    for method in ["lore", "asf", "bfs"]:
        state, named = library.folder / f"{method}.state", []
        for day in range(4):
            plan = liverank("plan", library.old, "--by", method, "--state", state, "--tests", 15, "-q").splitlines()
            expect(plan and not set(plan) & set(named), f"{method}, day {day}: {plan}")
            named += plan
            answers = library.file("answers.tsv", "".join(f"{url}\t{'alive' if url in alive else 'gone'}\n" for url in plan))
            liverank("learn", answers, "--state", state, "-q")
            liverank("learn", answers, "--state", state, "-q")  # twice does no harm
        again = library.file(f"{method}.copy", state.read_text())
        expect(liverank("plan", library.old, "--by", method, "--state", state, "-q") ==
               liverank("plan", library.old, "--by", method, "--state", again, "-q"), f"{method}: the same state, another plan")
    expect_refused("started with by = lore", "plan", library.old, "--by", "pb", "--state", library.folder / "lore.state")
    limited = library.folder / "limited.state"
    liverank("plan", library.old, "--by", "random", "--budget", 30, "--tests", 20, "--state", limited, "-q")
    expect_refused("budget = 30", "plan", library.old, "--by", "random", "--tests", 20, "--state", limited)


def test_campaigns_for_every_target(library):
    """Results give sameness by word, activity by time; a host without an address is left out."""
    for target, words in [("unchanged", ["same", "changed", "gone"]), ("changed", ["same", "changed", "404"]),
                          ("active", ["2014-05-01", "2011-01-01", "-"]), ("moved", ["alive", "301", "gone"])]:
        state = library.folder / f"{target}.state"
        named = []
        for day in range(3):
            plan = liverank("plan", library.old, "--by", "auto", "--target", target, "--state", state, "--tests", 30, "-q").splitlines()
            expect(len(plan) == 30 and not set(plan) & set(named), f"{target}, day {day}: {len(plan)}")
            named += plan
            rows = "".join(f"{url}\t{words[i % 3]}\n" for i, url in enumerate(plan))
            liverank("learn", library.file("words.tsv", rows), "--state", state, "-q")
        code, _, notes = run("liverank", "plan", library.old, "--by", "auto", "--target", target, "--state", state, "--tests", 1)
        live = 60 if target == "moved" else 30
        expect(code == 0 and f"90 of {len(library.pages)} known, {live} live" in notes, f"{target}: {notes}")
    hosts = sorted({url.split("/")[2] for url in library.pages})
    state = library.folder / "hosts.state"
    liverank("plan", library.old, "--by", "random", "--state", state, "--tests", 1, "--dead-host", 3, "-q")
    gone = [url for url in library.pages if url.split("/")[2] == hosts[0]]
    liverank("learn", library.file("dns.tsv", f"{gone[0]}\tno-host\n"), "--state", state, "-q")
    rest = liverank("plan", library.old, "--by", "random", "--state", state, "--tests", 100000, "--dead-host", 3, "-q").splitlines()
    expect(not set(rest) & set(gone), "a host without an address is not asked again")
    expect_refused("line 1", "learn", library.file("odd.tsv", f"{gone[0]}\tfine\n"), "--state", state)


def test_a_sample_based_campaign_has_two_rounds(library):
    state = library.folder / "two.state"
    first = liverank("plan", library.old, "--by", "pa-ratio", "--sample-size", "10%", "--state", state, "--shards", 3, "-q").splitlines()
    expect(len(first) == len(library.pages) // 10 and first[1].startswith("1\t"), first[:3])
    urls = [line.split("\t")[1] for line in first]
    liverank("learn", library.file("two.tsv", "".join(f"{url}\t{i % 2}\n" for i, url in enumerate(urls))), "--state", state, "-q")
    second = liverank("plan", library.old, "--by", "pa-ratio", "--sample-size", "10%", "--state", state, "-q").splitlines()
    expect(sorted(urls + second) == sorted(library.pages), "the second round names all others")


def test_truth_may_tell_sameness_and_hosts(library):
    rows = [f"{url}\tsame" for url in library.pages[:7]] + [f"{url}\tchanged" for url in library.pages[7:12]]
    rows += [f"{library.pages[12]}\tno-host", f"{library.pages[13]}\t-6", f"{library.pages[14]}\tsoft-gone"]
    truth = library.file("same.tsv", "\n".join(rows))
    found = liverank_json(library.old, "--truth", truth, "--target", "unchanged", "--by", "random")
    expect(found["n_a"] == 7 and found["truth"]["statuses"]["no_host"] == 2, found["truth"])
    expect(liverank_json(library.old, "--truth", truth, "--target", "changed", "--by", "random")["n_a"] == 5, "changed")
    text = liverank(library.old, "--truth", truth, "--by", "random")
    for row in ["404, 410", "host not found", "moved", "redirect targets", "true 200", "other"]:
        expect(row in text, text)
    moved = "url\tstatus\ttarget\n" + "".join(f"{url}\t301\thttp://new.example/{i % 2}\n" for i, url in enumerate(library.pages[:6]))
    found = liverank_json(library.old, "--truth", library.file("moved.tsv", moved), "--target", "moved", "--by", "random")
    expect(found["n_a"] == 6 and found["truth"]["statuses"]["redirect_targets"] == 2, found["truth"])
    nothing = run("liverank", library.old, "--truth", library.file("moved.tsv", moved), "--budget", 0)[1]
    targets = next(line for line in nothing.splitlines() if "redirect targets" in line)
    expect(targets.split()[2] == "0", "the table is of what was tested: " + targets)


def test_dead_hosts_and_graph_files(library):
    links = library.file("links.tsv", "".join(f"http://h{i % 4}.example/{i}\thttp://h{(i + 1) % 4}.example/{i + 1}\n" for i in range(80)))
    alive = library.file("live.txt", "".join(f"http://h{i % 4}.example/{i}\n" for i in range(80) if i % 4 != 2))
    free = liverank_json(links, "--truth", alive, "--by", "random", "--dead-host", 3)
    expect(free["found"] == free["n_a"] and free["settled"] > 0 and free["tests"] + free["settled"] == free["n"], free)
    for method in METHODS:
        expect(liverank_json(links, "--truth", alive, "--by", method)["found"] == 60, method)
    # Two hosts of one registered domain are dead: five tests, wherever they fall, settle both.
    lines = [f"http://{host}/{i}" for host in ("a.dead.example", "b.dead.example", "www.live.example") for i in range(20)]
    links = library.file("domains.tsv", "".join(f"{one}\t{other}\n" for one, other in zip(lines, lines[1:] + lines[:1])))
    alive = library.file("domain.txt", "\n".join(lines[40:]))
    for method in ("random", "asf", "auto"):
        free = liverank_json(links, "--truth", alive, "--by", method, "--dead-domain", 5)
        expect((free["found"], free["tests"], free["settled"]) == (20, 25, 35), free)
    nothing = library.file("nothing.txt", "http://nobody.example/\n")
    code, out, _ = run("liverank", links, "--truth", nothing, "--json")
    expect(code == 1 and json.loads(out)["cost"]["0.5"] is None, out)


def test_refusals(library):
    old = library.old
    expect_refused("luck", old, "--by", "luck")
    expect_refused("target young", old, "--truth", library.newer, "--target", "young")
    expect_refused("sample stone", old, "--sample", "stone")
    expect_refused("sample size many", old, "--sample-size", "many")
    expect_refused("needs a budget", old, "--sample-size", "40%-of-budget")
    expect_refused("ties coin", old, "--by", "pa", "--ties", "coin")
    expect_refused("site planet", old, "--site", "planet")
    expect_refused("unsampled first", old, "--unsampled", "first")
    expect_refused("scope some", old, "--scope", "some")
    expect_refused("same smell", old, "--truth", library.newer, "--same", "smell")
    expect_refused("need --truth", old, "--compare", "all")
    expect_refused("--shards", old, "--shards", 0)
    expect_refused("alpha", old, "--truth", library.newer, "--alpha", 2)
    expect_refused("price", old, "--truth", library.newer, "--price", 3)
    expect_refused("not a page", old, "--truth", library.newer, "--why", "http://nobody.example/")
    expect_refused("nowhere", "nowhere.ws")
    expect_refused("nowhere", old, "--truth", "nowhere.txt")
    expect_refused("line 1", old, "--truth", library.file("bad.tsv", f"{library.pages[0]}\tfine\n"))
    expect_refused("newer graph", old, "--truth", library.file("a.txt", "x\n"), "--target", "changed")
    # An empty truth once made every page gone.
    for name, text in (("empty.txt", ""), ("blank.txt", "\n\n"), ("header.tsv", "url\toutcome\n")):
        expect_refused("the truth is empty", old, "--truth", library.file(name, text))
    expect_refused("the truth is empty", old, "--truth", f"{library.newer.split('@')[0]}@1990..1991")
    expect_refused("--state", "plan", old)
    expect_refused("not the state of a campaign", "plan", old, "--state", library.file("odd.state", "hello\n"))
    expect_refused("GRAPH", "--by", "random")


def main():
    with temporary_folder() as folder:
        return run_tests(globals(), Library(folder))


if __name__ == "__main__":
    sys.exit(main())
