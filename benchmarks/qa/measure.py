"""How often the judgment of an answer is right: the confusion matrix over built cases, by kind of error.

    python benchmarks/qa/measure.py [EPISODES.jsonl …] [--show KIND]

The texts beside this file are facts in words of our own; further JSON Lines files with `source_id` and `text` are read
where they lie. A false STRICT is the error that matters; the exit code is 1 when there is one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cases import build, read_texts

from schemacast.qa.judge import judge

MODES = ("STRICT", "HYBRID", "UNGROUNDED")


def main() -> int:
    """Print the matrix."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", nargs="*", type=Path, help="further texts, JSON Lines")
    parser.add_argument("--show", metavar="KIND", help="print the wrong verdicts of a kind; `all` for every kind")
    options = parser.parse_args()
    found: dict[str, Counter[str]] = {}
    right: dict[str, bool] = {}
    for case in build(read_texts(options.texts)):
        verdict = judge(case.answer, case.sources, answer_mode=case.mode)
        found.setdefault(case.kind, Counter())[verdict.audit_mode] += 1
        right[case.kind] = case.strict
        if options.show in (case.kind, "all") and (verdict.audit_mode == "STRICT") != case.strict:
            print(f"{case.kind}: {case.answer}\n    {verdict.audit_mode}: {verdict.why}")
    print(f"{'kind':28}{'right':12}" + "".join(f"{mode:>12}" for mode in MODES))
    for kind in sorted(found, key=lambda kind: (not right[kind], kind)):
        label = "STRICT" if right[kind] else "not STRICT"
        print(f"{kind:28}{label:12}" + "".join(f"{found[kind][mode]:12}" for mode in MODES))
    strict = [sum(found[kind].values()) for kind in found if right[kind]]
    kept = sum(found[kind]["STRICT"] for kind in found if right[kind])
    wrong = sum(found[kind]["STRICT"] for kind in found if not right[kind])
    flawed = sum(sum(found[kind].values()) for kind in found if not right[kind])
    print(
        f"{sum(strict) + flawed} cases; true answers STRICT: {kept} of {sum(strict)}; false STRICT: {wrong} of {flawed}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
