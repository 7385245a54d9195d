# SPDX-License-Identifier: Apache-2.0
"""The words that arguments take, as types: an editor completes them, and mypy finds a word that does not exist.

    def score(graph: webstrata.Snapshot, by: webstrata.literals.Ranking) -> webstrata.Scores:
        return graph.rank(by)
"""

from __future__ import annotations

from typing import Literal

#: What the nodes of a graph are.
Level = Literal["page", "host", "domain"]
#: Dialects in which spellings of a URL are equal.
Dialect = Literal["ia", "pywb", "cdxj"]
#: Dialects of the keys of an index.
KeyDialect = Literal["pywb", "ia", "cdxj", "exact"]
Direction = Literal["out", "in"]
#: Columns of captures: our own, or those of Common Crawl's index.
CaptureSchema = Literal["webstrata", "commoncrawl"]
Schemes = Literal["web", "all"]
Digests = Literal["full", "64bit", "none"]
#: Forms of a whole archive.
LineForm = Literal["jsonl", "cdxj", "uids", "scores"]
#: Forms of a graph.
GraphForm = Literal["tsv", "csv", "ascii", "bvgraph", "commoncrawl", "graphml", "gexf"]
ExportForm = Literal["jsonl", "cdxj", "uids", "scores", "tsv", "csv", "ascii", "bvgraph", "commoncrawl", "graphml", "gexf"]

Ranking = Literal["pagerank", "hubs", "authorities", "hits", "indegree", "outdegree", "harmonic"]
DeadEnds = Literal["uniform", "preference", "drop"]
PageRankMethod = Literal["gauss-seidel", "power"]
SeedMethod = Literal["pandora", "cores", "maxout", "outdegree", "pagerank", "random"]
PlannerName = Literal[
    "auto", "lore", "pb", "pa-ratio", "pa", "asf", "bfs", "ai", "recursive", "pagerank", "indegree", "random"]
Target = Literal["present", "moved", "unchanged", "changed", "active"]
Sameness = Literal["auto", "text", "payload", "links", "text+links"]
Scope = Literal["captured", "all"]
SampleKind = Literal["random", "indegree", "pagerank", "systematic"]
PlannerTies = Literal["pagerank", "number", "random"]
Site = Literal["auto", "host", "directory"]
Unsampled = Literal["last", "mean"]
Estimator = Literal[
    "extra", "bandit", "nh-n-sum", "nh-n-avg", "nh-n-max", "nh-e-sum", "nh-e-avg", "nh-e-max", "nh-ne-sum", "nh-ne-avg", "nh-ne-max",
    "lnh-sum", "lnh-avg", "lnh-max", "hybrid-sum", "hybrid-avg", "hybrid-max", "nr", "nr-sum", "nr-full", "opic", "opic-link",
    "opic-node", "opic-both", "bf", "random", "oracle"]
CrawlValue = Literal["sum", "count"]
#: What numbers of pages are: scores, or counts that become scores.
Smooth = Literal["none", "log"]
CrawlTies = Literal["first", "nh-n", "random"]
RecrawlPolicy = Literal["hedged", "optimal", "proportional", "uniform"]
#: What became of a page.
Outcome = Literal["alive", "moved", "blocked", "unreachable", "gone", "soft-gone", "unknown"]
#: How an answer is judged.
Rule = Literal["evidence", "paper"]
ErrorKind = Literal["bad_input", "not_found", "corrupt", "io", "cancelled"]
