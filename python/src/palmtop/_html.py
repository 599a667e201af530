"""What a notebook shows. Every text of a file or a frame is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

if TYPE_CHECKING:
    from ._project import Project
    from ._release import Release
    from ._verdict import Caution, Check, ClassTable, Composition, Measures, Verdict

SHOWN = 20
"""The number of classes and rows that a notebook shows."""

NOT_VERIFIED = (
    "attackers who know more about a person than P's columns, such as a neighbour who is a patient",
    "several releases of the same people, or of a changed table: use compose",
    "what sensitive values reveal about a person who is known to be in T",
    "people whom an attacker believes beforehand to be likelier members than others",
    "whether P has all that attackers know, and whether roles and hierarchies are right",
)
"""What no verdict covers. The page about the guarantee has the details."""


def conclusion(verdict: Verdict) -> str:
    """The verdict in one sentence."""
    low, high = verdict.delta
    within = f"δ {low} to {high}"
    if verdict.is_looser and verdict.project_delta is not None:
        least, most = verdict.project_delta
        within += f", which is LOOSER than the project's {least} to {most}"
    if verdict.is_verified:
        found = verdict.achieved
        presence = f"presence {found[0]} to {found[1]}" if found else "presence not counted"
        return f"✓ verified: a faithful release, {presence}, within {within}"
    if not verdict.is_faithful:
        return "✗ NOT verified: this file is not a faithful release of T"
    broken = [
        criterion["name"]
        for criterion in verdict.result.get("criteria") or []
        if criterion.get("holds") is False
    ]
    if verdict.result.get("present") is True:
        return f"✗ NOT verified: the program ended with the exit status {verdict.status}"
    return f"✗ NOT verified: a faithful release that breaks {', '.join(broken) or within}"


def verdict(item: Verdict) -> str:
    result = item.result
    parts = [_head(conclusion(item), item.is_verified)]
    if item.headline:
        parts.append(_p(item.headline))
    if item.problems:
        parts.append(_list(item.problems))
    if item.is_faithful:
        parts.append(
            _p(
                f"Recounted from the raw tables: {_count(result.get('rows'))} rows in "
                f"{_count(result.get('released_classes'))} released classes, against "
                f"{_count(result.get('private'))} people of T and {_count(result.get('public'))} "
                f"people of P, of whom {_count(result.get('unmatched'))} match no row."
            )
        )
        parts.append(_criteria(result.get("criteria") or []))
        parts.append(_p(f"For an attacker who {result.get('adversary')}."))
    parts.append(f"<p><b>Not verified:</b></p>{_list(NOT_VERIFIED)}")
    parts.append(_cautions(item.cautions))
    parts.append(f"<p><small>{escape(item.file)}, SHA-256 {escape(item.sha256)}</small></p>")
    return _box(parts)


def release(item: Release) -> str:
    parts = [verdict(item.verdict)]
    metrics = item.run.get("metrics") or {}
    strategy = item.run.get("strategy")
    knows = (item.run.get("knows_algorithm") or {}).get("verdict")
    if knows == "exact":
        algorithm = "δ also holds for an attacker who knows how the release was chosen."
    else:
        algorithm = (
            "For an attacker who also knows how the release was chosen, δ is not proven "
            f"({knows or 'not audited'})."
        )
    parts.append(
        _box(
            [
                _p(f"Strategy {strategy}; loss {_figure(metrics.get('loss'))}. {algorithm}"),
                _p(
                    "Send the file that write() makes, not the frame: verify judges the bytes of "
                    "the file."
                ),
                _frame(item.frame),
            ]
        )
    )
    return "".join(parts)


def classes(table: ClassTable) -> str:
    header = [*table.labels, "private", "public", "presence", "decimal", "verdict"]
    rows = []
    for row in table.rows[:SHOWN]:
        presence = row["presence"]
        cells = [*(row[name] for name in table.labels), row["private"], row["public"], presence]
        rows.append([*cells, f"{float(presence):.4f}", row["verdict"]])
    more = len(table.rows) - len(rows)
    note = f" {more} more classes are not shown." if more > 0 else ""
    return _box([_table(header, rows), _p(f"{len(table.rows)} classes.{note} {table.note}")])


def check(item: Check) -> str:
    result = item.result
    header = ["attribute", "kind", "values", "in P", "labels by level"]
    rows = [
        [
            attribute["name"],
            attribute["kind"],
            attribute["values"],
            attribute["occurring"],
            " → ".join(str(labels) for labels in attribute["labels"]),
        ]
        for attribute in result.get("attributes") or []
    ]
    text = str(item)
    head = f"<p><b>{escape(text)}</b></p>" if item else _head(text, False)
    return _box([head, _table(header, rows), _cautions(item.cautions)])


def _is_undecided(attribute: Mapping[str, Any]) -> bool:
    # Older projects have a key of their own.
    return attribute.get("role") == "undecided" or bool(attribute.get("undecided"))


def project(item: Project) -> str:
    header = ["column", "role", "kind", "hierarchy", ""]
    rows = [
        [
            attribute.get("name", ""),
            attribute.get("role", ""),
            attribute.get("kind", ""),
            attribute.get("hierarchy", "").rsplit("/", 1)[-1],
            "nobody decided this role" if _is_undecided(attribute) else "",
        ]
        for attribute in item.attributes
    ]
    parts = [_p(str(item)), _table(header, rows)]
    if item.questions:
        parts.append(f"<p><b>Read these proposals:</b></p>{_list(item.questions)}")
    return _box(parts)


def composition(item: Composition) -> str:
    parts = [_head(str(item), item.holds)]
    header = ["release", "rows", "presence", "a faithful release of this T"]
    rows = [
        [
            entry["file"],
            entry["rows"],
            f"{entry['achieved']['min']} to {entry['achieved']['max']}",
            "yes" if entry["faithful"] else "no",
        ]
        for entry in item.result.get("releases") or []
    ]
    parts.append(_table(header, rows))
    parts.append(_p("For an attacker who has all of these releases and no other."))
    return _box(parts)


def measures(item: Measures) -> str:
    columns = [dict(figures(entry)) for entry in item.releases]
    names = list(dict.fromkeys(name for column in columns for name in column))
    header = ["measure", *(str(entry["of"]) for entry in item.releases)]
    rows = [[name, *(column.get(name, "") for column in columns)] for name in names]
    note = "These figures are no verdict. They reveal facts about T: they are for you only."
    return _box([_table(header, rows), _p(note)])


def figures(entry: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The single figures of a release, with those that are named by a column."""
    found = []
    for name, value in entry.items():
        if name == "of":
            continue
        if isinstance(value, Mapping):
            found += [
                (f"{name}: {key}", _figure(each))
                for key, each in value.items()
                if not isinstance(each, (list, dict))
            ]
        elif not isinstance(value, list):
            found.append((name, _figure(value)))
    return found


def _frame(frame: Any) -> str:
    names = [str(name) for name in getattr(frame, "column_names", None) or frame.columns]
    head = frame.slice(0, 5) if hasattr(frame, "slice") else frame.head(5)
    if hasattr(head, "to_pylist"):
        rows = [list(row.values()) for row in head.to_pylist()]
    elif hasattr(head, "rows"):
        rows = [list(row) for row in head.rows()]
    else:
        rows = [list(row) for row in head.itertuples(index=False)]
    return _table(names, rows) + _p(f"{len(frame)} rows; the first {len(rows)} are shown.")


def _criteria(criteria: Iterable[Mapping[str, Any]]) -> str:
    words = {True: "✓ holds", False: "✗ broken", None: "only measured"}
    rows = [
        [
            criterion["name"],
            criterion.get("required"),
            criterion.get("achieved"),
            words[criterion.get("holds")],
        ]
        for criterion in criteria
        if criterion.get("required") is not None or criterion.get("achieved") is not None
    ]
    return _table(["criterion", "required", "achieved", ""], rows)


def _cautions(cautions: Sequence[Caution]) -> str:
    if not cautions:
        return ""
    texts = [
        ("SEVERE, " if caution.severity == "severe" else "")
        + str(caution)
        + (f" Accepted: {caution.accepted}" if caution.accepted else "")
        for caution in cautions
    ]
    return f"<p><b>{len(cautions)} cautions. Read them before you sign:</b></p>{_list(texts)}"


def _figure(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _count(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else "–"


def _head(text: str, good: bool) -> str:
    colour = "#1b6e2d" if good else "#a40000"
    return f'<p style="color:{colour};font-weight:bold">{escape(text)}</p>'


def _p(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _list(texts: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(text)}</li>" for text in texts) + "</ul>"


def _table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    head = "".join(f"<th>{escape(str(cell))}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape('' if cell is None else str(cell))}</td>" for cell in row)
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _box(parts: Iterable[str]) -> str:
    return f'<div style="max-width:60em">{"".join(parts)}</div>'
