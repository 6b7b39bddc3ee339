"""People and companies made up for measuring scale: nine originals in ten records, and one copy with errors.

Names are put together from syllables and drawn with the skew of real ones (some names are borne by thousands, most by
few), so that a name alone settles nothing. A copy differs from its original in one to three places: typing errors,
values lost, a name turned round or cut to its initial, another legal form, another way to write a street. The same
numbers give the same records on every machine.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

PEOPLE = ("first_name", "surname", "born", "street", "city", "email")
COMPANIES = ("name", "street", "city", "phone")
FIELDS = {"people": PEOPLE, "companies": COMPANIES}

ONSETS = "b br ch d dr f fr g gr h j k kl kr l m n p pr qu r s sch sh sk st str t th tr v w z bl gl pf"
NUCLEI = "a e i o u au ei ie oa ea"
MIDDLES = "l ll m n nd ng nn r rk rs rt s ss st t tt ck ld lm rg"
ENDINGS = "er en a o e i mann son sen berg ski ov ez ini ley ton well ing ard is us ova"
WAYS = ("Street", "Road", "Lane", "Avenue", "Square", "Hill")
SHORT_WAYS = {"Street": "St.", "Road": "Rd.", "Lane": "Ln.", "Avenue": "Ave", "Square": "Sq.", "Hill": "Hl."}
TRADES = (
    "Engineering Logistics Construction Software Foods Holdings Consulting Transport Textiles Energy Metals Paper "
    "Optics Chemicals Shipping Insurance Design Motors Records Furniture Glass Plastics Printing Security Travel"
)
FORMS = ("Ltd", "Limited", "Inc.", "LLC", "GmbH", "AG", "AS", "A/S", "AB", "B.V.", "S.A.", "SARL", "S.p.A.", "Oy")
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Record = list[str]


class _Words:
    """Made-up words, the n-th drawn in proportion to 1 / (n + head) ** 0.9."""

    def __init__(self, chance: random.Random, count: int, *, head: int, long: bool) -> None:
        onsets, nuclei, middles, endings = (part.split() for part in (ONSETS, NUCLEI, MIDDLES, ENDINGS))
        made: dict[str, None] = {}
        while len(made) < count:
            word = chance.choice(onsets) + chance.choice(nuclei) + chance.choice(middles)
            if long and chance.random() < 0.5:
                word += chance.choice(nuclei) + chance.choice(middles)
            made[(word + chance.choice(endings)).capitalize()] = None
        self.words = list(made)
        self.weights = list(accumulate(1 / (rank + head) ** 0.9 for rank in range(count)))

    def draw(self, chance: random.Random) -> str:
        return chance.choices(self.words, cum_weights=self.weights)[0]


class _Makers:
    """The words of one run, and originals and copies made of them."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.given = _Words(chance, 2_000, head=5, long=False)
        self.family = _Words(chance, 40_000, head=8, long=True)
        self.roads = _Words(chance, 8_000, head=20, long=True)
        self.trades = TRADES.split()
        self.towns = _Words(chance, 900, head=5, long=True)

    def person(self) -> Record:
        chance = self.chance
        first, last = self.given.draw(chance), self.family.draw(chance)
        born = f"{chance.randint(1930, 2005)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        email = f"{first}.{last}{chance.randint(1, 99)}@example.{chance.choice(('org', 'com', 'net'))}".lower()
        return [first, last, born, self.street(), self.towns.draw(chance), email if chance.random() < 0.6 else ""]

    def company(self) -> Record:
        chance = self.chance
        name = self.family.draw(chance)
        if chance.random() < 0.3:
            name += f" & {self.family.draw(chance)}"
        name = f"{name} {chance.choice(self.trades)} {chance.choice(FORMS)}"
        phone = f"+{chance.randint(20, 99)} {chance.randint(100, 999)} {chance.randint(100_000, 999_999)}"
        return [name, self.street(), self.towns.draw(chance), phone if chance.random() < 0.6 else ""]

    def street(self) -> str:
        return f"{self.chance.randint(1, 180)} {self.roads.draw(self.chance)} {self.chance.choice(WAYS)}"

    def copy_person(self, original: Record) -> Record:
        record, chance = original.copy(), self.chance
        for _ in range(chance.choices((1, 2, 3), (5, 3, 2))[0]):
            kind = chance.randrange(8)
            if kind < 3:
                place = chance.choice((0, 1, 3, 4))
                record[place] = self.typing_error(record[place])
            elif kind == 3:
                record[chance.choice((2, 3, 4, 5))] = ""
            elif kind == 4:
                record[0] = record[0][:1] + "." if chance.random() < 0.4 else record[0].upper()
            elif kind == 5:
                record[0], record[1] = record[1], record[0]
            elif kind == 6 and record[2]:
                at = chance.choice((3, 6, 9))
                record[2] = record[2][:at] + str(chance.randrange(10)) + record[2][at + 1 :]
            else:
                record[3] = self.other_street(record[3])
        return record

    def copy_company(self, original: Record) -> Record:
        record, chance = original.copy(), self.chance
        for _ in range(chance.choices((1, 2, 3), (5, 3, 2))[0]):
            kind = chance.randrange(6)
            if kind < 2:
                place = chance.choice((0, 0, 1, 2))
                record[place] = self.typing_error(record[place])
            elif kind == 2:
                words = record[0].split()
                form = chance.choice((*FORMS, "", ""))
                record[0] = " ".join([*words[:-1], form]).strip() if words[-1] in FORMS else record[0]
            elif kind == 3:
                record[0] = record[0].upper() if chance.random() < 0.5 else record[0].replace(" & ", " and ")
            elif kind == 4:
                record[chance.choice((1, 2, 3))] = ""
            else:
                record[1] = self.other_street(record[1])
        return record

    def other_street(self, street: str) -> str:
        """A street with its way shortened: another way to write the same one."""
        head, _, way = street.rpartition(" ")
        return f"{head} {SHORT_WAYS.get(way, way)}"

    def typing_error(self, text: str) -> str:
        """One letter lost, doubled, replaced or turned with the next; short texts stay."""
        if len(text) < 4:
            return text
        chance = self.chance
        at = chance.randrange(len(text) - 1)
        return chance.choice(
            (
                text[:at] + text[at + 1 :],
                text[:at] + text[at] + text[at:],
                text[:at] + chance.choice(LETTERS) + text[at + 1 :],
                text[:at] + text[at + 1] + text[at] + text[at + 2 :],
            )
        )


def records(kind: str, count: int, *, seed: int = 1) -> Iterator[tuple[int, Record]]:
    """`count` records of people or companies with the number of the thing each stands for, in mixed order."""
    chance = random.Random(seed)
    makers = _Makers(chance)
    make: Callable[[], Record]
    copy: Callable[[Record], Record]
    make, copy = (makers.person, makers.copy_person) if kind == "people" else (makers.company, makers.copy_company)
    copies = count // 10
    made = [(thing, make()) for thing in range(count - copies)]
    made += [(thing, copy(original)) for thing, original in chance.sample(made, copies)]
    chance.shuffle(made)
    yield from made


def write(kind: str, count: int, path: Path, *, seed: int = 1) -> list[int]:
    """Write records as CSV with an `id` column that counts from 0; returns what each stands for."""
    things = []
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("id", *FIELDS[kind]))
        for number, (thing, record) in enumerate(records(kind, count, seed=seed)):
            writer.writerow((number, *record))
            things.append(thing)
    return things
