"""Writes examples/notebooks anew: cells from the stories below, outputs from running them (needs nbclient and the module).

    PYTHONPATH=build/dev/python python tools/make_notebooks.py
"""

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

SOURCE = Path(__file__).resolve().parent.parent
FOLDER = SOURCE / "examples" / "notebooks"

BEGIN = """import webstrata

sample = "{sample}"
"""

STORIES = {
    "archivist": [
        "# The archivist\n\nA library has two crawls as WARC. Who linked to this page in 2021? Which of the old pages should be checked first, if only "
        "60 requests can be spent? And a page has to go, for good.",
        BEGIN + """written = webstrata.build("lib.ws", f"{sample}/2021.warc.gz", progress=False)
written.pages, written.links""",
        "More crawls come in later; the archive is the same as if it had been built at once.",
        """webstrata.update("lib.ws", f"{sample}/2023.warc.gz", progress=False).pages""",
        """library = webstrata.open("lib.ws")
page = "http://python-quart-doc.docs.example/tutorials/installation.html"
library.links(page, direction="in", at="2021").to_pandas()[["url", "kinds"]].head()""",
        "When did each of these links live?",
        """library.history(page, direction="in").to_pandas()[["url", "first", "last", "captures"]].head()""",
        "What became of 2021's pages? The test would be a request to the web; here the crawl of 2023 answers. `auto` finds the living pages with few tests.",
        """old = library.snapshot(at="2021", columns=True)
newer = library.snapshot(during="2023..", columns=True)

def test(url: str) -> int:
    return 200 if newer.find(url) is not None else 404

run = old.liverank(test, budget=60)
run.tests, run.found, run.outcomes""",
        "Somebody asks to be forgotten. `forget` waits until nobody reads the old generation any more, so we let go of it first.",
        """del library, old, newer
gone = webstrata.forget("lib.ws", prefix="http://python-quart-doc.docs.example/tutorials/", progress=False)
gone.names, gone.records[0].file""",
        """webstrata.open("lib.ws").url(page) is None, webstrata.verify("lib.ws").problems""",
    ],
    "web_scientist": [
        "# The web scientist\n\nHow did the links between these sites change? Give me the graph of 2021, its PageRank, its communities.",
        BEGIN + """webstrata.build("lib.ws", [f"{sample}/2021.warc.gz", f"{sample}/2023.warc.gz"], progress=False)
library = webstrata.open("lib.ws")
changed = library.diff("2021", "2023")
changed.hosts.to_pandas().set_index("host")[["pages_appeared", "pages_vanished", "links_appeared", "links_vanished"]].tail(6)""",
        "PageRank of the hosts, then and now:",
        """import pandas

then = library.snapshot(at="2021", level="host", inner_links=False)
now = library.snapshot(at="2023", level="host", inner_links=False)
ranks = pandas.DataFrame({"2021": dict(then.pagerank().top(100)), "2023": dict(now.pagerank().top(100))})
ranks.sort_values("2021", ascending=False).head(5).round(4)""",
        "Communities, with networkx:",
        """import networkx

network = now.to_networkx()
communities = networkx.community.greedy_modularity_communities(network.to_undirected())
[len(community) for community in communities][:5]""",
        "All links with their lives, as a table that DuckDB asks without a copy:",
        """import duckdb

links = library.links().to_arrow()
duckdb.sql("SELECT year(first_seen) AS year, count(*) AS links FROM links GROUP BY 1 ORDER BY 1").df()""",
        "And as Parquet, for everything else:",
        """library.links().to_parquet("links.parquet")
import pyarrow.parquet

pyarrow.parquet.read_metadata("links.parquet").num_rows == len(links)""",
    ],
    "crawl_engineer": [
        "# The crawl engineer\n\nChoose seeds from the old crawl, see whether they are alive, and plan the next crawl.",
        BEGIN + """webstrata.build("lib.ws", [f"{sample}/2021.warc.gz", f"{sample}/2023.warc.gz"], progress=False)
library = webstrata.open("lib.ws")
old = library.snapshot(at="2021", columns=True)
newer = library.snapshot(during="2023..", columns=True)
old, newer""",
        "Seeds by bipartite cores: hubs that agree on authorities. Every one says why.",
        """chosen = old.seeds(by="cores", count=5, truth=newer)
for seed in chosen.seeds:
    print(seed.url, "|", seed.why)
print(chosen.tests, "tests,", len(chosen.vanished), "had vanished")""",
        "How many tests does each method need to find half of the living pages, for each page found?",
        """{method: round(old.liverank(newer, by=method).cost(0.5) or 0, 2) for method in ("random", "indegree", "pagerank", "pa-ratio", "auto")}""",
        "A campaign over days: name pages, test them, learn, go on.",
        """planner = old.planner("auto", seed=7)
for day in range(3):
    batch = planner.next(20)
    planner.learn({url: newer.find(url) is not None for url in batch})
    print(f"day {day + 1}: {planner.live_count} live of {planner.decided_count} tested")
planner.why(batch[0])[:3]""",
        "What the crawl files hold, in the columns of Common Crawl's index:",
        """rows = webstrata.read(f"{sample}/2023.warc.gz", schema="commoncrawl", crawl="2023").to_parquet("index.parquet")
import duckdb

duckdb.sql("SELECT subset, fetch_status, count(*) AS captures FROM 'index.parquet' GROUP BY ALL ORDER BY ALL").df()""",
    ],
}


def notebook_of(cells):
    """Text and code: what begins with a statement of Python is code."""
    book = nbformat.v4.new_notebook()
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for number, cell in enumerate(cells):
        is_code = number > 0 and _is_code(cell)
        made = nbformat.v4.new_code_cell(cell) if is_code else nbformat.v4.new_markdown_cell(cell)
        made["id"] = f"cell-{number}"
        book.cells.append(made)
    return book


def _is_code(cell):
    try:
        compile(cell, "cell", "exec")
    except SyntaxError:
        return False
    return True


def executed(book, folder):
    """In a folder of its own; what depends on the moment is taken out."""
    NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    for cell in book.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    book.metadata.pop("language_info", None)
    return book


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, cells in STORIES.items():
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "sample").symlink_to(SOURCE / "examples" / "sample")
            book = executed(notebook_of([cell.replace("{sample}\"\n", "sample\"\n", 1) for cell in cells]), folder)
        nbformat.write(book, FOLDER / f"{name}.ipynb")
        print(FOLDER / f"{name}.ipynb", file=sys.stderr)


if __name__ == "__main__":
    main()
