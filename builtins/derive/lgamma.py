#!/usr/bin/env python3
"""Derives the polynomial of lgamma between its zeros: src-cl/lgamma_near.h.

lgamma(x) = (x - 1) (x - 2) p((x - 1.65) / 0.95) for x in [0.7, 2.6]. p is a Chebyshev interpolation
by mpmath (Sollya has no gamma function), rounded to double. The file contains the largest error
relative to lgamma.
"""
import os
from mpmath import mp, mpf, loggamma, chebyfit, polyval, linspace
mp.prec = 300
def f(t):
    x = mpf("1.65") + mpf("0.95") * t
    return loggamma(x) / ((x - 1) * (x - 2))
text = "// Written by derive/lgamma.py: do not edit.\n"
for name, terms in [("LGAMMA_NEAR", 34), ("LGAMMA_NEAR_LITE", 20)]:
    coefficients = [mpf(float(c)) for c in chebyfit(f, [-1, 1], terms)]
    points = linspace(mpf("-0.9999"), mpf("0.99991"), 997)
    worst = max(abs(polyval(coefficients, t) / f(t) - 1) for t in points)
    expression = f"(D){float(coefficients[0]).hex()}"
    for c in coefficients[1:]:
        expression = f"v_fma({expression}, x, (D){float(c).hex()})"
    text += f"// Error 2^{float(mp.log(worst, 2)):.1f} of the result.\n"
    text += f"#define {name}(D, x) \\\n  {expression}\n"
    print(name, float(mp.log(worst, 2)))
here = os.path.dirname(os.path.abspath(__file__))
open(os.path.join(here, "../src-cl/lgamma_near.h"), "w").write(text)
