#!/usr/bin/env python3
"""Derives every polynomial of the library with Sollya (Debian package `sollya`) and writes
src-cl/coefficients.h.

Each entry has a name, a function of x, an interval, the number of coefficients, and a weight.
`fpminimax` finds a polynomial with double coefficients (float coefficients for SINGLE). The error
of each entry is Sollya's `dirtyinfnorm` of (p - f)/weight over the interval: the relative error of
the result that the approximation alone causes.

SINGLE entries are for float and are evaluated in float (error at most 2^-25). LITE entries are for
float and are evaluated in double (2^-32). FULL entries are for double (2^-57).
Not here: rounding errors of the evaluation, which tests/ measures.
"""
import subprocess, sys, os

# name: (function, interval, terms, weight)
# p approximates the function; weight is |result| / |factor of p in the result|.
POLYS = {
    # exp(r) = 1 + r + r^2 p(r)
    "EXP_LITE": ("(exp(x)-1-x)/x^2", "[-0.3475;0.3475]", 6, "1/x^2"),
    "EXP_FULL": ("(exp(x)-1-x)/x^2", "[-0.3475;0.3475]", 11, "1/x^2"),
    # log((1+s)/(1-s)) = s (2 + z p(z)), z = s^2
    "LOG_LITE": ("((log((1+sqrt(x))/(1-sqrt(x))))/sqrt(x)-2)/x", "[1e-9;0.02945]", 5, "2/x"),
    "LOG_FULL": ("((log((1+sqrt(x))/(1-sqrt(x))))/sqrt(x)-2)/x", "[1e-9;0.02945]", 7, "2/x"),
    # atanh(s) = s (1 + z/3 + z^2 p(z))
    "LOG_DD": (
        "((log((1+sqrt(x))/(1-sqrt(x))))/(2*sqrt(x))-1-x/3)/x^2", "[1e-7;0.02945]", 8, "1/x^2"
    ),
    # sin(r) = r (1 + z p(z)); cos(r) = 1 - z/2 + z^2 p(z), z = r^2, |r| slightly above pi/4
    "SIN_LITE": ("(sin(sqrt(x))/sqrt(x)-1)/x", "[1e-9;0.62]", 5, "0.9/x"),
    "SIN_FULL": ("(sin(sqrt(x))/sqrt(x)-1)/x", "[1e-9;0.62]", 7, "0.9/x"),
    # The same form as SIN_FULL, for |r| up to pi/2
    "SIN_HALF_FULL": ("(sin(sqrt(x))/sqrt(x)-1)/x", "[1e-9;2.47]", 8, "0.63/x"),
    "COS_LITE": ("(cos(sqrt(x))-1+x/2)/x^2", "[1e-7;0.62]", 4, "0.7/x^2"),
    "COS_FULL": ("(cos(sqrt(x))-1+x/2)/x^2", "[1e-7;0.62]", 7, "0.7/x^2"),
    # atan(t) = t (1 + z p(z)), z = t^2, |t| <= tan(pi/8)
    "ATAN_LITE": ("(atan(sqrt(x))/sqrt(x)-1)/x", "[1e-9;0.1716]", 7, "0.94/x"),
    "ATAN_FULL": ("(atan(sqrt(x))/sqrt(x)-1)/x", "[1e-9;0.1716]", 13, "0.94/x"),
    # asin(t) = t (1 + z p(z)), z = t^2 <= 1/4
    "ASIN_LITE": ("(asin(sqrt(x))/sqrt(x)-1)/x", "[1e-9;0.2501]", 8, "1/x"),
    "ASIN_FULL": ("(asin(sqrt(x))/sqrt(x)-1)/x", "[1e-9;0.2501]", 14, "1/x"),
    # erf(x) = x p(x^2), |x| <= 1/2 (LITE: <= 1/2 too)
    "ERF_LITE": ("erf(sqrt(x))/sqrt(x)", "[1e-9;0.2501]", 6, "1"),
    "ERF_FULL": ("erf(sqrt(x))/sqrt(x)", "[1e-9;0.2501]", 11, "1"),
    # (1+2y) exp(y^2) erfc(y) = p(t), y = 3 (1+t)/(1-t), y from 1/2 to 10.5 (LITE) or 28
    "ERFC_LITE": (
        "(1+6*(1+x)/(1-x))*exp((3*(1+x)/(1-x))^2)*erfc(3*(1+x)/(1-x))", "[-0.715;0.56]", 13, "1"
    ),
    "ERFC_FULL": (
        "(1+6*(1+x)/(1-x))*exp((3*(1+x)/(1-x))^2)*erfc(3*(1+x)/(1-x))", "[-0.715;0.81]", 28, "1"
    ),
    # exp(r) = 1 + r + r^2 p(r), and 2^r = 1 + r p(r), 10^r = 1 + r p(r)
    "EXP_SINGLE": ("(exp(x)-1-x)/x^2", "[-0.3475;0.3475]", 5, "1/x^2"),
    "EXP2_SINGLE": ("(2^x-1)/x", "[-0.502;0.502]", 7, "1/x"),
    "EXP10_SINGLE": ("(10^x-1)/x", "[-0.1511;0.1511]", 7, "1/x"),
    # log(1+f) = f + f^2 p(f), 1+f from sqrt(1/2) to sqrt(2)
    "LOG_SINGLE": ("(log(1+x)-x)/x^2", "[-0.293;0.4143]", 9, "log(1+x)/x^2"),
    # (log2(1+f) minus the first four terms of its series) / f^5; absolute error, for powers
    "LOG2_TAIL_SINGLE": (
        "(log(1+x)-x+x^2/2-x^3/3+x^4/4)/(x^5*log(2))", "[-0.293;0.4143]", 9, "1/x^5"
    ),
    # sin(r) = r (1 + z p(z)) for |r| slightly above pi/2; SIN and COS for pi/4 as LITE entries
    "SIN_HALF_TURN": ("(sin(sqrt(x))/sqrt(x)-1)/x", "[1e-9;2.52]", 4, "0.63/x"),
    "SIN_SINGLE": ("(sin(sqrt(x))/sqrt(x)-1)/x", "[1e-9;0.62]", 3, "0.9/x"),
    "COS_SINGLE": ("(cos(sqrt(x))-1+x/2)/x^2", "[1e-7;0.62]", 3, "0.7/x^2"),
    # cbrt(m) for m in [1, 8), start value
    "CBRT": ("x^(1/3)", "[1;8]", 5, "1"),
}

def single(name): return name.endswith("SINGLE") or name == "SIN_HALF_TURN"

def run(name):
    function, interval, terms, weight = POLYS[name]
    precision = "SG" if single(name) else "D"
    # The weight of fpminimax is 1/f (relative) or 1 (absolute). It runs with the relative one; the
    # reported error has the weight of the entry.
    script = f"""
prec = 400; verbosity = 0!;
f = {function};
p = fpminimax(f, {terms - 1}, [|{precision}...|], {interval}, relative);
display = decimal!;
print("ERR", round(log2(dirtyinfnorm((p - f) / ({weight}), {interval})), 53, RN));
display = hexadecimal!;
for i from 0 to {terms - 1} do print("C", coeff(p, i));
"""
    out = subprocess.run(["sollya", "--warnonstderr"], input=script, capture_output=True, text=True)
    error, coefficients = None, []
    for line in out.stdout.splitlines():
        word = line.split()
        if word and word[0] == "ERR": error = float(word[1])
        if word and word[0] == "C": coefficients.append(word[1])
    if error is None or len(coefficients) != terms:
        sys.exit(f"{name}: {out.stdout}\n{out.stderr}")
    return error, coefficients

def main():
    only = sys.argv[1:]
    lines = [
        "// Written by derive/derive.py: do not edit. Polynomials in Horner form, each with its",
        "// approximation error relative to the result (see the script for each form).",
        "",
    ]
    for name in POLYS:
        if only and name not in only: continue
        error, c = run(name)
        print(name, error, file=sys.stderr)
        suffix = "f" if single(name) else ""
        text = f"(D){c[-1]}{suffix}"
        for k in reversed(c[:-1]):
            text = f"v_fma({text}, x, (D){k}{suffix})"
        lines += [
            f"// Error 2^{error:.1f} on {POLYS[name][1]}:",
            f"// {POLYS[name][0]}",
            f"#define {name}(D, x) \\",
            f"  {text}",
        ]
    text = "\n".join(lines) + "\n"
    if only: print(text)
    else: open(os.path.join(os.path.dirname(__file__), "../src-cl/coefficients.h"), "w").write(text)

main()
