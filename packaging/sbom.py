"""Prints a list of components (CycloneDX, JSON) that is the same for every build of a commit.

    python3 packaging/sbom.py FILE FOLDER TARGET

FOLDER, where the sources were, becomes `/palmtop`. The serial number is left out, and the time is
that of SOURCE_DATE_EPOCH. Crates that no feature of the programs uses are left out. The scope of a
crate is `required` if it is linked into a program, and `excluded` if only the build runs it.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from third_party import crates, linked

file, folder, target = sys.argv[1:]
used, required = set(crates(target, "normal,build")), set(linked(target))


def crate(component: dict[str, Any]) -> tuple[str, str]:
    return component["name"], component["version"]


bill = json.loads(Path(file).read_text("utf-8").replace(folder, "/palmtop"))
bill.pop("serialNumber", None)
time = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
bill["metadata"]["timestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ")
components = [component for component in bill["components"] if crate(component) in used]
for component in components:
    component["scope"] = "required" if crate(component) in required else "excluded"
missing = used - {crate(component) for component in components} - {crate(bill["metadata"]["component"])}
if missing:
    sys.exit(f"the list lacks {sorted(missing)}")
bill["components"] = sorted(components, key=lambda component: component["bom-ref"])
known = {component["bom-ref"] for component in components} | {bill["metadata"]["component"]["bom-ref"]}
bill["dependencies"] = [
    {**entry, "dependsOn": sorted(set(entry["dependsOn"]) & known)} if "dependsOn" in entry else entry
    for entry in sorted(bill["dependencies"], key=lambda entry: entry["ref"])
    if entry["ref"] in known
]
print(json.dumps(bill, indent=1, ensure_ascii=False))
