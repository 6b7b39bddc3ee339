"""Words that decide whether a point ends a sentence, in English, German, French and Spanish.

The lists are short on purpose: single letters, dotted forms (`z.B.`, `U.S.`) and numbers have rules of
their own in `sentences`. All are in lower case, without their point.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER_LAST = _words("""
    dr mr mrs ms mx prof rev hon st mt gen col capt lt sgt maj cmdr sen rep gov pres supt messrs vs viz cf ca approx
    resp incl excl eg ie al esp ref refs eq
    hr fr frl hrn dipl ing med phil bzw bspw bsp vgl sog ggf evtl inkl exkl zzgl abzgl einschl gem geb max min mind
    tel tgl jährl mtl fa ee
    mm mme mmes mlle mlles mgr env sra srta srtas dª ud uds vd vds av avda pza lic ej gral
    jan feb apr jun jul aug sept okt oct nov dez dec janv févr juil déc ene abr ago dic
""")
"""Abbreviations that something has to follow: with their point they end no sentence."""

BEFORE_NUMBER = _words("""
    no nos nr nrn núm num nº n° fig figs abb tab tbl art arts abs sec sect ch chap kap ziff rn bd vol pp pg pág págs
    ff par para pos lfd ver vers ext rm apt zi str bl mar mär
""")
"""Abbreviations that end no sentence when a number follows."""

MAYBE_LAST = _words("""
    etc usw usf inc ltd corp co llc plc jr sr bros dept est ave blvd rd gmbh mio mrd tsd cía
""")
"""Abbreviations that end a sentence only when a word that often begins one follows."""

STARTERS = _words("""
    the a an this that these those it its he she we they i you in on at after before when while if then there here but
    and however our my his her their for from with no all each as both please
    der die das den dem ein eine es er sie wir ich ihr im am an auf bei nach vor wenn dann aber und hier dieser diese
    dieses danach
    le la les un une des il elle nous vous ils elles ce cette ces dans en après mais et
    el los las una unos él ella nosotros ellos este esta estos estas después pero y se su
""")
"""Words that often begin a sentence."""

AFTER_ORDINAL = _words("""
    januar jänner februar feber märz april mai juni juli august september oktober november dezember
    jan feb mär mrz apr jun jul aug sep sept okt nov dez
    jahrhundert jahrhunderts jh quartal quartals halbjahr etage stock og klasse januars märzes
    januari februari mars maj augusti januára
""")
"""What follows an ordinal that is written as a number with a point: `3. März`, `2. Quartal`."""

BEFORE_ORDINAL = _words("""
    am vom zum beim im den dem der die das des jeder jede jeden diesen dieser
""")
"""What stands before such an ordinal: `am 3. Tag`."""
