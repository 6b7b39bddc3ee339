"""The words and patterns of the preflight detectors, folded (no case, no accents) except for the premises."""

from __future__ import annotations

import re
from typing import NamedTuple


def _phrases(*lines: str) -> tuple[str, ...]:
    return tuple(phrase for line in lines for phrase in line.split("|"))


TEMPORAL: tuple[str, ...] = _phrases(
    "current|currently|latest|today|now|nowadays|at present|presently|right now|as of now"
    "|this week|this month|this year"
    "|recent|recently|most recent|up to date|so far|newest|yesterday|tomorrow|tonight"
    "|these days|at the moment|still|live",
    "aktuell|aktuelle|aktueller|aktuellen|derzeit|derzeitige|derzeitiger|gegenwartig|heute"
    "|jetzt|momentan|zurzeit|neueste"
    "|neuesten|letzte woche|dieses jahr|diese woche|diesen monat|kurzlich|bisher",
    "actuel|actuelle|actuellement|aujourd'hui|maintenant|en ce moment|dernier|derniere"
    "|cette annee|cette semaine|recent"
    "|recente|recemment|a ce jour|a present",
    "actual|actualmente|hoy|ahora|en este momento|este ano|esta semana|este mes|ultimo|ultima|reciente|recientemente"
    "|hasta ahora|hoy en dia",
    "現在|今|今日|最新|最近|今年|今週|今月|目下|現時点",
)
"""Words of the present."""

TURNOVER: tuple[str, ...] = _phrases(
    "ceo|cto|cfo|president|prime minister|chancellor|chairman|chairwoman|chair of|governor|mayor|minister|head coach"
    "|record holder|world champion|champion|richest|stock price|share price|exchange rate|market cap|population",
    "geschaftsfuhrer|geschaftsfuhrerin|vorstandsvorsitzende|vorstandsvorsitzender|prasident|prasidentin|kanzler"
    "|kanzlerin|burgermeister|burgermeisterin|ministerprasident|aktienkurs|wechselkurs|einwohnerzahl",
    "pdg|president de|presidente de|premier ministre|maire|ministre|cours de l'action|taux de change",
    "director general|consejero delegado|presidente|presidenta|primer ministro|alcalde|alcaldesa|precio de la accion",
    "社長|大統領|首相|市長|知事|株価|為替|人口",
)
"""Roles and figures that change hands or value."""

CONTRADICTORY: tuple[tuple[str, str], ...] = (
    ("unmarried", "spouse"), ("unmarried", "wife"), ("unmarried", "husband"), ("bachelor", "wife"),
    ("bachelor", "spouse"), ("single", "spouse"), ("widow", "living husband"), ("orphan", "living parents"),
    ("always", "sometimes not"), ("always", "never"), ("never", "sometimes"), ("all", "none"), ("everyone", "nobody"),
    ("square", "circle"), ("triangle", "four sides"), ("square", "three sides"), ("dead", "alive"),
    ("finite", "infinite"), ("empty", "full"), ("identical", "different"), ("childless", "daughter"),
    ("childless", "son"), ("childless", "children"), ("uninhabited", "inhabitants"), ("uninhabited", "population"),
    ("silent", "loud"), ("impossible", "possible"), ("before", "after the same"), ("even", "odd number"),
    ("landlocked", "coastline"), ("landlocked", "seaport"), ("ledig", "ehefrau"), ("ledig", "ehemann"),
    ("junggeselle", "ehefrau"), ("immer", "niemals"), ("immer", "nie"), ("kinderlos", "tochter"), ("kinderlos", "sohn"),
    ("unbewohnt", "einwohner"), ("celibataire", "epouse"), ("celibataire", "mari"), ("toujours", "jamais"),
    ("inhabite", "habitants"), ("soltero", "esposa"), ("soltera", "marido"), ("siempre", "nunca"),
    ("deshabitada", "habitantes"), ("独身", "妻"), ("独身", "夫"), ("必ず", "決して"),
)  # fmt: skip
"""Terms that exclude each other. A question that compares the two names both, so this only labels."""

OUT_OF_CORPUS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:my|our) (?:\w+ ){0,2}?(?:uploaded|attached|own|private|personal)\b",
        r"\b(?:my|our) (?:\w+ ){0,2}?"
        r"(?:files?|documents?|pdfs?|spreadsheets?|notes?|emails?|inbox|attachments?|uploads?"
        r"|diary|resume|cv|slides|folder|drive|calendar|photos?|contract|invoice|homework|essay|thesis|code|repo"
        r"|repository|account|screenshot)\b",
        r"\b(?:the|this|that|these) (?:\w+ ){0,2}?(?:i|we|i've|we've) (?:just |have "
        r"|had )?(?:uploaded|attached|sent|pasted"
        r"|shared|wrote|provided)\b",
        r"\b(?:uploaded|attached|enclosed) (?:file|document|pdf|spreadsheet|image|text|report|contract)s?\b",
        r"\bi (?:just )?(?:uploaded|attached|pasted)\b",
        r"\b(?:mein|meine|meiner|meinem|meinen|unser|unsere|unserem) (?:\w+ ){0,2}?(?:datei|dateien"
        r"|dokument|dokumente|notizen"
        r"|e-mails?|postfach|anhang|lebenslauf|ordner|kalender|vertrag|rechnung|konto)\b",
        r"\b(?:hochgeladene[nrsm]?|angehangte[nrsm]?|beigefugte[nrsm]?)\b",
        r"\b(?:mon|ma|mes|notre|nos) (?:\w+ ){0,2}?(?:fichiers?|documents?|notes?|courriels?|mails?"
        r"|piece jointe|cv|dossier"
        r"|agenda|contrat|facture|compte)\b",
        r"\bque j'ai (?:envoye|joint|televerse|partage)\b",
        r"\b(?:mi|mis|nuestro|nuestra|nuestros) (?:\w+ ){0,2}?(?:archivos?|documentos?|notas?"
        r"|correos?|adjuntos?|curriculum"
        r"|carpeta|calendario|contrato|factura|cuenta)\b",
        r"\bque (?:he )?(?:subi|subido|adjunte|adjuntado)\b",
        r"(?:私|僕|俺|わたし|うち)の(?:ファイル|文書|ドキュメント|メモ|メール|履歴書|フォルダ"
        r"|カレンダー|契約書|アカウント)",
        r"(?:アップロードした|添付した|送った)",
    )
)
"""A document of the asker's own, over folded text."""


class Premise(NamedTuple):
    """A form of question that takes something for granted."""

    kind: str
    pattern: re.Pattern[str]
    states: str


_NAME = r"(?P<subject>[^?,;]{1,80}?)"
_REST = r"(?P<predicate>[^?;]{1,160})"


def _premise(kind: str, pattern: str, states: str) -> Premise:
    return Premise(kind, re.compile(pattern.replace("SUBJECT", _NAME).replace("REST", _REST), re.IGNORECASE), states)


FALSE_PREMISES: tuple[Premise, ...] = (
    _premise("stopped_doing", r"\b(?:when|why|how|where) did SUBJECT (?:stop|quit|cease|give up) REST",
             "{subject} was doing this before: {predicate}"),
    _premise("stopped_doing", r"\b(?:has|have|had|did) SUBJECT (?:stopped|stop|quit|ceased) REST",
             "{subject} was doing this before: {predicate}"),
    _premise("started_doing", r"\b(?:when|why|how|where) did SUBJECT (?:start|begin) REST",
             "{subject} does or did this: {predicate}"),
    _premise("caused", r"\b(?:why|how) did SUBJECT (?:cause|lead to|trigger|result in|bring about|provoke) REST",
             "{subject} caused this: {predicate}"),
    _premise("still_doing", r"\b(?:why|how|does|do|is|are) (?:does |do |is |are )?SUBJECT still REST",
             "{subject} did this before and does it now: {predicate}"),
    _premise("regretted", r"\b(?:when|why) did SUBJECT (?:regret|admit|confess|apologi[sz]e for) REST",
             "{subject} did this: {predicate}"),
    _premise("repeated", r"\b(?:when|why|where) (?:did|will|does) SUBJECT (?:again|once more) REST",
             "{subject} did this before: {predicate}"),
    _premise("failed_to", r"\b(?:why|when|how) did SUBJECT (?:fail to|refuse to|decline to) REST",
             "{subject} did not do this: {predicate}"),
    _premise("stopped_doing", r"\b(?:wann|warum|wieso) hörte SUBJECT auf,? REST",
             "{subject} tat dies zuvor: {predicate}"),
    _premise("caused", r"\b(?:warum|wie) verursachte SUBJECT (?P<predicate>(?:den|die|das|einen|eine)\b[^?;]{1,160})",
             "{subject} verursachte dies: {predicate}"),
    _premise("stopped_doing", r"\b(?:quand|pourquoi) SUBJECT (?:a-t-il|a-t-elle) (?:cessé|arrêté) (?:de |d')REST",
             "{subject} faisait ceci auparavant : {predicate}"),
    _premise("stopped_doing", r"\b(?:cuándo|cuando|por qué|por que) dejó (?P<subject>[^?,;]{1,80}?) de REST",
             "{subject} hacía esto antes: {predicate}"),
)  # fmt: skip
"""What each form presupposes; the subject and the predicate are the question's own words."""
