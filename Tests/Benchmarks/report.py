"""Collects what was measured, and prints it."""

import json
import statistics
import sys

_UNITS = {
    "ms": (1e3, 1),
    "B": (1, 0),
    "s": (1, 2),
    "MB": (1e-6, 1),
    "kB": (1e-3, 2),
    "MB/s": (1e-6, 0),
    "times": (1, 2),
    "share": (1, 4),
}


class Report:
    def __init__(self, programs):
        self.programs = programs
        self.rows = []

    def add(self, name, unit, program, values, pick=statistics.median):
        """`values` are of one program, in seconds, bytes, bytes in a second, or numbers."""
        row = next((row for row in self.rows if row["name"] == name), None)
        if row is None:
            row = {"name": name, "unit": unit, "values": {}}
            self.rows.append(row)
        factor, digits = _UNITS[unit]
        best = max if unit == "MB/s" else min
        row["values"][program] = {
            "value": round(pick(values) * factor, digits + 2),
            "best": round(best(values) * factor, digits + 2),
        }
        print(f"  {name}: {program} {pick(values) * factor:.{digits}f} {unit}", file=sys.stderr)

    def print_table(self):
        """The median of all runs, the best of them in brackets, and how the others compare."""
        header = ["", *self.programs, *(f"{name} : telex" for name in self.programs[1:])]
        lines = [header] + [self._cells(row) for row in self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
        for line in lines:
            first, *rest = (cell.rjust(width) for cell, width in zip(line, widths))
            print("  ".join([line[0].ljust(widths[0]), *rest]))

    def _cells(self, row):
        digits = _UNITS[row["unit"]][1]
        values = [row["values"].get(program) for program in self.programs]
        cells = [f"{row['name']}, {row['unit']}"]
        cells += [
            f"{value['value']:.{digits}f} ({value['best']:.{digits}f})" if value else "–"
            for value in values
        ]
        own = values[0]
        for value in values[1:]:
            known = own and value and own["value"] > 0
            cells.append(f"{value['value'] / own['value']:.2f}" if known else "–")
        return cells

    def json(self, about):
        return json.dumps(about | {"programs": self.programs, "rows": self.rows})
