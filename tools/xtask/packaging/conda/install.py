"""Installs the package muxcl of the channel in folder argv[1] into the new folder argv[2], for an
environment that will lie in argv[3]."""

import asyncio
import sys

import rattler


async def main(channel, folder, prefix):
    found = await rattler.solve(
        sources=[f"file://{channel}"],
        specs=["muxcl"],
        virtual_packages=rattler.VirtualPackage.detect(),
    )
    await rattler.install(
        found, target_prefix=folder, alternative_target_prefix=prefix, show_progress=False
    )


asyncio.run(main(*sys.argv[1:]))
