"""The units that are known: their table, SI prefixes, currencies, and spellings that leave no doubt.

`tables/units.txt` has a line for each unit: its dimension, an exact size in the dimension's own base,
the symbols (case matters) and the words in five languages (case and accents do not). A name that
stands for several units (`gal`, `ton`, `$`) stands on several lines: it converts only where that
makes no difference. What has no exact size in others (months in days, volt-amperes in watts, one
currency in another) has a dimension of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class UnitLine(NamedTuple):
    """One unit. `prefixes`: the SI prefixes it is met with; others would make everyday words of it (`5 am`)."""

    dimension: str
    factor: str
    offset: str
    prefixes: str
    symbols: str
    words: str


def unit_lines() -> Iterator[UnitLine]:
    """The lines of the table, in order."""
    from importlib.resources import files  # a tenth of the import time; only a first unit needs it

    table = files("schemacast.language").joinpath("tables/units.txt").read_text(encoding="utf-8")
    for line in table.splitlines():
        if line and not line.startswith("#"):
            fields = [field.strip() for field in line.split("|")]
            yield UnitLine(*fields, *[""] * (6 - len(fields)))


# Symbols, codes and words of a currency; each converts to itself only. A sign that several
# currencies share is each of them.
CURRENCIES: dict[str, str] = {
    "EUR": "€ euro euros ユーロ 欧元 유로",
    "USD": "$ US$ U$S dollar dollars dólar dólares ドル 米ドル 美元 달러",
    "CAD": "$ C$ CA$ CAN$ dollar dollars",
    "AUD": "$ A$ AU$ dollar dollars",
    "NZD": "$ NZ$ dollar dollars",
    "SGD": "$ S$ dollar dollars",
    "HKD": "$ HK$ dollar dollars",
    "MXN": "$ MX$ Mex$ peso pesos",
    "ARS": "$ AR$ peso pesos",
    "CLP": "$ CLP$ peso pesos",
    "COP": "$ COL$ peso pesos",
    "BRL": "R$ real reais",
    "GBP": "£ pound pounds quid livres_sterling libras_esterlinas ポンド",
    "JPY": "¥ ￥ 円 yen",
    "CNY": "¥ ￥ 元 yuan RMB 人民币",
    "CHF": "Fr Fr. SFr franken francs_suisses francos_suizos スイスフラン",
    "SEK": "kr kronor krona",
    "NOK": "kr kroner krone",
    "DKK": "kr kroner krone",
    "PLN": "zł złoty zloty",
    "CZK": "Kč",
    "HUF": "Ft forint",
    "RUB": "₽ руб руб. рублей рубль",
    "UAH": "₴",
    "TRY": "₺ TL lira",
    "INR": "₹ Rs Rs. rupee rupees",
    "KRW": "₩ 원 won",
    "ILS": "₪",
    "VND": "₫",
    "THB": "฿ baht",
    "NGN": "₦",
    "PHP": "₱",
    "ZAR": "R rand",
    "AED": "",
    "SAR": "",
    "EGP": "",
    "TWD": "NT$",
    "IDR": "Rp",
    "BTC": "₿",
}

PREFIXES: dict[str, tuple[str, int]] = {
    "P": ("peta", 15), "T": ("tera téra", 12), "E": ("exa", 18), "G": ("giga", 9), "M": ("mega méga", 6),
    "k": ("kilo kiló", 3), "h": ("hecto hekto hectó", 2), "da": ("deca deka déca", 1), "d": ("deci dezi déci", -1),
    "c": ("centi zenti", -2),
    "m": ("milli mili", -3), "µ": ("micro mikro", -6), "n": ("nano", -9), "p": ("pico piko", -12), "f": ("femto", -15),
}  # fmt: skip
"""Symbol to words and power of ten. `µ` is written `μ` and `u` too."""

BINARY_PREFIXES = {"Ki": "kibi", "Mi": "mebi", "Gi": "gibi", "Ti": "tebi", "Pi": "pebi", "Ei": "exbi"}
"""Each is 1024 times the one before."""

# Spellings that leave no doubt although their case is wrong. `mhz`, `mw`, `kb` are not among them.
SLOPPY: dict[str, str] = {
    "KW": "kW", "kw": "kW", "Kw": "kW", "KWh": "kWh", "KWH": "kWh", "kwh": "kWh", "Kwh": "kWh", "KG": "kg",
    "Kg": "kg", "KGS": "kg", "kgs": "kg", "KM": "km", "Km": "km", "kms": "km", "hz": "Hz", "HZ": "Hz", "khz": "kHz",
    "KHz": "kHz", "KHZ": "kHz", "Mhz": "MHz", "GHZ": "GHz", "Ghz": "GHz", "ghz": "GHz", "kv": "kV", "KV": "kV",
    "kva": "kVA", "KVA": "kVA", "PSI": "psi", "Psi": "psi", "BAR": "bar", "Rpm": "rpm", "MPH": "mph", "KPH": "kph",
    "Kmh": "kmh", "KMH": "kmh", "mtr": "m", "mtrs": "m", "ltr": "l", "ltrs": "l", "Ltr": "l", "lt": "l", "cms": "cm",
    "mls": "ml", "Kgs": "kg", "GBit": "Gbit", "MBit": "Mbit", "Gb/s": "Gbit/s", "Mb/s": "Mbit/s", "MIN": "min",
    "Mins": "min", "HRS": "h", "Hrs": "h", "hs": "h", "std": "h", "SEC": "s", "Secs": "s", "segs": "s", "seg": "s",
    "kpa": "kPa", "KPa": "kPa", "KPA": "kPa", "MPA": "MPa", "Mpa": "MPa", "hpa": "hPa", "Lbs": "lb", "LBS": "lb",
    "VDC": "V", "VAC": "V", "Vdc": "V", "Vac": "V",
}  # fmt: skip

# Names that are everyday words elsewhere: beside a number they are units only in these languages.
ONLY_IN: dict[str, tuple[str, ...]] = {
    "pie": ("es",), "pies": ("es",), "mes": ("es",), "once": ("fr",), "onces": ("fr",), "metro": ("es", "it", "pt"),
    "metros": ("es", "pt"), "real": ("pt", "es"), "won": ("ko",), "lira": ("tr", "it"), "rand": ("af", "zu"),
    "tag": ("de",), "grad": ("de", "sv", "da"), "mil": (), "mils": (), "hora": ("es", "pt"), "par": (), "stone": (),
    "quid": (), "siglo": ("es",), "mille": (), "fuss": ("de",),
}  # fmt: skip
