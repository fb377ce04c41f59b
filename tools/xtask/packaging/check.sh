#!/bin/sh
# Installs packages of `cargo xtask package` into the clean Debian root $1, and runs programs with
# them. $2 is the folder with the packages, this folder's files, and the demo program; the other
# arguments are the formats. mmdebstrap runs this (tools/xtask/src/package/check.rs).
set -eu
root=$1 from=$2
shift 2

say() { echo "== $*"; }
fail() { echo "error: $*" >&2; exit 1; }
in_root() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
}
# The number of devices that `clinfo -l` lists with the command "$@" before it.
devices() { in_root "$@" clinfo -l | grep -c 'Device #'; }
expect_devices() {
    count=$1
    shift
    in_root "$@" clinfo -l
    [ "$(devices "$@")" = "$count" ] || fail "$count device(s) expected"
    in_root "$@" clinfo | grep -q 'Device Version.*OpenCL 3.1' || fail "clinfo shows no OpenCL 3.1"
}
# Compiles, runs and checks kernels on every device.
kernels() { in_root "$@" /packages/muxcl-demo --out /tmp/demo; }

# The commands `in_root` and `env` above and below clear the environment: no variable of the caller
# says where a driver is.
cp -r "$from" "$root/packages"
in_root sh -c 'command -v cargo clang llvm-config' && fail "the root is not clean"

check_deb() {
    in_root sh -c 'apt-get install -q -y /packages/muxcl_*.deb'
    expect_devices 1 env
    kernels env
    in_root clik --help > /dev/null
    in_root sh -c 'echo "kernel void k() {}" | clc -d refsi-m1 - -o /tmp/k.bin'
    in_root oclrun --list-devices | grep muxcl || fail "oclrun finds no device"
    in_root muxcl-run clinfo -l
    in_root sh -c 'apt-get install -q -y /packages/muxcl-refsi_*.deb'
    in_root clinfo -l | grep RefSi || fail "muxcl-refsi adds no device"
    expect_devices 2 env
    kernels env
    in_root apt-get purge -q -y muxcl muxcl-refsi
    for path in usr/lib/muxcl etc/OpenCL/vendors/muxcl.icd usr/share/doc/muxcl usr/bin/clik; do
        [ ! -e "$root/$path" ] || fail "purging left /$path"
    done
}

check_tarball() {
    mkdir "$root/opt/moved here"
    in_root tar -xzf "$(cd "$root" && echo packages/muxcl-*.tar.gz)" -C "/opt/moved here"
    set -- "/$(cd "$root" && echo "opt/moved here"/muxcl-*)/bin/muxcl-run"
    expect_devices 1 "$@"
    kernels "$@"
}

# A virtual environment /venv with the packages "$@", from files that the machine's pip downloads.
make_venv() {
    version=$(in_root python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    mkdir -p "$root/packages/pypi"
    python3 -m pip --disable-pip-version-check download -q --only-binary :all: \
        --python-version "$version" --dest "$root/packages/pypi" "$@"
    rm -rf "$root/venv"
    in_root python3 -m venv /venv
    in_root /venv/bin/pip install -q --no-index --find-links /packages/pypi "$@"
}

check_wheel() {
    make_venv pyopencl
    in_root sh -c '/venv/bin/pip install -q --no-index /packages/muxcl-*.whl'
    in_root /venv/bin/python -c 'import pyopencl; print(pyopencl.get_platforms())'
    in_root /venv/bin/python /packages/kernel.py
    expect_devices 1 /venv/bin/muxcl-run
    kernels /venv/bin/muxcl-run
    in_root /venv/bin/pip uninstall -q -y muxcl
    left=$(find "$root/venv" -path '*muxcl*' ! -name '__pycache__')
    [ -z "$left" ] || fail "uninstalling left $left"
}

check_conda() {
    in_root cp -r /packages/conda /conda
    expect_devices 1 env OCL_ICD_VENDORS=/conda/etc/OpenCL/vendors
    kernels env OCL_ICD_VENDORS=/conda/etc/OpenCL/vendors
    in_root /conda/bin/clik --help > /dev/null
    in_root sh -c 'echo "kernel void k() {}" | /conda/bin/clc - -o /tmp/k.bin'
}

for format; do
    say "$format, in a clean root"
    "check_$format"
    say "$format: passed"
done
