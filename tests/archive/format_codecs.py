# SPDX-License-Identifier: Apache-2.0
"""The chunks of all layers, decoded as docs/FORMAT.md draws them, in plain Python. Part of format_reader.py."""

import base64
from bisect import bisect_right
from itertools import accumulate

from format_bits import (WORD, Bits, Bytes, Code, Tokens, check, expect_mark, read_codes, read_tables, read_unit_index,
                         signed, size_class, token_number, unzigzag)


# Names ---------------------------------------------------------------------------------------------------------------

def decode_names(data):
    """The keys, and the phrases they are made of."""
    source = Bytes(data)
    count = source.varint()
    if count == 0:
        return [], []
    key_bytes, leader_bytes, head_bytes = source.varint(), source.varint(), source.varint()
    codes = read_tables(source, 8)
    head = Tokens(codes, source.take(head_bytes))
    texts = [(bytes([byte]), False) for byte in range(256)] + [(b"", True)]
    for _ in range(head.get(0)):
        below, left, right = len(texts), 0, 0
        for _ in range(head.get(0)):
            step = head.get(1)
            left, right = left + step, right + head.get(3) if step == 0 else head.get(2)
            check(left < below and right < below and not texts[left][1], "a phrase that cannot be")
            texts.append((texts[left][0] + texts[right][0], texts[right][1]))
    symbols = Code([head.get(4 if symbol < 257 else 5) for symbol in range(len(texts))], 14)
    shared_codes = [Code([head.get(6) for _ in range(104)], 9) for _ in range(16)]
    groups = (count + 15) // 16
    list_bits = [head.get(7) for _ in range(groups + 1)]
    body = source.rest()
    check(body[-8:] == bytes(8), "the end is missing")
    bits = Bits(body[:-8])

    def steps(number, key, shared, rest, end):
        keys = []
        for _ in range(number):
            shared += unzigzag(token_number(shared_codes[min(rest, 15)].symbol(bits), bits))
            check(0 <= shared <= len(key), "a key shares more than there is")
            key, ended = key[:shared], False
            while not ended:
                text, ended = texts[symbols.symbol(bits)]
                key += text
            rest = len(key) - shared
            keys.append(key)
        check(bits.place == end, "a group of another size")
        return keys

    ends = list(accumulate(list_bits))
    leaders = steps(groups, b"", 0, 0, ends[0])
    keys = []
    for group, leader in enumerate(leaders):
        keys.append(leader)
        keys += steps(min(16, count - 16 * group) - 1, leader, len(leader), 0, ends[group + 1])
    check(sum(map(len, keys)) == key_bytes and sum(map(len, leaders)) == leader_bytes, "keys of another size")
    return keys, [text for text, _ in texts[257:]]


# Links ---------------------------------------------------------------------------------------------------------------

LINK_FAMILIES = (["N"] * 6 + ["shapes"] * 25 + ["N"] * 15 + ["firsts"] * 12 + ["G"] * 23 + ["R", "N", "N", "I"])


def below(number, *bounds):
    """How many of the bounds `number` has reached."""
    return sum(number >= bound for bound in bounds)


def decode_links(data, first):
    source = Bytes(data)
    nodes = source.varint()
    if nodes == 0:
        return []
    targets, group = divmod(source.varint(), 8)
    if targets == 0:
        return [[] for _ in range(nodes)]
    body = source.rest()
    bits = Tokens(None, body)
    bits.codes = read_codes(bits, LINK_FAMILIES)
    holds, is_full = [], False
    while len(holds) < nodes:
        run = bits.get(83 if is_full else 82) + (1 if holds or is_full else 0)
        check(run <= nodes - len(holds), "too many nodes")
        holds += [is_full] * run
        is_full = not is_full
    groups = -(-sum(holds) >> group)
    starts = list(accumulate([0] + [bits.get(84) for _ in range(groups - 1)]))
    stream = Tokens(bits.codes, body[(bits.place + 7) // 8:])
    lists, told = [], []
    for node, is_full in enumerate(holds, first):
        if is_full:
            if len(told) % (1 << group) == 0:
                check(stream.place == starts[len(told) >> group], "a group is not where it begins")
                before = (0, 0)
            targets_of_node, before = read_list(stream, node, told, before)
            told.append(targets_of_node)
        lists.append(told[-1] if is_full else [])
    check(sum(map(len, told)) == targets, "another number of links")
    return lists


def read_list(stream, node, told, before):
    """A list, and the contexts a and c of the next one."""
    reference = stream.get(before[0])
    check(reference <= min(len(told), 64), "a reference leaves the chunk")
    copied_from = told[len(told) - reference] if reference else []
    blocks, rest = divmod(stream.codes[6 + 5 * below(reference, 1, 2, 3, 8) + before[1]].symbol(stream), 8)
    blocks += stream.get(31) if blocks == 3 else 0
    rest += stream.get(33 if reference else 32) if rest == 7 else 0
    copied, place = [], 0
    for i in range(blocks):
        length = stream.get(34 + 3 * below(blocks, 2, 3, 5) + (0 if i == 0 else 2 - i % 2)) + (1 if i else 0)
        check(place + length <= len(copied_from), "a block leaves the reference")
        copied += copied_from[place:place + length] if i % 2 == 0 else []
        place += length
    copied += copied_from[place:] if blocks % 2 == 0 else []
    own = read_rest(stream, node, rest, reference, copied) if rest else []
    merged = sorted(copied + own)
    check(merged and all(a < b for a, b in zip(merged, merged[1:])), "targets do not ascend")
    return merged, (1 + below(reference, 1, 2, 3, 8), 1 + below(rest, 1, 2, 4))


def read_rest(stream, node, rest, reference, copied):
    symbol = stream.codes[46 + 2 * below(rest, 2, 3, 5, 9, 17) + (1 if reference else 0)].symbol(stream)
    distance = token_number(symbol // 2, stream)
    own = [node - distance - 1 if symbol % 2 else node + distance]
    context = 58 + below(symbol // 2, 2, 8, 24, 40)
    passed = sum(target <= own[0] for target in copied)

    def go(gap):
        nonlocal passed
        target = own[-1] + gap + 1
        while passed < len(copied) and copied[passed] <= target:
            passed += 1
            target += 1
        own.append(target)

    for _ in range(rest - 1):
        token = stream.codes[context].symbol(stream)
        number = token_number(token, stream)
        if context == 81:
            for _ in range(number):
                go(0)
            context = 78 + below(token, 1, 4)
        else:
            go(number)
            context = 81 if token == 0 else 63 + (token if token < 8 else 8 + below(token, 12, 16, 20, 28, 36, 48))
    check(context != 81, "a run has no length")
    return own


# Times ---------------------------------------------------------------------------------------------------------------

def read_gaps(tokens, first, count):
    """`count` times of which the first is known."""
    times, gap = [first], WORD - 1
    for _ in range(count - 1):
        gap = tokens.get(2 + gap.bit_length() // 4)
        times.append(times[-1] + gap + 1)
        check(times[-1] < 1 << 63, "times do not ascend")
    return times


def decode_times(data):
    source = Bytes(data)
    form = source.u8()
    check(form <= 1, "a form that is not known")
    if form == 0:
        count = source.varint()
        moments = []
        if count:
            first, codes = source.time(), read_tables(source, 19)
            moments = read_gaps(Tokens(codes, source.take(source.varint())), first, count)
        return [[moments[place] for place in places] for places in decode_links(source.rest(), 0)]
    units, marks = read_unit_index(source)
    total, earliest = source.varint(), source.time()
    codes = read_tables(source, 19)
    tokens, times, unit = Tokens(codes, source.rest()), [], 0
    for count in units:
        if count:
            expect_mark(marks, unit, tokens)
            number = tokens.get(0) + 1
            times.append(read_gaps(tokens, signed((earliest + tokens.get(1)) % WORD), number))
        else:
            times.append([])
        unit += count
    check(sum(map(len, times)) == total, "another number of times")
    return times


# Presence ------------------------------------------------------------------------------------------------------------

def read_set(tokens, kind, count, world):
    """`count` places; the size of the world matters for kinds 1 and 3 only."""
    places, place, room, last = [], 0, world, 0
    while count:
        gap, length = 0, count
        if kind not in (1, 3) or count != room:
            detail = size_class(room // count, 7) if kind in (1, 3) else last
            gap = tokens.get(79 + 16 * kind + 2 * detail + (1 if place else 0))
            length = tokens.get(143 + 4 * kind + size_class(count - 1, 4) - 1) + 1 if count > 1 else 1
        check(length <= count and place + gap + length <= world, "a run outside its set")
        places += range(place + gap, place + gap + length)
        place += gap + length + 1
        room = max(0, room - gap - length - 1)
        count -= length
        last = size_class(gap, 6) + 1
    return places


def read_presence_unit(tokens, width, row_count, context):
    missing = set(read_set(tokens, 0, tokens.get(context), width))
    ones, unseen, gone = [c for c in range(width) if c not in missing], sorted(missing), []
    rows, last = [ones], 0
    while len(rows) < row_count:
        left = row_count - len(rows)
        equal = tokens.get(12 + size_class(left, 7) - 1 + 7 * last)
        check(equal <= left, "more rows than the node has")
        rows += [ones] * (equal - 1 if equal else left)
        if equal == 0:
            break
        joint = tokens.get(33 + min(len(unseen), 2) + 3 * min(len(gone), 2) + 9 * last) + 1
        added, removed, returned = joint % 3, joint // 3 % 3, joint // 9
        added += tokens.get(60 + size_class(len(unseen), 7)) if added == 2 else 0
        removed += tokens.get(68 + min(added, 2)) if removed == 2 else 0
        returned += tokens.get(71 + size_class(len(gone), 7)) if returned == 1 else 0
        new = {unseen[place] for place in read_set(tokens, 1, added, len(unseen))}
        off = {ones[place] for place in read_set(tokens, 2, removed, len(ones))}
        back = {gone[place] for place in read_set(tokens, 3, returned, len(gone))}
        unseen = [c for c in unseen if c not in new]
        ones = sorted({*ones, *new, *back} - off)
        gone = sorted({*gone, *off} - back)
        rows.append(ones)
        last = 2 if added + removed + returned > 4 else 1
    return rows


def decode_presence(data, widths):
    """For each node its rows, as lists of columns."""
    source = Bytes(data)
    units, marks = read_unit_index(source)
    check(len(units) == len(widths), "another number of nodes")
    one_count = source.varint()
    codes = read_tables(source, 159)
    tokens, counts, last = Tokens(codes, source.rest()), [], 0
    for number in units:
        if number:
            last = tokens.get(size_class(last, 7)) + 1
            parts = [tokens.get(8) + 1 for _ in range(number - 1)]
            check(sum(parts) < last, "units longer than the node")
            counts.append(parts + [last - sum(parts)])
        else:
            counts.append([])
    nodes, unit = [], 0
    for width, parts in zip(widths, counts):
        rows = []
        for number, part in enumerate(parts):
            expect_mark(marks, unit, tokens)
            context = 11 if number else 9 if sum(parts) == 1 else 10
            rows += read_presence_unit(tokens, width, part, context)
            unit += 1
        nodes.append(rows)
    check(sum(len(row) for rows in nodes for row in rows) == one_count, "another number of ones")
    return nodes


# Kinds ---------------------------------------------------------------------------------------------------------------

def decode_kinds(data, rows_of_nodes):
    """For each node and row the values of its ones."""
    source = Bytes(data)
    units, marks = read_unit_index(source)
    values = [tuple(source.take(2)) for _ in range(source.varint())]
    codes = read_tables(source, 30)
    tokens, nodes, unit = Tokens(codes, source.rest()), [], 0
    parts = [[tokens.get(0) + 1 for _ in range(number - 1)] for number in units]
    for number, rows, rows_of_units in zip(units, rows_of_nodes, parts):
        check((number > 0) == (len(rows) > 0), "a node without values")
        node = []
        for part in rows_of_units + [len(rows) - sum(rows_of_units)] if number else []:
            expect_mark(marks, unit, tokens)
            node += read_kinds_unit(tokens, rows[len(node):len(node) + part], values)
            unit += 1
        nodes.append(node)
    return nodes


def read_kinds_unit(tokens, rows, values):
    runs, start, value = [], 0, 0
    for number in range(tokens.get(1)):
        start += tokens.get(2 + min(value, 3)) + 1 if number else 0
        value = tokens.get(6 + min(value, 7))
        runs.append((start, value))
    changes, column, first_row = [{} for _ in rows], -1, 0
    for _ in range(tokens.get(14 + size_class(len(runs), 3))):
        column += tokens.get(18) + 1
        more = tokens.get(19)
        row = first_row = tokens.get(20) or first_row
        value = 0
        for number in range(more + 1):
            row += tokens.get(21) + 1 if number else 0
            value = tokens.get(22 + min(value, 7))
            changes[row][column] = value
    present, out = {}, []
    for row, changed in zip(rows, changes):
        present.update(changed)
        for column in row:
            if column not in present:
                present[column] = max(run for run in runs if run[0] <= column)[1]
        out.append([values[present[column]] for column in row])
    return out


# Sightings -----------------------------------------------------------------------------------------------------------

# The numbers of a shape, from the lowest bit of a mask on.
SHAPE = ("kind", "outcome", "profile", "flags", "status", "mime", "text_length", "title", "offset", "length",
         "refers_to_time", "redirect", "refers_to", "digest", "text_digest", "spelling", "file", "crawl")


def read_texts(source):
    texts, before = [], b""
    for _ in range(source.varint()):
        front, back = source.varint(), source.varint()
        check(front + back <= len(before), "a text of a table does not fit")
        before = before[:front] + source.take(source.varint()) + before[len(before) - back:]
        texts.append(before)
    return texts


def read_shapes(source):
    shapes, shape = [], dict.fromkeys(SHAPE, 0)
    for _ in range(source.varint()):
        mask = source.varint()
        shape = {**shape, **{field: source.varint() for i, field in enumerate(SHAPE) if mask >> i & 1}}
        shapes.append(shape)
    return shapes


def digest_text(form, data):
    prefix, alphabet, _ = form
    check(alphabet <= 2, "a form of digests is unknown")
    return prefix + (base64.b32encode(data).rstrip(b"="), data.hex().encode(), data.hex().upper().encode())[alphabet]


class SightingsChunk:
    """Decodes a chunk; `texts` is all that its tables hold."""

    def __init__(self, data):
        source = Bytes(data)
        self.nodes, self.records = source.varint(), source.varint()
        self.has_differences, self.base, moments = source.u8() == 1, source.time(), source.varint()
        self.mimes, self.files, self.crawls = read_texts(source), read_texts(source), read_texts(source)
        self.forms = [(source.take(source.u8()), source.u8(), source.u8()) for _ in range(source.varint())]
        self.shapes = read_shapes(source)
        tables = Bytes(source.take(source.varint()))
        codes = read_tables(tables, 86)
        check(tables.place == len(tables.data), "bytes behind the code tables")
        self.entries = Bytes(source.take(source.varint()))
        self.tokens = Tokens(codes, source.rest())
        self.counts = self.read_counts()
        steps = [self.tokens.get(2) for _ in range(moments - 1)]
        self.moments = list(accumulate([self.base] + steps)) if moments else []
        self.texts = self.mimes + self.files + self.crawls + [form[0] for form in self.forms]

    def read_counts(self):
        counts = []
        while True:
            counts += [0] * self.tokens.get(0)
            if len(counts) >= self.nodes:
                break
            counts.append(self.tokens.get(1) + 1)
        check(len(counts) == self.nodes and sum(counts) == self.records, "other nodes or sightings than told")
        return counts

    def decode(self, first, row_times):
        """For each node its sightings. `row_times(uid)` are the times of its rows."""
        lists, since, bit = [], None, 0
        for uid, count in enumerate(self.counts, first):
            if count and (since is None or since >= 16):
                bit += self.entries.varint()
                check(bit == self.tokens.place, "an entry is not where it begins")
                since = 0
                self.begin_entry()
            lists.append(self.read_node(uid, count, row_times(uid)) if count else [])
            since = None if since is None else since + count
        check(self.entries.place == len(self.entries.data), "bytes behind the entries")
        return lists

    def begin_entry(self):
        self.recent = {"digest": [], "text_digest": []}
        self.spelling, self.file, self.crawl, self.offsets = b"", 0, 0, {}

    def read_node(self, uid, count, rows):
        self.last, self.last_shape, self.seconds, self.length_step = {}, None, 0, 0
        records = []
        for _ in range(count):
            records.append(self.read_record(uid, rows, records))
        return records

    def read_record(self, uid, rows, records):
        get = self.tokens.get
        number = get(3 if not records else 4 + min(self.last_shape, 31))
        shape, self.last_shape = self.shapes[number], number
        record = {"kind": shape["kind"], "outcome": shape["outcome"], "profile": shape["profile"],
                  "has_links": bool(shape["flags"] & 1), "truncated": bool(shape["flags"] & 2)}
        if shape["status"]:
            record["status"] = (shape["status"] - 1 ^ 0x8000) - 0x8000
        if shape["mime"]:
            record["mime"] = self.mimes[shape["mime"] - 1]
        record["time"] = self.read_time(record["has_links"], rows, records)
        readers = {"length": lambda: self.read_length(shape),
                   "text_length": self.read_text_length,
                   "title": lambda: self.tokens.read(64),
                   "refers_to_time": lambda: self.read_refers_to(record, records),
                   "redirect": lambda: uid + unzigzag(get(61)),
                   "refers_to": lambda: uid + unzigzag(get(62)),
                   "digest": lambda: self.read_digest("digest", shape),
                   "text_digest": lambda: self.read_digest("text_digest", shape),
                   "spelling": self.read_spelling}
        for field, read in readers.items():
            if shape[field] >= 2:
                self.last[field] = read()
            if shape[field]:
                record[field] = self.last[field]
        self.read_place(shape, record)
        return record

    def read_time(self, has_links, rows, records):
        code = self.tokens.get(36 if not records else 37 if has_links else 38)
        last = records[-1]["time"] if records else None
        if code == 0:
            return last
        if code > 1:
            return rows[(bisect_right(rows, last) if records else 0) + code - 2]
        value = self.tokens.get(40 + self.size(self.seconds) if records else 39)
        self.seconds = value if records else 0
        if self.moments:
            return self.moments[(bisect_right(self.moments, last) if records else 0) + value]
        return signed(((last if records else self.base) + value) % WORD)

    @staticmethod
    def size(number):
        return min(number.bit_length() // 2, 7)

    def read_length(self, shape):
        if "length" not in self.last:
            return self.tokens.get(48)
        self.length_step = self.tokens.get(57 if shape["digest"] == 1 else 49 + self.size(self.length_step))
        return (self.last["length"] + unzigzag(self.length_step)) % WORD

    def read_text_length(self):
        if "text_length" not in self.last:
            return self.tokens.get(58)
        return (self.last["text_length"] + unzigzag(self.tokens.get(59))) % WORD

    def read_refers_to(self, record, records):
        back = self.tokens.get(63)
        return records[-back]["time"] if back else signed((record["time"] - unzigzag(self.tokens.get(64))) % WORD)

    def read_digest(self, which, shape):
        state, recent = shape[which], self.recent[which]
        if state == 2:
            return recent[-1 - self.tokens.get(65)]
        if state == 3:
            text = self.tokens.bytes(self.tokens.get(66))
        else:
            form = self.forms[state - 4]
            text = digest_text(form, self.tokens.bytes(form[2]))
        recent.append(text)
        return text

    def read_spelling(self):
        front, back, size = self.tokens.get(67), self.tokens.get(67), self.tokens.get(68)
        check(front + back <= len(self.spelling), "a spelling shares what is not there")
        self.spelling = self.spelling[:front] + self.tokens.bytes(size) + self.spelling[len(self.spelling) - back:]
        return self.spelling

    def read_place(self, shape, record):
        if shape["crawl"] == 2:
            self.crawl = self.tokens.get(70 + min(self.crawl, 15))
        if shape["file"] == 2:
            self.file += unzigzag(self.tokens.get(69))
        if shape["offset"]:
            offset = self.tokens.get(60)
            if self.has_differences:
                offset = (self.offsets.get(self.file, 0) + unzigzag(offset)) % WORD
                self.offsets[self.file] = offset
            record["offset"] = offset
        if shape["file"]:
            record["file"] = self.files[self.file]
        if shape["crawl"]:
            record["crawl"] = self.crawls[self.crawl]
