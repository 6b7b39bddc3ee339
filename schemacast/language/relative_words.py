"""The words for days, weeks, months and years counted from today, in English, German, French and Spanish.

Phrases are folded: lower case, without accents. `days` gives the distance of a day in days, and two
distances where the words leave it open ("last night" is yesterday's evening or this morning's small
hours; a French "huit jours" is a week). In a template `{n}` is a number in digits or words, `{unit}`
a unit, `{day}` a full weekday's name. What is vague ("a few days ago") stands nowhere here, and so is
never read. Japanese, Chinese and Korean words are in `cjk_dates.py`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RelativeWords:
    """One language's words; see the module."""

    days: dict[str, tuple[int, ...]]
    months: dict[str, int]
    years: dict[str, int]
    ago: tuple[str, ...]
    ahead: tuple[str, ...]
    units: dict[str, str]
    numbers: dict[str, int]
    idioms: dict[int, int]  # days said for a round number of weeks: 8 for 7
    last: tuple[str, ...]
    coming: tuple[str, ...]  # the first one after today
    following: tuple[str, ...]  # that, or the one a week later
    weeks: dict[str, int]
    every: tuple[str, ...]
    vague: tuple[str, ...]  # before "3 days ago": not that day


ENGLISH = RelativeWords(
    days={
        "day before yesterday": (-2,), "day after tomorrow": (2,), "yesterday": (-1,), "today": (0,), "tomorrow": (1,),
        "tonight": (0,), "this morning": (0,), "this afternoon": (0,), "this evening": (0,), "last night": (-1, 0),
    },
    months={"last month": -1, "this month": 0, "next month": 1, "previous month": -1},
    years={"last year": -1, "this year": 0, "next year": 1, "previous year": -1},
    ago=("{n} {unit} ago",),
    ahead=("{n} {unit} from now", "{n} {unit} from today"),
    units={
        "day": "day", "days": "day", "week": "week", "weeks": "week", "month": "month", "months": "month",
        "year": "year", "years": "year", "hour": "hour", "hours": "hour", "minute": "minute", "minutes": "minute",
    },
    numbers={
        "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
        "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
        "twenty": 20, "thirty": 30,
    },
    idioms={},
    last=("last {day}", "past {day}"),
    coming=("coming {day}",),
    following=("next {day}",),
    weeks={
        "{day} last week": -1, "last week {day}": -1, "{day} of last week": -1, "last week on {day}": -1,
        "{day} this week": 0, "{day} of this week": 0, "{day} next week": 1, "{day} of next week": 1,
        "next week on {day}": 1,
    },
    every=("every", "each", "any", "most"),
    vague=("more than", "less than", "over", "under", "almost", "nearly", "about", "around", "roughly", "at least",
           "at most", "up to", "within", "approximately", "approx", "some", "or"),
)  # fmt: skip

GERMAN = RelativeWords(
    days={
        "vorvorgestern": (-3,), "vorgestern": (-2,), "gestern": (-1,), "heute": (0,), "ubermorgen": (2,),
        "gestern morgen": (-1,), "heute morgen": (0,), "vorgestern morgen": (-2,), "morgen": (1,),
        "diesen morgen": (0,), "heute nacht": (0, -1), "letzte nacht": (-1, 0), "vergangene nacht": (-1, 0),
        "gestern nacht": (-1, 0),
    },
    months={
        "letzten monat": -1, "letzter monat": -1, "vorigen monat": -1, "vergangenen monat": -1, "letzten monats": -1,
        "diesen monat": 0, "diesem monat": 0, "nachsten monat": 1, "kommenden monat": 1, "vormonat": -1,
    },
    years={
        "letztes jahr": -1, "letzten jahr": -1, "letzten jahres": -1, "voriges jahr": -1, "vorigen jahr": -1,
        "vergangenes jahr": -1, "vergangenen jahr": -1, "vorjahr": -1, "dieses jahr": 0, "diesem jahr": 0,
        "dieses jahres": 0, "nachstes jahr": 1, "nachsten jahr": 1, "nachsten jahres": 1, "kommenden jahr": 1,
    },
    ago=("vor {n} {unit}",),
    ahead=("heute in {n} {unit}",),
    units={
        "tag": "day", "tagen": "day", "woche": "week", "wochen": "week", "monat": "month", "monaten": "month",
        "jahr": "year", "jahren": "year", "stunde": "hour", "stunden": "hour", "minute": "minute",
        "minuten": "minute",
    },
    numbers={
        "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "sechs": 6, "sieben": 7, "acht": 8,
        "neun": 9, "zehn": 10, "elf": 11, "zwolf": 12, "dreizehn": 13, "vierzehn": 14, "funfzehn": 15,
        "zwanzig": 20, "dreißig": 30,
    },
    idioms={8: 7},
    last=("letzten {day}", "letzter {day}", "vergangenen {day}", "vorigen {day}"),
    coming=("kommenden {day}",),
    following=("nachsten {day}", "nachster {day}"),
    weeks={
        "{day} letzter woche": -1, "{day} der letzten woche": -1, "letzte woche {day}": -1,
        "letzte woche am {day}": -1, "{day} vergangener woche": -1, "{day} der vergangenen woche": -1,
        "{day} voriger woche": -1, "{day} letzte woche": -1, "{day} dieser woche": 0, "{day} nachster woche": 1,
        "{day} der nachsten woche": 1, "nachste woche {day}": 1, "nachste woche am {day}": 1,
        "{day} nachste woche": 1, "{day} kommender woche": 1,
    },
    every=("jeden", "jedem", "jeder"),
    vague=("mehr als", "weniger als", "uber", "unter", "fast", "beinahe", "etwa", "ungefahr", "rund", "circa", "ca.",
           "knapp", "gut", "mindestens", "hochstens", "schon"),
)  # fmt: skip

FRENCH = RelativeWords(
    days={
        "avant-hier": (-2,), "avant hier": (-2,), "hier": (-1,), "aujourd'hui": (0,), "demain": (1,),
        "apres-demain": (2,), "apres demain": (2,), "ce matin": (0,), "cet apres-midi": (0,), "ce soir": (0,),
        "cette nuit": (0, -1), "la nuit derniere": (-1, 0), "nuit derniere": (-1, 0),
    },
    months={"mois dernier": -1, "mois passe": -1, "ce mois-ci": 0, "mois prochain": 1},
    years={
        "annee derniere": -1, "an dernier": -1, "an passe": -1, "annee passee": -1, "cette annee": 0,
        "annee prochaine": 1, "an prochain": 1,
    },
    ago=("il y a {n} {unit}", "voici {n} {unit}", "voila {n} {unit}"),
    ahead=("dans {n} {unit}",),
    units={
        "jour": "day", "jours": "day", "semaine": "week", "semaines": "week", "mois": "month", "an": "year",
        "ans": "year", "annee": "year", "annees": "year", "heure": "hour", "heures": "hour", "minute": "minute",
        "minutes": "minute",
    },
    numbers={
        "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9,
        "dix": 10, "onze": 11, "douze": 12, "treize": 13, "quatorze": 14, "quinze": 15, "vingt": 20, "trente": 30,
    },
    idioms={8: 7, 15: 14},
    last=("{day} dernier", "{day} passe"),
    coming=("{day} prochain", "{day} qui vient"),
    following=(),
    weeks={
        "{day} de la semaine derniere": -1, "{day} de la semaine passee": -1, "la semaine derniere {day}": -1,
        "semaine derniere, {day}": -1, "{day} de cette semaine": 0, "{day} de la semaine prochaine": 1,
        "la semaine prochaine {day}": 1,
    },
    every=("chaque", "tous les"),
    vague=("plus de", "moins de", "environ", "presque", "pres de"),
)  # fmt: skip

SPANISH = RelativeWords(
    days={
        "anteayer": (-2,), "antes de ayer": (-2,), "antier": (-2,), "ayer": (-1,), "hoy": (0,), "manana": (1,),
        "pasado manana": (2,), "ayer por la manana": (-1,), "hoy por la manana": (0,), "esta manana": (0,),
        "esta tarde": (0,), "esta noche": (0,), "anoche": (-1,), "manana por la manana": (1,),
        "anteayer por la manana": (-2,),
    },
    months={"mes pasado": -1, "este mes": 0, "proximo mes": 1, "mes que viene": 1, "mes proximo": 1},
    years={"ano pasado": -1, "este ano": 0, "proximo ano": 1, "ano que viene": 1, "ano proximo": 1},
    ago=("hace {n} {unit}",),
    ahead=("dentro de {n} {unit}",),
    units={
        "dia": "day", "dias": "day", "semana": "week", "semanas": "week", "mes": "month", "meses": "month",
        "ano": "year", "anos": "year", "hora": "hour", "horas": "hour", "minuto": "minute", "minutos": "minute",
    },
    numbers={
        "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8,
        "nueve": 9, "diez": 10, "once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15, "veinte": 20,
        "treinta": 30,
    },
    idioms={8: 7, 15: 14},
    last=("{day} pasado", "pasado {day}", "ultimo {day}"),
    coming=("proximo {day}", "{day} proximo", "{day} que viene"),
    following=(),
    weeks={
        "{day} de la semana pasada": -1, "la semana pasada, el {day}": -1, "semana pasada el {day}": -1,
        "{day} de esta semana": 0, "{day} de la proxima semana": 1, "{day} de la semana que viene": 1,
    },
    every=("cada", "todos los"),
    vague=("mas de", "menos de", "casi", "unos", "unas", "aproximadamente", "cerca de"),
)  # fmt: skip

LANGUAGES = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH, "es": SPANISH}

# Words that are something else in the text's language: German "hier" is "here", Dutch "morgen" tomorrow.
FALSE_FRIENDS = frozenset(
    {("hier", "de"), ("hier", "nl"), ("hier", "af"), ("hier", "lb"), ("demain", "en"), ("hoy", "en"), ("hoy", "nl")}
)
# "am Morgen", "la manana": the morning, not tomorrow; looked for right before the word.
MORNING = {
    "morgen": ("am", "der", "den", "dem", "guten", "jeden", "fruhen", "nachsten", "selben", "des"),
    "manana": ("la", "una", "cada", "buena", "misma"),
}
