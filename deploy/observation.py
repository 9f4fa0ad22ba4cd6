"""Compares alerts and dashboard with docs: the metrics that they name are in docs/reference/metrics.md with these labels; each alert has
a section in docs/operate/alerts.md, and a test. Writes the dashboard's expressions as rules, for promtool to read: observation.py RULES."""

import json
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
# Metrics of Prometheus itself and of Kubernetes.
FOREIGN = {"up": {"job", "instance"}, "kubelet_volume_stats_available_bytes": None, "kubelet_volume_stats_capacity_bytes": None}
# Labels of all metrics; Prometheus adds `instance` and `job`.
EVERYWHERE = {"surface", "instance", "job"}
WORDS = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")


def documented():
    text = (ROOT / "docs/reference/metrics.md").read_text()
    for name, labels in re.findall(r"^\| `([a-z_]+)` \|[^|]*\|([^|]*)\|", text, re.M):
        yield name, set(WORDS.findall(labels)) | EVERYWHERE


def selected(expression):
    """The metrics of an expression, each with the labels of its selector."""
    bare = re.sub(r'"[^"]*"', '""', expression)
    for name, labels in re.findall(r"\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+|up)\b(?!\s*\()(?:\{([^}]*)\})?", bare):
        yield name, set(re.findall(r"([a-z_]+)\s*(?:=~|!~|!=|=)", labels))


def grouped(expression):
    return {label for group in re.findall(r"\bby \(([^)]*)\)", expression) for label in WORDS.findall(group)}


def complaints(where, expression, known):
    names = {name for name, _ in selected(expression)} - {"histogram_quantile"}
    labels = set()
    for name, used in selected(expression):
        if name in grouped(expression):
            continue
        base = name if name in known else re.sub(r"_(bucket|count|sum)$", "", name)
        if base not in known:
            yield f"{where}: docs/reference/metrics.md has no metric {name}"
            continue
        has = known[base]
        labels |= has if has else used
        if has and used - has - {"le"}:
            yield f"{where}: {name} has no label {used - has}"
    if grouped(expression) - labels - {"le"} and names:
        yield f"{where}: no metric has the label {grouped(expression) - labels - {'le'}}"


def main():
    known = dict(documented()) | FOREIGN
    headings = {re.sub(r"[^a-z0-9 -]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", (ROOT / "docs/operate/alerts.md").read_text(), re.M)}
    found = []
    rules = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text())["groups"]
    alerts = [rule for group in rules for rule in group["rules"]]
    tests = yaml.safe_load((ROOT / "deploy/prometheus/alerts_test.yml").read_text())["tests"]
    for alert in alerts:
        name = alert["alert"]
        found += complaints(name, alert["expr"], known)
        page, _, anchor = alert["annotations"]["runbook"].partition("#")
        if page != "docs/operate/alerts.md" or anchor not in headings:
            found.append(f"{name}: no paragraph {alert['annotations']['runbook']}")
        cases = [case for test in tests for case in test["alert_rule_test"] if case["alertname"] == name]
        if not any(case["exp_alerts"] for case in cases) or all(case["exp_alerts"] for case in cases):
            found.append(f"{name} needs a test where it fires and one where it does not")
    dashboard = json.loads((ROOT / "deploy/grafana/fourfold.json").read_text())
    panels = dashboard["panels"]
    if len({panel["id"] for panel in panels}) != len(panels):
        found.append("two panels have the same id")
    shown, as_rules = set(), []
    for panel in panels:
        for target in panel.get("targets", []):
            expression = target["expr"].replace("$__rate_interval", "5m").replace("$surface", ".*")
            found += complaints(f"panel {panel['title']}", expression, known)
            shown |= {re.sub(r"_(bucket|count|sum)$", "", name) for name, _ in selected(expression)}
            as_rules.append({"record": f"panel:{panel['id']}_{target['refId']}", "expr": expression})
        for alert in re.findall(r"[Aa]lerts? ([A-Z][A-Za-z]+)(?: and ([A-Z][A-Za-z]+))?", panel.get("description", "")):
            found += [f"panel {panel['title']}: no alert {name}" for name in alert if name and name not in {one["alert"] for one in alerts}]
    Path(sys.argv[1]).write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": as_rules}]}))
    print("\n".join(found))
    sys.exit(bool(found))


main()
