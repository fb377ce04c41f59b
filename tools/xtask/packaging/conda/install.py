"""Installs the package muxcl of the channel in folder argv[1] into the new prefix argv[2]."""

import asyncio
import sys

import rattler


async def main(channel, prefix):
    found = await rattler.solve(
        sources=[f"file://{channel}"],
        specs=["muxcl"],
        virtual_packages=rattler.VirtualPackage.detect(),
    )
    await rattler.install(found, target_prefix=prefix, show_progress=False)


asyncio.run(main(*sys.argv[1:]))
