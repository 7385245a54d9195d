# SPDX-License-Identifier: Apache-2.0
"""Questions to an archive of the sample, against what extract prints of the same files."""

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from archives import generation_of, temporary_folder, write
from running import SAMPLE, expect, run, run_tests

OLD = SAMPLE / "2021.warc.gz"
NEW = SAMPLE / "2023.warc.gz"
DECIDES = {"alive": "present", "moved": "moved", "gone": "gone", "soft-gone": "gone"}


def lines_of(*arguments, code=0):
    found, out, errors = run(*arguments)
    expect(found == code, f"{arguments}: {found} {errors}")
    return out.splitlines()


def json_of(*arguments, code=0):
    found, out, errors = run(*arguments)
    expect(found == code, f"{arguments}: {found} {errors}")
    return json.loads(out)


class Truth:
    """What extract prints: sightings by URL, and the links of each second (revisits have those of their originals)."""

    def __init__(self):
        self.sightings = defaultdict(list)
        self.rows = defaultdict(dict)
        for line in lines_of("extract", "--quiet", OLD, NEW):
            capture = json.loads(line)
            self.sightings[capture["url"]].append(capture)
            if "links" in capture:
                row = self.rows[capture["url"]].setdefault(capture["time"], {})
                for link in capture["links"]:
                    row[link["url"]] = link
        for sightings in self.sightings.values():
            sightings.sort(key=lambda sighting: sighting["time"])

    def nodes(self):
        found = set(self.sightings)
        for url, rows in self.rows.items():
            found.update(target for row in rows.values() for target in row)
        found.update(s["redirect"] for all_of in self.sightings.values() for s in all_of if "redirect" in s)
        return found

    def state_at(self, url, moment):
        state = "unknown"
        for sighting in self.sightings[url]:
            if sighting["time"] <= moment and sighting["outcome"] in DECIDES:
                state = DECIDES[sighting["outcome"]]
        return state

    def links_at(self, url, moment):
        if self.state_at(url, moment) not in ("present", "moved"):
            return set()
        before = [time for time in self.rows[url] if time <= moment]
        return set(self.rows[url][max(before)]) if before else set()


def test_info_counts_what_is_there(lib, truth):
    info = json_of("info", lib, "--json")
    expect(info["nodes"] == len(truth.nodes()), f"nodes: {info['nodes']} {len(truth.nodes())}")
    expect(info["pages"] == len(truth.rows), f"pages: {info['pages']}")
    expect(info["captures"] == sum(map(len, truth.rows.values())), f"captures: {info['captures']}")
    expect(info["sightings"] == sum(map(len, truth.sightings.values())), f"sightings: {info['sightings']}")
    expect(info["links"] == sum(len({t for row in rows.values() for t in row}) for rows in truth.rows.values()), "links")
    expect(info["link_facts"] == sum(len(row) for rows in truth.rows.values() for row in rows.values()), "link facts")
    times = [s["time"] for all_of in truth.sightings.values() for s in all_of]
    expect(info["span"] == [min(times), max(times)] and info["dialect"] == "exact" and info["generation"] == 1, info)
    for name, layer in info["layers"].items():
        size = sum(path.stat().st_size for path in generation_of(lib).glob(f"{name}.*"))
        expect(layer["bytes"] == size, name)
        expect(abs(layer["bits_per_link_fact"] - 8 * size / info["link_facts"]) < 1e-9, name)
    expect(len(info["layers"]) == 9 and "link facts" in "\n".join(lines_of("info", lib)), "layers")


def test_urls_are_found_both_ways(lib, truth):
    rows = [json.loads(line) for line in lines_of("url", lib, "--json", *map(str, range(len(truth.nodes()))))]
    expect([row["uid"] for row in rows] == list(range(len(rows))), "uids do not count")
    expect({row["url"] for row in rows} == truth.nodes(), "urls differ")
    expect([row["key"] for row in rows] == sorted(row["key"] for row in rows), "keys do not ascend")
    for row in rows[::97]:
        by_url = lines_of("url", lib, row["url"])
        expect(by_url == [f"{row['uid']}\t{row['url']}\t{row['key']}"], row)
        expect(by_url[0] in lines_of("url", lib, row["key"]), "a key is not found")
    page = max(truth.rows)
    host = page.split("/")[2]
    own = [row["url"] for row in rows if row["url"].split("/")[2] == host]
    expect([line.split("\t")[1] for line in lines_of("url", lib, "--host", host)] == own, "host")
    domain = host.split(".", 1)[1]
    below = {row["url"] for row in rows if ("." + row["url"].split("/")[2]).endswith("." + domain)}
    expect({line.split("\t")[1] for line in lines_of("url", lib, "--domain", domain)} == below, "domain")
    prefix = page.rsplit("/", 1)[0]
    begun = {url for url in truth.nodes() if url.startswith(prefix)}
    expect({line.split("\t")[1] for line in lines_of("url", lib, "--prefix", prefix)} == begun, "prefix")
    expect(len(lines_of("url", lib, "--prefix", prefix, "--limit", 2)) == 2, "limit")


def test_pages_are_listed_by_time(lib, truth):
    def urls(*words, code=0):
        return [json.loads(line)["url"] for line in lines_of("url", lib, "--json", *words, code=code)]

    expect(sorted(urls("--pages")) == sorted(truth.rows), "pages")
    in_2023 = {url for url, rows in truth.rows.items() if any(time.startswith("2023") for time in rows)}
    expect(set(urls("--during", 2023)) == in_2023 and in_2023 < set(truth.rows), "pages of 2023")
    host = max(in_2023).split("/")[2]
    expect(set(urls("--during", "2022..", "--host", host)) == {url for url in in_2023 if url.split("/")[2] == host}, "host")
    expect(len(urls("--pages", "--limit", 3)) == 3, "limit")
    expect(urls("--during", 1999, code=1) == [], "nothing was captured in 1999")
    for words in ([], ["--pages", "--during", "2023"], ["--pages", "0"], ["--during", "soon"]):
        code, out, errors = run("url", lib, *words)
        expect(code == 2 and out == "" and errors.count("\n") == 1, f"{words}: {code} {errors}")


def test_what_is_not_there_is_told_with_a_hint(lib, truth):
    page = next(url for url in truth.rows if url.startswith("http://"))
    other = page.replace("http://", "https://www.", 1)
    for verb in ("url", "captures", "links"):
        code, out, errors = run(verb, lib, other)
        expect(code == 1 and out == "" and page in errors and "--fold" in errors and errors.count("\n") == 1, errors)
        expect(run(verb, lib, "--fold", "ia", other)[0] == 0, f"{verb} --fold")
        code, _, errors = run(verb, lib, "http://nowhere.example/")
        expect(code == 1 and "nowhere.example" in errors, errors)


def test_captures_are_all_sightings(lib, truth):
    for url in sorted(truth.sightings)[::37]:
        rows = [line.split("\t") for line in lines_of("captures", lib, url)]
        own = truth.sightings[url]
        expect(sorted((row[0], row[1], row[2], row[3]) for row in rows)
               == sorted((s["time"], str(s["status"]), s["outcome"], s["kind"]) for s in own), url)
        lines = [json.loads(line) for line in lines_of("captures", lib, url, "--as", "jsonl")]
        expect(sorted(line["offset"] for line in lines) == sorted(s["offset"] for s in own), url)
        expect(not any("links" in line for line in lines if line["kind"] == "revisit"), "a derived row was told")
        of_2021 = [s for s in own if s["time"] < "2022"]
        found = lines_of("captures", lib, url, "--from", 2021, "--to", "2021-12", code=0 if of_2021 else 1)
        expect(len(found) == len(of_2021), url)
        cdxj = lines_of("captures", lib, url, "--as", "cdxj")
        expect(len(cdxj) == len(own) and all(")/" in line.split()[0] for line in cdxj), url)


def test_timemaps_are_link_format(lib, truth):
    url = max(truth.sightings, key=lambda one: len(truth.sightings[one]))
    times = sorted({s["time"] for s in truth.sightings[url]})
    text = "\n".join(lines_of("captures", lib, url, "--as", "timemap", "--replay", "http://replay.example/coll/"))
    links = re.findall(r'<([^>]*)>; rel="([^"]*)"(?:; type="[^"]*")?(?:; (?:datetime|from)="([^"]*)")?', text)
    expect(links[0][:2] == (url, "original") and links[1][1] == "self", text)
    middle = ["memento"] * (len(times) - 2)
    expect([link[1] for link in links[2:]] == (["first memento", *middle, "last memento"] if len(times) > 1 else ["first last memento"]), text)
    for time, (target, relation, moment) in zip(times, links[2:]):
        digits = re.sub(r"\D", "", time)
        expect(target == f"http://replay.example/coll/{digits}/{url}" and "memento" in relation, target)
        expect(moment.endswith(f"{time[:4]} {time[11:19]} GMT"), moment)


def test_links_at_a_time(lib, truth):
    for moment, word in (("2021-12-31T23:59:59Z", "2021"), ("2023-12-31T23:59:59Z", "2023")):
        incoming = defaultdict(set)
        for url in truth.rows:
            for target in truth.links_at(url, moment):
                incoming[target].add(url)
        for url in sorted(truth.rows)[::29]:
            links = truth.links_at(url, moment)
            rows = [line.split("\t") for line in lines_of("links", lib, url, "--at", word, code=0 if links else 1)]
            expect({row[0] for row in rows} == links, f"{url} at {moment}")
            expect(all(len(row) == 3 and int(row[2]) > 0 for row in rows), url)
            answer = json_of("links", lib, url, "--at", word, "--json", code=0 if links else 1)
            expect(answer["nodes"][0]["state"] == truth.state_at(url, moment), url)
            expect({link["url"] for link in answer["links"]} == links and answer["at"] == moment, url)
        for url in sorted(truth.nodes())[::61]:
            rows = lines_of("links", lib, url, "--in", "--at", word, code=0 if incoming[url] else 1)
            expect({row.split("\t")[0] for row in rows} == incoming[url], f"to {url} at {moment}")


def test_links_during_and_ever(lib, truth):
    incoming = defaultdict(lambda: defaultdict(set))
    for url, rows in truth.rows.items():
        for time, row in rows.items():
            for target in row:
                incoming[target][url].add(time)
    for url in sorted(incoming)[::61]:
        ever = set(incoming[url])
        expect(set(lines_of("links", lib, url, "--in")) == ever, f"to {url}")
        of_2023 = {source for source, times in incoming[url].items() if max(times) >= "2023"}
        for words in (["--during", "2023"], ["--from", "2023-01", "--to", "2023"], ["--during", "2023.."]):
            expect(set(lines_of("links", lib, url, "--in", *words, code=0 if of_2023 else 1)) == of_2023, f"{url} {words}")
        coarse = set(lines_of("links", lib, url, "--in", "--during", "2023", "--by-range", code=0 if of_2023 else 1))
        expect(of_2023 <= coarse <= ever, f"--by-range {url}")
        for line in lines_of("links", lib, url, "--in", "--history"):
            source, first, last, captures, kinds = line.split("\t")
            times = incoming[url][source]
            expect((first, last, int(captures)) == (min(times), max(times), len(times)) and kinds, line)
    for url in sorted(truth.rows)[::29]:
        redirects = {t for row in truth.rows[url].values() for t, link in row.items() if "redirect" in link["kinds"]}
        found = lines_of("links", lib, url, "--kinds", "redirect", code=0 if redirects else 1)
        expect(set(found) == redirects, f"redirects of {url}")


def test_diff_by_host_and_by_link(lib, truth):
    old, new = "2021-12-31T23:59:59Z", "2023-12-31T23:59:59Z"
    states = {t: {(url, target) for url in truth.rows for target in truth.links_at(url, t)} for t in (old, new)}
    pages = {t: {url for url in truth.sightings if truth.state_at(url, t) in ("present", "moved")} for t in (old, new)}
    differences = [line.split("\t") for line in lines_of("diff", lib, 2021, 2023, "--links")]
    for sign, after, before in (("+", new, old), ("-", old, new)):
        found = {tuple(row[1:]) for row in differences if row[0] == sign}
        expect({row for row in found if len(row) == 2} == states[after] - states[before], f"links {sign}")
        expect({row[0] for row in found if len(row) == 1} == pages[after] - pages[before], f"pages {sign}")
    answer = json_of("diff", lib, 2021, 2023, "--json")
    seen = {url for url, all_of in truth.sightings.items() if any(s["time"] > old and s["outcome"] in DECIDES for s in all_of)}
    captured = {url for url, rows in truth.rows.items() if max(rows) > old}
    for name, urls in (("links_kept", [url for url, _ in states[old] & states[new] if url in captured]),
                       ("links_not_seen", [url for url, _ in states[old] & states[new] if url not in captured]),
                       ("pages_kept", pages[old] & pages[new] & seen), ("pages_not_seen", (pages[old] & pages[new]) - seen)):
        by_host = Counter(url.split("/")[2] for url in urls)
        expect({h["host"]: h[name] for h in answer["hosts"] if h[name]} == dict(by_host), f"{name} by host")
        expect(answer["total"][name] == len(urls), name)
    not_seen = {row[1] for row in differences if row[0] == "?"}
    expect(not_seen == (pages[old] & pages[new]) - seen and len(not_seen) > 100, f"{len(not_seen)} pages not seen since")
    # All that is known of these is that they were there once.
    unheard = [url for url in pages[old] if all(s["time"] <= old or s["outcome"] == "gone" for s in truth.sightings[url])]
    expect(len(not_seen) + answer["total"]["pages_vanished"] == len(unheard), f"{len(unheard)} pages are not in the crawl of 2023, or gone")
    code, _, errors = run("diff", lib, 2021, 2023)
    expect(code == 0 and f"{len(not_seen)} of " in errors and "not seen since 2021-12-31" in errors, errors)
    expect("not_seen" in lines_of("diff", lib, 2021, 2023, "--links", "--json").__str__(), "as lines of JSON")
    expect(answer["total"]["links_appeared"] == len(states[new] - states[old]), "total")
    expect(lines_of("diff", lib, 2021, 2023)[-1].startswith("all "), "the table has no total")
    code, out, errors = run("diff", lib, 2023, 2024, "--json")
    expect(code == 1 and "nothing is known to have changed" in errors, "nothing changed is exit code 1")
    total = json.loads(out)["total"]
    expect(total["pages_kept"] == 0 and total["pages_not_seen"] == len(pages[new]), f"no capture in 2024: {total}")


def test_a_change_of_links_alone_is_a_change(lib, truth):
    with temporary_folder() as folder:
        lines = Path(folder) / "pages.jsonl"
        lines.write_text('{"url": "http://a.example/", "time": "2020-01-01", "links": ["http://a.example/1", "http://a.example/2"]}\n'
                         '{"url": "http://a.example/", "time": "2021-01-01", "links": ["http://a.example/1"]}\n')
        write("build", Path(folder) / "lib.ws", lines)
        total = json_of("diff", Path(folder) / "lib.ws", 2020, 2021, "--json")["total"]
        expect((total["pages_appeared"], total["pages_vanished"], total["links_vanished"]) == (0, 0, 1), total)


def test_the_name_of_the_crawl_is_kept(lib, truth):
    with temporary_folder() as folder:
        write("build", Path(folder) / "lib.ws", OLD, "--crawl", "autumn")
        url = next(iter(truth.sightings))
        found = [json.loads(line) for line in lines_of("captures", Path(folder) / "lib.ws", url, "--as", "jsonl")]
        expect(found and all(capture["crawl"] == "autumn" for capture in found), found)


def test_stats_count_births_and_deaths(lib, truth):
    births = deaths = 0
    for rows in truth.rows.values():
        times = sorted(rows)
        for before, after in zip(times, times[1:]):
            births += len(rows[after].keys() - rows[before].keys())
            deaths += len(rows[before].keys() - rows[after].keys())
    stats = json_of("stats", lib, "--json")
    expect((stats["births"], stats["deaths"]) == (births, deaths), f"{births} {deaths}: {stats['births']} {stats['deaths']}")
    expect(sum(stats["locality"].values()) == stats["links"], "locality")
    expect(sum(stats["lifetime_days_ended"]) + sum(stats["lifetime_days_censored"]) == stats["links"], "lifetimes")
    expect(stats["menus"] and "menu" in "\n".join(lines_of("stats", lib)), "no menus")


def test_patterns_are_links_that_come_and_go_together(lib, truth):
    """Slow reference: the set of captures of each target of a host, then groups of equal sets."""
    def host_of(url):
        return re.match(r"[a-z]+://([^/:]+)", url).group(1)
    captures = defaultdict(set)
    last = {url: max(rows) for url, rows in truth.rows.items()}
    for url, rows in truth.rows.items():
        for time, row in rows.items():
            for target in row:
                captures[host_of(url), target].add((url, time))
    groups = defaultdict(set)
    for (host, target), found in captures.items():
        if len({url for url, _ in found}) >= 5:
            groups[host, frozenset(found)].add(target)
    expected = {(host, frozenset(targets), len({url for url, _ in found}), sum(last[url] == time for url, time in found), len(found),
                 min(time for _, time in found), max(time for _, time in found))
                for (host, found), targets in groups.items() if len(targets) > 1}
    patterns = json_of("stats", lib, "--json", "--patterns", 100000)["patterns"]
    shown = [(p["host"], frozenset(p["targets"]), p["pages"], p["pages_last"], p["captures"], p["first"], p["last"]) for p in patterns]
    expect(len(shown) > 10 and set(shown) == expected, f"{len(shown)} patterns, {len(expected)} expected, {len(set(shown) & expected)} the same")
    sizes = [len(p["targets"]) * p["captures"] for p in patterns]
    expect(sizes == sorted(sizes, reverse=True), "not the largest first")
    expect(json_of("stats", lib, "--json", "--patterns", 3)["patterns"] == patterns[:3], "--patterns 3")
    expect("patterns" not in json_of("stats", lib, "--json"), "without the word")
    expect(any(f"{patterns[0]['host']}: {len(patterns[0]['targets'])} links" in line for line in lines_of("stats", lib, "--patterns", 2)), "text")


def test_all_documents_and_counts_of_links(lib, truth):
    """The paper's getUids() and getLinkCount()."""
    rows = [line.split("\t") for line in lines_of("url", lib, "--all")]
    expect([int(row[0]) for row in rows] == list(range(len(truth.nodes()))) and {row[1] for row in rows} == truth.nodes(), "not all nodes")
    expect(len(lines_of("url", lib, "--all", "--limit", 3)) == 3, "--limit")
    for wrong in (("--pages",), ("--host",), ("http://a.example/",), ("--during", "2021")):
        expect(run("url", lib, "--all", *wrong)[0] == 2, wrong)
    expect(run("url", f"{lib}@2021", "--all")[0] == 2, "a date")
    sources = Counter(target for rows in truth.rows.values() for target in {t for row in rows.values() for t in row})
    for url, rows in list(truth.rows.items())[:10]:
        links = {target for row in rows.values() for target in row}
        expect(lines_of("links", lib, url, "--count", "-q", code=0 if links else 1) == [str(len(links))], url)
        if sources[url]:
            expect(lines_of("links", lib, url, "--in", "--count") == [str(sources[url])], url)
        dated = {target for time, row in rows.items() if time < "2022" for target in row}
        expect(lines_of("links", lib, url, "--during", "2021", "--count", "-q", code=0 if dated else 1) == [str(len(dated))], url)


def test_captures_with_numbers_for_names(lib, truth):
    """The paper's initial graph format: with the mapping of url --all it has all captures."""
    urls = {line.split("\t")[0]: line.split("\t")[1] for line in lines_of("url", lib, "--all")}
    found, order = defaultdict(dict), []
    for line in lines_of("export", lib, "--as", "uids", "--quiet"):
        uid, time, *targets = line.split("\t")
        found[urls[uid]][time] = {urls[target] for target in targets}
        order.append((int(uid), time))
        expect(targets == sorted(targets, key=int), line)
    expect(found == {url: {time: set(row) for time, row in rows.items()} for url, rows in truth.rows.items()}, "other captures")
    expect(order == sorted(order), "not in order")


def test_verify_names_the_damaged_file(lib, _):
    expect(json_of("verify", lib, "--json")["clean"], "a new archive is not sound")
    with temporary_folder() as folder:
        copy = Path(folder) / "lib.ws"
        subprocess.run(["cp", "-r", lib, copy], check=True)
        victim = generation_of(copy) / "links.00000"
        content = bytearray(victim.read_bytes())
        content[len(content) // 2] ^= 1
        victim.write_bytes(content)
        code, out, errors = run("verify", copy)
        expect(code == 2 and "links.00000" in out and "problems" in errors, out + errors)


def main():
    with temporary_folder() as folder:
        lib = Path(folder) / "lib.ws"
        write("build", lib, OLD, NEW)
        return run_tests(globals(), lib, Truth())


if __name__ == "__main__":
    sys.exit(main())
