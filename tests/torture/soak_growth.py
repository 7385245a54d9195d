# SPDX-License-Identifier: Apache-2.0
"""What must not grow: memory, open files and deleted files of processes that run for the whole soak, and what is in its folders.

Sampled all the time; the median of the last third is compared with that of the first third, under bounds that are generous, since the
archive itself gets larger: a leak of a page per request or of a file per generation is far above them within minutes.
"""

import os
import re
import statistics
import threading
import time
from pathlib import Path

MB = 1 << 20
# name of a measure: (factor, more): the last third may have first * factor + more
BOUNDS = {
    "memory": (1.5, 64 * MB),
    "open files": (1.5, 64),
    "deleted files in use": (1.5, 64),
    "files": (1.5, 120),
    "bytes per fact": (1.5, 40),
}


def memory_of(pid):
    """Bytes of its own, without the files that it maps."""
    return 1024 * int(re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


def open_files_of(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def deleted_files_of(pid):
    """Mapped or open, and no longer there: what is left of old generations."""
    mapped = {line.split(None, 5)[5] for line in Path(f"/proc/{pid}/maps").read_text().splitlines() if line.endswith(" (deleted)")}
    return len(mapped) + sum(is_deleted(Path(f"/proc/{pid}/fd/{name}")) for name in os.listdir(f"/proc/{pid}/fd"))


def is_deleted(link):
    try:
        return os.readlink(link).endswith(" (deleted)")
    except OSError:
        return False


def files_in(folder):
    return sum(len(names) for _, _, names in os.walk(folder))


def bytes_in(folder):
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_size
            except FileNotFoundError:  # replaced meanwhile
                pass
    return total


class Growth:
    """Measures until it is stopped."""

    def __init__(self, seconds):
        self.pause, self.series = min(5, max(0.2, seconds / 200)), {}
        self.processes, self.measures = {}, {}
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def watch_process(self, name, pid):
        self.processes[name] = pid

    def watch(self, name, measure, function):
        self.measures[name, measure] = function

    def start(self):
        self.thread.start()

    def stop(self):
        self.stopped.set()
        self.thread.join()

    def _run(self):
        while not self.stopped.wait(self.pause):
            self.sample()

    def sample(self):
        for name, pid in list(self.processes.items()):
            try:
                for measure, function in (("memory", memory_of), ("open files", open_files_of), ("deleted files in use", deleted_files_of)):
                    self._note(name, measure, function(pid))
            except (OSError, TypeError):  # it has ended: whoever started it will say so
                pass
        for (name, measure), function in list(self.measures.items()):
            value = function()
            if value is not None:
                self._note(name, measure, value)

    def _note(self, name, measure, value):
        self.series.setdefault((name, measure), []).append((time.monotonic(), value))

    def rows(self):
        """name, measure, median of the first third, of the last, bound, whether it holds."""
        found = []
        for (name, measure), points in sorted(self.series.items()):
            begin, end = points[0][0], points[-1][0]
            third = (end - begin) / 3
            first = statistics.median(value for moment, value in points if moment <= begin + third)
            last = statistics.median(value for moment, value in points if moment >= end - third)
            factor, more = BOUNDS[measure]
            found.append({"what": name, "measure": measure, "first": first, "last": last, "bound": first * factor + more,
                          "held": last <= first * factor + more, "samples": len(points)})
        return found
