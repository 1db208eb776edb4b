"""Files for the tests: tables of text, and workbooks by hand, with the few parts of which a reader takes notice."""

import zipfile
from datetime import datetime
from xml.sax.saxutils import escape

import pytest

PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>'
    "</Relationships>",
    # The second style of cells is that of dates.
    "xl/styles.xml": '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2">'
    '<xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
}


def _cell(value, place):
    match value:
        case None:
            return ""
        case datetime():
            return f'<c r="{place}" s="1"><v>{(value - datetime(1899, 12, 30)).total_seconds() / 86400}</v></c>'
        case bool():
            return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
        case str():
            return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def _workbook(path, sheets):
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    links = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    names = "".join(f'<sheet name="{name}" sheetId="{i}" r:id="s{i}"/>' for i, name in enumerate(sheets, start=1))
    targets = "".join(
        f'<Relationship Id="s{i}" Type="{kind}/worksheet" Target="worksheets/sheet{i}.xml"/>' for i in range(1, len(sheets) + 1)
    )
    targets += f'<Relationship Id="st" Type="{kind}/styles" Target="styles.xml"/>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in PARTS.items():
            archive.writestr(name, text)
        archive.writestr("xl/workbook.xml", f"<workbook {space} {links}><sheets>{names}</sheets></workbook>")
        relations = "http://schemas.openxmlformats.org/package/2006/relationships"
        archive.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{relations}">{targets}</Relationships>')
        for i, rows in enumerate(sheets.values(), start=1):
            lines = "".join(
                f'<row r="{r}">{"".join(_cell(value, f"{chr(65 + c)}{r}") for c, value in enumerate(row))}</row>'
                for r, row in enumerate(rows, start=1)
            )
            archive.writestr(f"xl/worksheets/sheet{i}.xml", f"<worksheet {space}><sheetData>{lines}</sheetData></worksheet>")
    return path


@pytest.fixture
def workbook(tmp_path):
    """Writes sheets, each a list of rows."""
    return lambda **sheets: _workbook(tmp_path / "book.xlsx", sheets)


@pytest.fixture
def write(tmp_path):
    """Writes text or bytes."""

    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
