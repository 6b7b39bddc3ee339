"""How a language writes its numbers: which sign separates decimals, and which the thousands.

The table is CLDR's `decimal` and `group` symbols, boiled down to what differs from the two large
families: the decimal point with comma groups and the decimal comma with
points (`COMMA_POINT`) or spaces (`COMMA_SPACE`). A region overrides its language (`de-CH`, `es-MX`,
`en-ZA`), a script is skipped. Carrying these lines costs nothing; the library that has them all
weighs thirty megabytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """The decimal sign, the grouping sign (`" "` stands for every kind of space), and the language."""

    decimal: str
    group: str
    language: str


POINT_COMMA = (".", ",")
COMMA_POINT = (",", ".")
COMMA_SPACE = (",", " ")
POINT_SPACE = (".", " ")
POINT_APOSTROPHE = (".", "'")
COMMA_APOSTROPHE = (",", "'")

_FAMILIES: dict[tuple[str, str], str] = {
    COMMA_POINT: (
        "ast az bs ca da de dsb el es eu fo fy hr hsb ia id is it jgo jv kgp kkj kl ku lb lij lld ln lo lu mgh mk"
        " ms_BN ms_ID mua nl nnh pms pt qu_BO rn ro rw sc scn seh sg sl sr su tr vi wo yrl fr_LU ar_DZ ar_LB ar_LY"
        " ar_MA ar_MR ar_TN ps sw_CD en_AT en_BE en_DE en_DK en_ES en_ID en_IT en_NL en_PL en_RO en_SI"
    ),
    COMMA_SPACE: (
        "ady af agq ba bas be bg blo br bua cs cv dua dyo eo et ewo ff fi fr gl ht hu hy ie ka kab kbd kea kk ksf"
        " ky lt lv nb nmg nn no nr pl rm ru sah se shi sk smn sq ss sv tg tk tok ts tt tzm uk uz ve vec yav zgh"
        " es_CR pt_AO pt_CH pt_CV pt_GQ pt_GW pt_LU pt_MO pt_MZ pt_PT pt_ST pt_TL en_CZ en_EE en_FI en_FR en_GE"
        " en_HU en_LT en_LV en_NO en_PT en_SE en_SK en_UA en_ZA"
    ),
    POINT_SPACE: "dje khq mfe ses to twq tyv xh",
    POINT_APOSTROPHE: "de_CH de_LI en_CH gsw it_CH",
    COMMA_APOSTROPHE: "fr_CH",
    POINT_COMMA: (
        "ak am ar as ms sw asa bem bez bgc bho bm bn bo brx ccp ce ceb cgg chr cy doi dz ebu ee en fa fil ga gd gu guz"
        " gv ha haw he hi hnj ig ii iw ja kam ki kln kn ko kok ks ksb lag lg lkt luo luy mai mas mer mg mi ml mn"
        " mni mr mt my naq nd ne nus nyn om or pa pcm qu raj rof rwk saq sat sbp sd si sn so ta te teo th ti tl tlh"
        " to ug ur vai vun xog yi yo yue zh zu es_419 es_BR es_BZ es_CU es_DO es_GT es_HN es_MX es_NI es_PA es_PE"
        " es_PR es_SV es_US fr_RW"
    ),
}
_STYLES = {name: signs for signs, names in _FAMILIES.items() for name in names.split()}


@lru_cache(maxsize=64)
def number_style(locale: str | None) -> NumberStyle | None:
    """The style of a BCP 47 locale (`de`, `de-CH`, `zh_Hant_TW`); None without a locale, or of
    a language that is not listed, which decides nothing.

    Source: CLDR `numbers/symbols`, for each locale's Western or native digits.
    """
    if locale is None or not locale.strip():
        return None
    parts = locale.strip().replace("-", "_").split("_")
    language = parts[0].lower()
    region = next((part.upper() for part in parts[1:] if len(part) in (2, 3) and part.isalnum()), "")
    signs = _STYLES.get(f"{language}_{region}") or _STYLES.get(language)
    return NumberStyle(*signs, language) if signs else None
