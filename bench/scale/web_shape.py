#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shape of a dated web, real or generated: what bench/scale/dated_web.cpp has to imitate.

    bench/scale/web_shape.py CRAWL... [--json]

A CRAWL is a file of one crawl: JSON lines (url, ts or time, links), or the tab-separated lines of openbsd-www (all captures of a page
after each other), plain or .zst. Several crawls are compared with each other in their order.
"""

import argparse
import collections
import json
import math
import subprocess
from pathlib import Path


def rows_of(path):
    """(url, time, targets) of every capture."""
    words = ["zstd", "-dcq", "--long=27", path] if path.suffix == ".zst" else ["cat", path]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as source:
        for line in source.stdout:
            if line.startswith(b"{"):
                row = json.loads(line)
                links = [link if isinstance(link, str) else link["url"] for link in row.get("links") or ()]
                yield row["url"], row.get("ts") or row["time"], links
            else:
                url, time, *links = line.decode(errors="replace").rstrip("\n").split("\t")
                yield url, time, links


def host_of(url):
    return url.split("/", 3)[2]


def folder_of(url):
    return url.rsplit("/", 1)[0]


class Names:
    """Numbers instead of URLs, so that millions of links fit."""

    def __init__(self):
        self.numbers, self.urls = {}, []

    def number(self, url):
        found = self.numbers.setdefault(url.split("#")[0], len(self.numbers))
        if found == len(self.urls):
            self.urls.append(url.split("#")[0])
        return found


def read(path, names):
    """url number -> set of target numbers; of several captures of a page the last one."""
    pages = {}
    for url, _, links in rows_of(path):
        source = names.number(url)
        pages[source] = {names.number(link) for link in links if link.startswith("http")} - {source}
    return pages


def quantiles(values, shares=(0.5, 0.9, 0.99, 1)):
    values = sorted(values)
    return [values[min(len(values) - 1, int(share * len(values)))] for share in shares]


def menus_of(pages, group, least=5, share=0.8):
    """(group, target) of targets that most pages of a group link to."""
    sizes, counts = collections.Counter(), collections.Counter()
    for source, links in pages.items():
        sizes[group(source)] += 1
        counts.update((group(source), target) for target in links)
    return {pair for pair, count in counts.items() if sizes[pair[0]] >= least and count >= share * sizes[pair[0]]}


def hill(degrees, share=0.01):
    """Exponent of the tail of a degree distribution: the largest hundredth of the degrees."""
    top = sorted((degree for degree in degrees if degree > 0), reverse=True)[:max(10, int(share * len(degrees)))]
    return 1 + len(top) / sum(math.log(degree / top[-1]) for degree in top) if top[0] > top[-1] else math.inf


def where(pages, host, folder):
    """Links by where they lead, as shares."""
    counts = collections.Counter()
    for source, links in pages.items():
        for target in links:
            counts["same folder" if folder[source] == folder[target] else "same host" if host[source] == host[target] else "elsewhere"] += 1
    total = sum(counts.values())
    return {name: counts[name] / total for name in ("same folder", "same host", "elsewhere")}


def copied(pages, urls):
    """The share of links that the page before it in the order of URLs has as well."""
    same = total = 0
    before = set()
    for source in sorted(pages, key=lambda page: urls[page]):
        same += len(before & pages[source])
        total += len(pages[source])
        before = pages[source]
    return same / total


def shape(pages, names):
    host = [host_of(url) for url in names.urls]
    folder = [folder_of(url) for url in names.urls]
    total = sum(map(len, pages.values()))
    sizes = collections.Counter(host[page] for page in pages)
    folders = collections.Counter(folder[page] for page in pages)
    in_degrees = collections.Counter(target for links in pages.values() for target in links)
    far = collections.Counter(target for source, links in pages.items() for target in links if host[source] != host[target])
    of_host, of_folder = menus_of(pages, lambda page: host[page]), menus_of(pages, lambda page: folder[page])
    host_menu = sum((host[source], target) in of_host for source, links in pages.items() for target in links)
    folder_menu = sum((host[source], target) not in of_host and (folder[source], target) in of_folder for source, links in pages.items() for target in links)
    return {
        "pages": len(pages), "hosts": len(sizes), "links": total, "links per page": total / len(pages),
        "links of a page, quantiles .5 .9 .99 1": quantiles([len(links) for links in pages.values()]),
        "pages without links": sum(not links for links in pages.values()) / len(pages),
        "pages of a host, quantiles": quantiles(sizes.values()), "share of pages on the largest hundredth of hosts": largest(sizes.values(), 0.01),
        "pages of a folder, quantiles": quantiles(folders.values()), "folders per host": len(folders) / len(sizes),
        **{f"links: {name}": share for name, share in where(pages, host, folder).items()},
        "links in menus of hosts": host_menu / total, "links in menus of folders": folder_menu / total,
        "links that the page before has": copied(pages, names.urls),
        "targets per page": len(in_degrees) / len(pages), "targets that were captured": sum(target in pages for target in in_degrees) / len(in_degrees),
        "in-degree, quantiles": quantiles(in_degrees.values()), "in-degree, exponent of the tail": hill(list(in_degrees.values())),
        "in-degree from elsewhere, exponent": hill(list(far.values())) if far else None,
        "bytes of a URL": sum(len(names.urls[page]) for page in pages) / len(pages),
    }


def largest(sizes, share):
    sizes = sorted(sizes, reverse=True)
    return sum(sizes[:max(1, int(share * len(sizes)))]) / sum(sizes)


def change(before, after, names):
    kept = before.keys() & after.keys()
    hosts_before, hosts_after = ({host_of(names.urls[page]) for page in pages} for pages in (before, after))
    touched = [page for page in kept if before[page] != after[page]]
    old = sum(len(before[page]) for page in kept)
    return {
        "pages that die": 1 - len(kept) / len(before), "pages that are new": 1 - len(kept) / len(after),
        "hosts that die": 1 - len(hosts_before & hosts_after) / len(hosts_before), "hosts that are new": 1 - len(hosts_before & hosts_after) / len(hosts_after),
        "pages whose links change": len(touched) / max(1, len(kept)),
        "links that die on pages that live": 1 - sum(len(before[page] & after[page]) for page in kept) / max(1, old),
        "links that die, of pages whose links change": 1 - sum(len(before[page] & after[page]) for page in touched) / max(1, sum(len(before[page]) for page in touched)),
    }


def history(path):
    """Of many captures of each page: how much changes from one to the next."""
    names, last, found = Names(), {}, collections.Counter()
    for url, _, links in rows_of(path):
        now = {names.number(link) for link in links if link.startswith("http")}
        if url in last:
            before = last[url]
            found["pairs"] += 1
            found["changed"] += before != now
            found["old"] += len(before)
            found["died"] += len(before - now)
            found["born"] += len(now - before)
        last[url] = now
    return {"pages": len(last), "captures per page": 1 + found["pairs"] / len(last), "captures whose links differ from the one before": found["changed"] / found["pairs"],
            "links that die from one capture to the next": found["died"] / found["old"], "links that are born": found["born"] / found["old"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("crawls", type=Path, nargs="+")
    parser.add_argument("--history", action="store_true", help="compare each capture of a page with the one before, in one file")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.history:
        found = {str(path): history(path) for path in given.crawls}
    else:
        names = Names()
        crawls = [read(path, names) for path in given.crawls]
        found = {str(path): shape(pages, names) for path, pages in zip(given.crawls, crawls)}
        found |= {f"{one} → {two}": change(before, after, names) for one, two, before, after in zip(given.crawls, given.crawls[1:], crawls, crawls[1:])}
    if given.json:
        print(json.dumps(found, indent=1))
        return
    for name, figures in found.items():
        print(name)
        for what, value in figures.items():
            print(f"    {what:55} {value if not isinstance(value, float) else format(value, '.4g')}")


if __name__ == "__main__":
    main()
