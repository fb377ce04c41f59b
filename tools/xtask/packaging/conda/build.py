"""Builds the recipe argv[1] into the channel argv[2]. It needs no package, so no channel."""

import sys

from rattler_build import Stage0Recipe

for built in Stage0Recipe.from_file(sys.argv[1]).run_build(output_dir=sys.argv[2], channels=[]):
    for package in built.packages:
        print(package)
