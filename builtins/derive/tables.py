#!/usr/bin/env python3
"""Prints the tables of argument reduction: src-cl/reduce_table.h.

For |x| = m 2^(e - 23) with m whole (24 bits) and e >= 30: 2/pi * 2^(e - 23) modulo 4 as hi (29 bits, so that m * hi is
exact in double) + lo (the next 53 bits). m * hi + m * lo is x * 2/pi modulo 4 to 2^-57, where a float comes no closer
than about 2^-30 to a whole number.
"""
import os
from mpmath import mp, mpf, floor, pi
mp.prec = 1200
rows = []
for e in range(30, 128):
    v = 2 / pi * mpf(2) ** (e - 23)
    v -= 4 * floor(v / 4)
    scale = mpf(2) ** 27
    hi = floor(v * scale) / scale
    lo = float(v - hi)
    rows.append(f"  {float(hi).hex()}, {lo.hex()},")
text = "// Written by derive/tables.py: do not edit. 2/pi * 2^(e - 23) modulo 4 for e from 30 to 127, as hi, lo.\n"
text += "static __constant double two_over_pi_by_exponent[196] = {\n" + "\n".join(rows) + "\n};\n"
open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../src-cl/reduce_table.h"), "w").write(text)
