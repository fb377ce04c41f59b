"""A plugin of pytest: `scipy.datasets.ascent` without a download. Old versions of SciPy contain the
image, which `APPS_DATA` holds."""

import os
import pickle

import numpy
import scipy.datasets


def ascent():
    path = os.path.join(os.environ["APPS_DATA"], "scipy", "misc", "ascent.dat")
    with open(path, "rb") as file:
        return numpy.array(pickle.load(file))


scipy.datasets.ascent = ascent
