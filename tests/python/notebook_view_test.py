# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: tables of HTML in which nothing from a crawl is markup, and progress without being asked."""

import html.parser
import subprocess
import sys

from module import SAMPLE, expect, fails, run_tests, temporary_folder, webstrata

HOSTILE = ['"><img src=x onerror=alert(1)>', "<script>alert(1)</script>", "</td></table><h1>", "a\u202eb&amp;"]
ALLOWED = {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p"}


class Cells(html.parser.HTMLParser):
    """The tags of a page, and the texts of its cells as a reader sees them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.cells = set(), set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}
        if tag in ("td", "th", "caption"):
            self.cells.append("")

    def handle_data(self, text):
        if self.cells:
            self.cells[-1] += text


def shown(thing):
    cells = Cells(thing._repr_html_())
    expect(cells.tags <= ALLOWED and cells.attributes <= {"style"}, f"{cells.tags} {cells.attributes}")
    return cells.cells


def test_tables_and_scores_are_shown(folder):
    graph = webstrata.Snapshot.from_links([(name, "end") for name in HOSTILE])
    cells = shown(graph.nodes())
    expect(cells[0] == "webstrata.Table of 5 rows", cells[0])
    for name in HOSTILE[:3]:
        expect(name in cells, f"{name} is not in {cells}")
    expect("a\ufffdb&amp;" in cells, "what turns writing round is replaced")
    scores = graph.pagerank()
    cells = shown(scores)
    expect("webstrata.Scores of 5 nodes by pagerank" in cells[0] and cells[1:4] == ["name", "score", "end"], cells[:5])
    expect(float(cells[4]) == round(float(scores.top(1)[0][1]), 6), cells[4])
    long = webstrata.Snapshot.from_links([("x" * 5000, f"page {i}") for i in range(100)])
    text = long.links(names=True)._repr_html_()
    expect("The first 20 of 100 rows." in text and len(text) < 10_000, f"{len(text)} characters")
    expect(len([cell for cell in shown(long.links(names=True)) if cell.startswith("page ")]) == 20, "twenty rows")


def test_archives_are_shown(folder):
    place = folder / "<b>lib.ws"
    webstrata.build(place, SAMPLE / "2021.warc.gz")
    library = webstrata.open(place)
    cells = shown(library)
    info = library.info()
    expect("<b>lib.ws" in cells[0], cells[0])
    for name in ("pages", "captures", "links"):
        expect(cells[cells.index(name) + 1] == f"{info[name]:,}", name)
    expect(cells[cells.index("first") + 1] == info["first"].strftime("%Y-%m-%d %H:%M:%S"), "the span of time")
    library.close()
    expect("closed" in shown(library)[0], "closed")


def test_strata_are_a_page_in_a_frame_of_its_own(folder):
    webstrata.build(folder / "lib.ws", [SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"])
    library = webstrata.open(folder / "lib.ws")
    page = "http://python-quart-doc.docs.example/tutorials/installation.html"
    found = library.strata(page, report=folder / "page.html")
    frame = Cells(found._repr_html_())
    expect(frame.tags == {"iframe"} and frame.attributes == {"sandbox", "style", "title", "srcdoc"}, f"{frame.tags} {frame.attributes}")
    expect('sandbox="allow-scripts allow-downloads allow-popups"' in found._repr_html_(), "it cannot reach the notebook")
    expect((folder / "page.html").read_text() == found.to_html() and found.to_html().startswith("<!doctype html>"), "the same page as a file")
    told = library.history(page).to_pandas().set_index("url")
    mine = found.to_pandas().set_index("url")
    expect(sorted(told.index) == sorted(mine.index) and list(mine["captures"]) == list(found.present.sum(axis=1)), "a row for each link")
    for url in told.index:
        expect(all(told.loc[url][name] == mine.loc[url][name] for name in ("first", "last", "captures")), url)
    fails("bad_input", lambda: library.strata(page, direction="up"), "not out or in")


def test_frames_of_other_libraries(folder):
    graph = webstrata.Snapshot.from_links([("a", "b"), ("c", "b")])
    ranked = graph.pagerank()
    pandas, polars = ranked.to_pandas(), ranked.to_polars()
    expect(list(pandas.columns) == polars.columns == ["name", "score"], polars.columns)
    expect(list(pandas["score"]) == polars["score"].to_list() == list(ranked.scores), "the same scores")
    both = graph.hits().to_pandas()
    expect(list(both.columns) == ["name", "hub", "authority"], both.columns)
    run = graph.liverank({"a": "alive", "b": "gone", "c": "alive"}, scope="all")
    expect(len(run.to_pandas()) == len(run.to_polars()) == run.tests == 3, "runs too")
    crawl = graph.explore({"a": 1, "b": 2}, budget=1, by="bf", seeds=["a"])
    expect(list(crawl.to_polars()["url"])[-1] == "b", "and crawls")


def test_captures_are_read_again_or_not_at_all(folder):
    webstrata.build(folder / "lib.ws", SAMPLE / "2021.warc.gz")
    captures = webstrata.open(folder / "lib.ws").captures()
    first = [capture.url for capture in captures]
    expect(len(first) > 500 and [capture.url for capture in captures] == first, "the same again")
    expect(next(iter(captures)) == next(iter(captures)), "each iteration starts from the beginning")
    expect(captures.to_arrow().num_rows == len(captures.to_polars()) == len(captures.to_pandas()) == len(first), "as tables, too")
    started = iter(captures)
    next(started)
    expect(len(list(captures)) == len(first) and len(list(started)) == len(first) - 1, "two at the same time do not disturb each other")
    reading = webstrata.read(SAMPLE / "2021.warc.gz")
    expect(len(list(reading)) == 590, "captures of a file")
    for again in (lambda: list(reading), lambda: next(reading.batches()), reading.to_arrow, reading.to_pandas, reading.to_polars, reading.__arrow_c_stream__):
        fails("bad_input", again, "read already", "webstrata.read()")
    begun = webstrata.read(SAMPLE / "2021.warc.gz")
    next(iter(begun))
    fails("bad_input", lambda: list(begun), "read already")


NOTEBOOK = """
import webstrata, webstrata._progress
webstrata._progress._DELAY_S = 0  # so that a short operation shows its bar
webstrata.build(FOLDER + "/lib.ws", SAMPLE + "/2021.warc.gz")
"""


def test_a_notebook_shows_progress_by_default(folder):
    import nbformat
    from nbclient import NotebookClient

    def outputs(code):
        cell = nbformat.v4.new_code_cell(f"FOLDER, SAMPLE = {str(folder)!r}, {str(SAMPLE)!r}\n{code}")
        book = nbformat.v4.new_notebook(cells=[cell])
        NotebookClient(book, timeout=300, kernel_name="python3").execute()
        return book.cells[0].outputs

    drawn = [output["data"] for output in outputs(NOTEBOOK) if output.output_type == "display_data"]
    expect(drawn, "no bar")
    for data in drawn:
        expect(data["text/plain"].startswith("webstrata: ") and data["text/plain"].endswith(", done"), data)
        expect("<progress " in data["text/html"], data)
    silent = outputs('import webstrata\n_ = webstrata.verify(FOLDER + "/lib.ws", progress=False)')
    expect(silent == [], silent)


SCRIPT = """
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
text = b""
try:
    while part := os.read(terminal, 4096):
        text += part
except OSError:
    pass
os.waitpid(pid, 0)
sys.stdout.buffer.write(text)
"""


def on_a_terminal(*words):
    done = subprocess.run([sys.executable, "-c", SCRIPT, *map(str, words)], capture_output=True, text=True, timeout=300)
    expect(done.returncode == 0, done.stderr)
    return done.stdout


def test_a_script_is_silent_unless_asked(folder):
    webstrata.build(folder / "lib.ws", SAMPLE / "2021.warc.gz")
    code = f"import webstrata, webstrata._progress as p; p._DELAY_S = 0; webstrata.verify({str(folder / 'lib.ws')!r}%s)"
    expect(on_a_terminal("-c", code % "") == "", "a script on a terminal")
    expect(on_a_terminal("-c", code % ", progress=True") != "", "asked for")
    expect(on_a_terminal("-c", f"import sys; sys.ps1 = '>>> '; {code % ''}") != "", "somebody types")


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
