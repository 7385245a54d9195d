"""`make demo` runs through, and ends with the first report and the files that it names."""

import os
import subprocess
import sys
from pathlib import Path

from archives import temporary_folder
from running import SOURCE, expect


def main():
    with temporary_folder() as name:
        out = Path(name) / "demo"
        environment = {**os.environ, "DEMO_FOLDER": str(out)}  # WEBSTRATA_PROGRAM is there already
        done = subprocess.run([SOURCE / "examples" / "demo.sh"], env=environment, capture_output=True, text=True, timeout=600)
        expect(done.returncode == 0, done.stdout[-500:] + done.stderr)
        named = [Path(word) for word in " ".join(done.stdout.splitlines()[-2:]).split()]
        expect([path.name for path in named] == ["rank.html", "rank.txt", "seeds.html", "seeds.txt"], named)
        for path in named:
            expect(path.stat().st_size > 0, f"{path} is empty")
            if path.suffix == ".txt":
                expect(path.read_text() in done.stdout, f"{path} is not what was shown")
            else:
                expect(path.read_text().rstrip().endswith("</html>"), f"{path} is not whole")
    print(f"the demo ends with {', '.join(path.name for path in named)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
