"""A plugin of pytest for `cargo xtask apps`: which test runs now, and which are left out."""

import re

import pytest

NAME = "muxcl-test"


def pytest_addoption(parser):
    group = parser.getgroup("muxcl")
    group.addoption("--progress-file", help="gets a line when a test starts or ends")
    group.addoption("--leave-out-file", help="names of tests that do not run, one per line")
    group.addoption("--device-name", help="regular expression: the device's name in tests' names")


def test_name(config, nodeid):
    """The name of a test, the same on every device."""
    pattern = config.getoption("--device-name")
    return re.sub(pattern, "DEVICE", nodeid) if pattern else nodeid


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    with open(config.getoption("--leave-out-file"), encoding="utf-8") as file:
        names = set(file.read().splitlines())
    left_out = [item for item in items if test_name(config, item.nodeid) in names]
    if left_out:
        items[:] = [item for item in items if test_name(config, item.nodeid) not in names]
        config.hook.pytest_deselected(items=left_out)
    for item in items:
        # The XML file has the property; a test's name cannot be made from its other attributes.
        item.user_properties.append((NAME, test_name(config, item.nodeid)))


class Progress:
    def __init__(self, config):
        self.config = config
        path = config.getoption("--progress-file")
        self.file = open(path, "a", encoding="utf-8", errors="backslashreplace")

    def line(self, event, nodeid):
        self.file.write(event + " " + test_name(self.config, nodeid) + "\n")
        self.file.flush()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid, location):
        self.line("start", nodeid)

    def pytest_runtest_logfinish(self, nodeid, location):
        self.line("end", nodeid)


def pytest_configure(config):
    config.pluginmanager.register(Progress(config))
