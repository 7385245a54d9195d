# SPDX-License-Identifier: Apache-2.0
"""Crawl files of a job: on a shared path, or on a server that executors read for themselves (http://, https://, s3://)."""

from __future__ import annotations

import glob
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Dict, List, Sequence, Tuple

from ... import _core
from ..._error import Error

REMOTE_LOOKED_AT_MAX = 1000  # a request each; of more, all count as equally large
REQUESTS_AT_ONCE = 16


def existing(inputs: Sequence[str]) -> List[str]:
    """Absolute paths and URLs. A wrong name is an error before anything starts."""
    if isinstance(inputs, (str, os.PathLike)):
        raise Error("inputs is a list of paths, not one path")
    paths: List[str] = []
    for path in map(os.fspath, inputs):
        is_several = _core.is_remote(path) or os.path.isdir(path)  # of a server: a name with a slash at its end
        found = _core.expand_inputs([path]) if is_several else [path]
        if any(sign in path for sign in "*?[") and not _core.is_remote(path) and not os.path.exists(path):
            found = sorted(glob.glob(path))
        if not found:
            raise Error(f"{path}: no file matches")
        paths.extend(found)
    if not paths:
        raise Error("no input: name at least one file")
    for path in paths:
        check(path)
    remote = [path for path in paths if _core.is_remote(path)]
    sizes_of(remote[:1])  # credentials, endpoint and region serve for all
    return [path if _core.is_remote(path) else os.path.abspath(path) for path in paths]


def check(path: str) -> None:
    """Refuses a name that executors cannot read."""
    if _core.is_remote(path):
        return
    scheme, there, rest = path.partition("://")
    if there and not os.path.exists(path):
        remedy = {"s3a": f"write s3://{rest}", "s3n": f"write s3://{rest}", "file": "write the path alone"}.get(
            scheme, "mount it on a path that all executors share, or use https:// or s3://")
        raise Error(f"{path}: {scheme}:// is not read through Hadoop; {remedy}. Executors read http://, https:// and s3:// for themselves, "
                    "with the AWS_* variables of their environment (spark.executorEnv.AWS_ENDPOINT_URL=...)")
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        error = Error(f"{path}: missing or unreadable; nothing was written")
        error.kind = "not_found"
        raise error


def sizes_of(paths: Sequence[str]) -> Dict[str, int]:
    """Bytes of every file; 1 of a remote one whose server does not say, or if there are too many to ask for."""
    sizes = {path: os.path.getsize(path) for path in paths if not _core.is_remote(path)}
    remote = [path for path in paths if _core.is_remote(path)]
    if len(remote) > REMOTE_LOOKED_AT_MAX:
        return {**sizes, **dict.fromkeys(remote, 1)}
    with ThreadPoolExecutor(REQUESTS_AT_ONCE) as pool:
        return {**sizes, **dict(zip(remote, (size or 1 for size in pool.map(_core.input_size, remote))))}


def shares(inputs: List[str], count: int) -> List[List[str]]:
    """Files in `count` shares of about equal bytes: the largest first, each to the smallest share."""
    sizes = sizes_of(inputs)
    total: List[Tuple[int, int, List[str]]] = [(0, place, []) for place in range(min(count, len(inputs)))]
    for path in sorted(inputs, key=lambda path: (-sizes[path], path)):
        size, place, files = min(total)
        total[place] = (size + sizes[path] + 1, place, files + [path])
    return [files for _, _, files in total]
