#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A web for long crawls: links.tsv and counts.tsv, for `webstrata explore links.tsv --topic counts.tsv --smooth log`.

    bench/explore/generated_web.py FOLDER --pages 400000 --seed 1

Pages belong to communities whose sizes follow Zipf's law. In a few communities the topic is common, in the others it is rare, so that about
a tenth of all pages have its word, as often as a geometric law says. Most links stay in the community, prefer pages with many links (a page
drawn as the target of a random earlier link), and lead to pages about the topic a little more often from pages about it. A link has the
word next to it if it leads to a page with the word, half of the time, and now and then by chance.
"""

import argparse
import random
from pathlib import Path


def communities(pages, count):
    """First pages, with the end."""
    weights = [1 / (rank + 1) for rank in range(count)]
    starts, so_far = [0], 0.0
    for weight in weights:
        so_far += weight
        starts.append(int(pages * so_far / sum(weights)))
    return starts


def count_of(drawn, chance):
    count = 0
    if drawn.random() < chance:
        count = 1
        while drawn.random() < 0.5:
            count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=400000)
    parser.add_argument("--links", type=int, default=12, help="of a page, on average")
    parser.add_argument("--seed", type=int, default=1)
    flags = parser.parse_args()
    drawn = random.Random(flags.seed)
    starts = communities(flags.pages, 400)
    is_about = [drawn.random() < 0.12 for _ in starts]
    counts, home = [], []
    for place, (first, end) in enumerate(zip(starts, starts[1:])):
        for _ in range(first, end):
            counts.append(count_of(drawn, 0.55 if is_about[place] else 0.03))
            home.append(place)
    with (flags.folder / "links.tsv").open("w") as links, (flags.folder / "counts.tsv").open("w") as scores:
        for page, count in enumerate(counts):
            if count:
                scores.write(f"{page}\t{count}\n")
        popular = [list(range(first, min(first + 50, end))) or [0] for first, end in zip(starts, starts[1:])]
        for page in range(flags.pages):
            targets = set()
            for _ in range(1 + int(drawn.expovariate(1 / (flags.links - 1)))):
                place = home[page] if drawn.random() < 0.8 else drawn.randrange(len(popular))
                near = popular[place]
                for _ in range(2 if counts[page] else 1):  # a second look, for a page with the word
                    target = drawn.choice(near) if drawn.random() < 0.5 else drawn.randrange(starts[place], max(starts[place] + 1, starts[place + 1]))
                    if counts[target]:
                        break
                if target != page and target not in targets:
                    targets.add(target)
                    near.append(target)
            for target in sorted(targets):
                links.write(f"{page}\t{target}\n")
                word = count_of(drawn, 0.5 if counts[target] else 0.01)
                if word:
                    scores.write(f"{page}\t{target}\t{word}\n")


if __name__ == "__main__":
    main()
