"""Archives from Python answer as the command line does."""

import sys

from module import SAMPLE, expect, fails, run, run_tests, temporary_folder, webstrata, write


def test_an_archive_opens(archive):
    library = webstrata.open(archive)
    uid = 7
    expect(library.uid(library.url(uid)) == uid, library.url(uid))
    line = run("url", archive, uid)[1].split("\t")
    expect(line[1] == library.url(uid), line)


def test_what_is_not_there_is_an_error(archive):
    fails("not_found", lambda: webstrata.open(archive / "nothing"), "nothing")


def main():
    with temporary_folder() as folder:
        from pathlib import Path

        archive = Path(folder) / "lib.ws"
        write("build", archive, SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
        return run_tests(globals(), archive)


if __name__ == "__main__":
    sys.exit(main())
