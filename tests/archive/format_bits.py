# SPDX-License-Identifier: Apache-2.0
"""Bits, tokens, code tables and the unit index of docs/FORMAT.md, in plain Python. Part of format_reader.py."""

from itertools import accumulate

WORD = 1 << 64


class Damage(Exception):
    """The bytes are not those of an archive."""


def check(truth, message):
    if not truth:
        raise Damage(message)


# Words ---------------------------------------------------------------------------------------------------------------

def signed(number):
    return number - WORD if number >> 63 else number


def unzigzag(code):
    return code >> 1 if code & 1 == 0 else -(code >> 1) - 1


def size_class(number, largest):
    return min(number.bit_length(), largest)


class Bytes:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, size):
        check(size <= len(self.data) - self.place, "bytes end too early")
        self.place += size
        return self.data[self.place - size:self.place]

    def rest(self):
        return self.take(len(self.data) - self.place)

    def u8(self):
        return self.take(1)[0]

    def varint(self):
        number = 0
        for shift in range(0, 70, 7):
            byte = self.u8()
            number |= (byte & 127) << shift
            if byte < 128:
                check(number < WORD, "a number beyond 64 bits")
                return number
        raise Damage("a number beyond 64 bits")

    def time(self):
        return unzigzag(self.varint())


class Bits:
    def __init__(self, data):
        self.data, self.place = data, 0

    def peek(self, width):
        first = self.place >> 3
        return (int.from_bytes(self.data[first:first + 10], "little") >> (self.place & 7)) & ((1 << width) - 1)

    def read(self, width):
        bits = self.peek(width)
        self.skip(width)
        return bits

    def skip(self, width):
        self.place += width
        check(self.place <= 8 * len(self.data), "bits end too early")

    def zeros(self):
        count = 0
        while self.read(1) == 0:
            count += 1
        return count

    def gamma(self):
        width = self.zeros()
        return 1 << width | self.read(width)

    def bytes(self, size):
        first = self.place >> 3
        bits = int.from_bytes(self.data[first:first + size + 1], "little") >> (self.place & 7)
        self.skip(8 * size)
        return (bits & (1 << 8 * size) - 1).to_bytes(size, "little")


# Tokens and code tables ----------------------------------------------------------------------------------------------

class Code:
    """A canonical prefix code; `alone` is its only symbol, which takes no bits."""

    def __init__(self, lengths, longest=12, alone=None):
        self.alone = alone
        if alone is not None:
            return
        filled = sum(1 << longest - length for length in lengths if 0 < length <= longest)
        check(max(lengths) <= longest and filled == 1 << longest, "an incomplete code")
        self.width = max(lengths)
        self.table = [None] * (1 << self.width)
        code = 0
        for length in range(1, self.width + 1):
            for symbol in (s for s, n in enumerate(lengths) if n == length):
                turned = int(format(code, f"0{length}b")[::-1], 2)
                for place in range(turned, len(self.table), 1 << length):
                    self.table[place] = (symbol, length)
                code += 1
            code <<= 1

    def symbol(self, bits):
        if self.alone is not None:
            return self.alone
        symbol, length = self.table[bits.peek(self.width)]
        bits.skip(length)
        return symbol


def token_number(token, bits):
    if token < 16:
        return token
    width = (token - 16) // 4 + 2
    return (4 + token % 4 << width) + bits.read(width)


def lengths_of(text):
    pairs = (word.split("*") for word in text.split())
    return [int(length) for length, times in pairs for _ in range(int(times))]


TOKENS = lengths_of("3*2 4*2 5*6 6*10 7*8 8*12 9*28 10*52 11*2 10*6 11*116 12*12")
FIRSTS = lengths_of("6*4 7*1 6*1 7*28 8*56 9*110 10*222 11*2 10*2 11*86")
SHAPES = lengths_of("3*2 4*2 5*2 6*2 4*2 5*2 6*2 7*1 6*1 5*4 6*2 7*2 5*2 6*2 7*2 8*2")
DEFAULTS = {"firsts": Code(FIRSTS), "shapes": Code(SHAPES), "tokens": Code(TOKENS)}
ALPHABETS = {"firsts": 512, "shapes": 32}  # others have 256


def read_codes(bits, families):
    """The code of every context; `families` has the family of each."""
    defaults = [DEFAULTS.get(family, DEFAULTS["tokens"]) for family in families]
    count = bits.gamma() - 1
    check(count <= 128, "too many codes")
    if count == 0:
        return defaults
    numbers, current, seen = [], 0, 0
    while len(numbers) < len(families):
        run = bits.gamma() - 1
        check(run <= len(families) - len(numbers), "too many contexts")
        numbers += [current] * run
        if len(numbers) == len(families):
            break
        if seen < count and bits.read(1) == 1:
            current = seen = seen + 1
        else:
            current = bits.read(seen.bit_length())
        check(current <= seen, "a code that was not announced")
        numbers.append(current)
    check(seen == count, "a code without context")
    family_of = dict(zip(numbers, families))
    check(all(n == 0 or family_of[n] == family for n, family in zip(numbers, families)), "families share a code")
    alphabets = [ALPHABETS.get(family_of[number], 256) for number in range(1, count + 1)]
    heads = [(bits.read(1), bits.read((alphabet - 1).bit_length())) for alphabet in alphabets]
    codes = [None] * count
    if any(not alone for alone, _ in heads):
        length_code = Code([bits.read(3) for _ in range(16)], 7)
    for number, (alone, last) in enumerate(heads):
        if alone:
            codes[number] = Code(None, alone=last)
            continue
        lengths = []
        while len(lengths) <= last:
            symbol = length_code.symbol(bits)
            check(symbol != 13, "no such length")
            if symbol < 13:
                lengths.append(symbol)
            else:
                lengths += [0] * (3 + bits.read(3) if symbol == 14 else 11 + bits.read(6))
        codes[number] = Code(lengths)
    return [codes[number - 1] if number else default for number, default in zip(numbers, defaults)]


class Tokens(Bits):
    """A stream of bits with the codes of its contexts."""

    def __init__(self, codes, data):
        super().__init__(data)
        self.codes = codes

    def get(self, context):
        return token_number(self.codes[context].symbol(self), self)


def read_tables(source, contexts):
    bits = Bits(source.data[source.place:])
    codes = read_codes(bits, ["tokens"] * contexts)
    source.take((bits.place + 7) // 8)
    return codes


# Unit index ----------------------------------------------------------------------------------------------------------

def read_unit_index(source):
    """The units of every node, and (number of the unit, bit) of every mark."""
    nodes = source.varint()
    bits = Bits(source.take(source.varint()))

    def number(parameter=0):
        zeros = bits.zeros()
        high = 1 << zeros | bits.read(zeros)
        return (high - 1 << parameter) + bits.read(parameter)

    def numbers(count):
        if count == 0:
            return []
        parameter, smallest = bits.read(5), number()
        return [smallest + (0 if parameter == 31 else number(parameter)) for _ in range(count)]

    runs = numbers(number())
    check(sum(runs) <= nodes <= 1 << 16, "runs longer than the chunk")
    holds = [i % 2 == 1 for i, run in enumerate(runs + [nodes - sum(runs)]) for _ in range(run)]
    units = [1] * sum(holds)
    long_count, place = number(), -1
    for gap, more in list(zip(numbers(long_count), numbers(long_count))):
        place += gap + 1
        units[place] = more + 2
    group, in_group, marked, unit = 1 << bits.read(3), 0, [], 0
    for count in units:
        if count > 1 or in_group % group == 0:
            marked += range(unit, unit + count)
        in_group = 0 if count > 1 else in_group + 1
        unit += count
    places = list(accumulate([number()] + numbers(len(marked) - 1))) if marked else []
    of_holder = iter(units)
    return [next(of_holder) if held else 0 for held in holds], dict(zip(marked, places))


def expect_mark(marks, unit, tokens):
    check(marks.get(unit, tokens.place) == tokens.place, "a mark is not where its unit begins")
