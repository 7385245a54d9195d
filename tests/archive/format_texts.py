# SPDX-License-Identifier: Apache-2.0
"""The layer of texts, decoded as docs/FORMAT.md draws it, in plain Python. Part of format_reader.py."""

from format_bits import Bytes, Tokens, check, read_tables, unzigzag
from format_codecs import decode_names

EXPECTED, RESUMED, RECENT, NAMED = range(4)


def decode_texts(data):
    """For each node [], or lists of links, texts, first rows and end rows."""
    source = Bytes(data)
    nodes, items = source.varint(), source.varint()
    check(1 <= nodes <= 1 << 16 and items <= 1 << 22, "texts: too many")
    rows = [[] for _ in range(nodes)]
    if items == 0:
        return rows
    words = [word for _ in range(source.varint()) for word in decode_names(source.take(source.varint()))[0]]
    tokens = Tokens(read_tables(source, 27), source.rest())
    state = State(words)
    node = -1
    while items > 0:
        node += tokens.get(0) + 1
        check(node < nodes, "texts: a node beyond the chunk's")
        found = read_node(tokens, state)
        rows[node] = [list(column) for column in zip(*found)]
        items -= len(found)
    check(items == 0, "texts: more than stated")
    return rows


class State:
    def __init__(self, words):
        self.words, self.after, self.recent = words, {}, []
        self.before = self.missed = None
        self.last_named, self.last_width, self.last_how = -1, 0, EXPECTED

    def take(self, text, how):
        check(text is not None and 0 <= text < len(self.words), "texts: no such text")
        guess = self.after.get(self.before)
        if how != EXPECTED and guess is not None:
            self.missed = guess
        if how == RECENT:
            self.recent.remove(text)
        if how in (RECENT, NAMED):
            self.recent.append(text)
            del self.recent[:-4096]
        self.after[self.before] = text
        self.before, self.last_how = text, how
        return self.words[text]


def read_node(tokens, state):
    state.before = state.missed = None
    links, link, found = tokens.get(1) + 1, 0, []
    is_first = True
    while True:
        run = (tokens.get(2 if is_first else 3) or links + 1) - 1
        is_first = False
        for _ in range(run):
            found.append((link, state.take(state.after.get(state.before), EXPECTED), 0, 0))
            link += 1
        links -= run
        check(links >= 0, "texts: a run beyond the node's links")
        if links == 0:
            return found
        link += tokens.get(4)
        for number in range(tokens.get(5) + 1):
            text = read_text(tokens, state, number > 0)
            form = tokens.get(24 if number else 23)
            check(form in (0, 1, 2) and (form != 1 or number), "texts: an unknown form")
            first, end = (found[-1][3], 0) if form == 1 else (0, 0)
            if form == 2:
                first = tokens.get(25)
                length = tokens.get(26)
                end = first + length if length else 0
            check(not number or (found[-1][2], found[-1][1]) < (first, text), "texts: out of order")
            found.append((link, text, first, end))
        link += 1
        links -= 1
        if links == 0:
            return found


def read_text(tokens, state, is_further):
    how = tokens.get((10 if is_further else 6) + state.last_how)
    if how == EXPECTED:
        return state.take(state.after.get(state.before), how)
    if how == RESUMED:
        return state.take(state.missed, how)
    if how == RECENT:
        rank = tokens.get(14)
        check(rank < len(state.recent), "texts: a rank beyond the recent ones")
        return state.take(state.recent[-1 - rank], how)
    check(how == NAMED, "texts: an unknown reference")
    code = tokens.get(15 + state.last_width)
    state.last_width = min(code.bit_length() // 2, 7)
    state.last_named = state.last_named + 1 + unzigzag(code)
    return state.take(state.last_named, how)
