"""Resolves the same CSV with Splink on DuckDB, as its user would set it up: a whole process, from file to pairs.

Runs in an environment of its own that has `splink` (5) and `duckdb`; it imports nothing of ours. The settings are
written by hand for the two kinds of records, in the way of Splink's own tutorials: the probability of a match from
deterministic rules, u from random pairs, m by expectation maximisation under two blocking rules.

    python run_splink.py people|companies RECORDS.csv OUT.csv
"""

from __future__ import annotations

import json
import sys
import time

import duckdb
import splink.comparison_level_library as levels
import splink.comparison_library as compare
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

THRESHOLD = 0.9


def people() -> tuple[SettingsCreator, list[object], list[object]]:
    """Settings, deterministic rules and training rules for people."""
    settings = SettingsCreator(
        link_type="dedupe_only",
        unique_id_column_name="id",
        blocking_rules_to_generate_predictions=[
            block_on("first_name", "surname"),
            block_on("surname", "born"),
            block_on("first_name", "born"),
            block_on("street", "city"),
            block_on("email"),
            block_on("substr(street, 1, 10)", "surname"),
            block_on("substr(street, 1, 10)", "first_name"),
            block_on("substr(street, 1, 10)", "substr(city, 1, 4)"),
            block_on("born", "city"),
            block_on("born", "substr(street, 1, 6)"),
            block_on("surname", "city", "substr(first_name, 1, 1)"),
            "l.first_name = r.surname AND l.surname = r.first_name",
        ],
        comparisons=[
            compare.ForenameSurnameComparison("first_name", "surname"),
            compare.DateOfBirthComparison("born", input_is_string=True),
            compare.LevenshteinAtThresholds("street", [2, 5]),
            compare.LevenshteinAtThresholds("city", [1, 2]).configure(term_frequency_adjustments=True),
            compare.EmailComparison("email"),
        ],
        retain_matching_columns=False,
    )
    sure = [block_on("first_name", "surname", "born"), block_on("email"), block_on("street", "surname", "city")]
    return settings, sure, [block_on("first_name", "surname"), block_on("born", "city")]


def companies() -> tuple[SettingsCreator, list[object], list[object]]:
    """Settings, deterministic rules and training rules for companies; `short` is the name without its last word."""
    settings = SettingsCreator(
        link_type="dedupe_only",
        unique_id_column_name="id",
        blocking_rules_to_generate_predictions=[
            block_on("name"),
            block_on("short"),
            block_on("street", "city"),
            block_on("phone"),
            block_on("substr(name, 1, 6)", "city"),
            block_on("substr(name, 1, 6)", "street"),
            block_on("substr(street, 1, 10)", "substr(city, 1, 4)"),
            block_on("substr(street, 1, 10)", "substr(name, 1, 3)"),
        ],
        comparisons=[
            compare.CustomComparison(
                output_column_name="name",
                comparison_levels=[
                    levels.NullLevel("name"),
                    levels.ExactMatchLevel("name"),
                    levels.ExactMatchLevel("short"),
                    levels.JaroWinklerLevel("short", 0.95),
                    levels.JaroWinklerLevel("short", 0.88),
                    levels.ElseLevel(),
                ],
            ),
            compare.LevenshteinAtThresholds("street", [2, 5]),
            compare.LevenshteinAtThresholds("city", [1, 2]).configure(term_frequency_adjustments=True),
            compare.LevenshteinAtThresholds("phone", [1]),
        ],
        retain_matching_columns=False,
    )
    return settings, [block_on("short", "city"), block_on("phone")], [block_on("short"), block_on("street", "city")]


READ = {
    "people": """SELECT id, nullif(lower(first_name), '') AS first_name, nullif(lower(surname), '') AS surname,
        nullif(born, '') AS born, nullif(lower(street), '') AS street, nullif(lower(city), '') AS city,
        nullif(email, '') AS email FROM read_csv('{}', all_varchar = true)""",
    "companies": """SELECT id, lower(name) AS name, regexp_replace(replace(lower(name), ' and ', ' & '),
        ' (ltd|limited|inc\\.|llc|gmbh|ag|as|a/s|ab|b\\.v\\.|s\\.a\\.|sarl|s\\.p\\.a\\.|oy)$', '') AS short,
        nullif(lower(street), '') AS street, nullif(lower(city), '') AS city, nullif(phone, '') AS phone
        FROM read_csv('{}', all_varchar = true)""",
}


def main(kind: str, source: str, out: str) -> None:
    con = duckdb.connect()
    con.execute(f"CREATE TABLE records AS {READ[kind].format(source)}")
    started = time.perf_counter()
    settings, sure, training = people() if kind == "people" else companies()
    linker = Linker(DuckDBAPI(con).register("records"), settings, log_level="ERROR")
    linker.training.estimate_probability_two_random_records_match(sure, recall=0.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    for rule in training:
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    predictions = linker.inference.predict(threshold_match_probability=THRESHOLD)
    clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(predictions, THRESHOLD)
    seconds = time.perf_counter() - started
    con.execute(f"COPY (SELECT id, cluster_id AS entity FROM {clusters.physical_name}) TO '{out}' (HEADER)")
    print(json.dumps({"match_seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
