"""Layers of a network in PlaidML 0.7.0, whose package has no tests, against NumPy."""

import json
import os

import numpy as np
import pytest

# A device must have a description in PlaidML's configuration, or PlaidML ignores it.
CONFIG = {
    "platform": {
        "@type": "type.vertex.ai/vertexai.tile.local_machine.proto.Platform",
        "hals": [],
        "hardware_configs": [
            {
                "description": "any device",
                "sel": {"name_regex": ".*"},
                "settings": {
                    "threads": 16,
                    "vec_size": 1,
                    "mem_width": 64,
                    "max_mem": 32768,
                    "max_regs": 16384,
                    "goal_groups": 16,
                    "goal_flops_per_byte": 50,
                },
            }
        ],
    }
}


@pytest.fixture(scope="session")
def device(tmp_path_factory):
    path = tmp_path_factory.mktemp("plaidml") / "config.json"
    path.write_text(json.dumps(CONFIG))
    os.environ["PLAIDML_EXPERIMENTAL"] = "1"
    os.environ["PLAIDML_EXPERIMENTAL_CONFIG"] = str(path)
    os.environ["PLAIDML_TELEMETRY"] = "0"
    import plaidml

    context = plaidml.Context()
    devices = plaidml.devices(context, limit=100, return_all=True)[0]
    # PlaidML compiles for the CPU itself. Of OpenCL's devices it leaves CPUs out.
    devices = [device for device in devices if device.id.startswith(b"opencl_")]
    assert len(devices) == 1, devices
    opened = plaidml.Device(context, devices[0])
    yield context, opened
    opened.close()


def run(device, operation, *arrays):
    import plaidml
    from plaidml import tile

    context, opened = device
    inputs = [
        ("x%d" % index, tile.Value.from_dimensions(array.shape)) for index, array in enumerate(arrays)
    ]
    output = operation(*[value for _, value in inputs])
    function = tile.compose(context, opened, inputs, [("y", output)])
    invoker = plaidml.Invoker(context, function)
    for (name, _), array in zip(inputs, arrays):
        shape = plaidml.Shape(context, tile.convert_np_dtype_to_pml(array.dtype.name), *array.shape)
        tensor = plaidml.Tensor(opened, shape)
        with tensor.mmap_discard(context) as view:
            view.copy_from_ndarray(array)
            view.writeback()
        invoker.set_input(name, tensor)
    result = plaidml.Tensor(opened, invoker.get_output_shape("y"))
    invoker.set_output("y", result)
    invoker.invoke()
    with result.mmap_current() as view:
        array = np.ndarray(tuple(d.size for d in result.shape.dimensions), dtype=np.float32)
        view.copy_to_ndarray(array)
    return array


def random(*shape):
    return np.random.RandomState(1).uniform(-1, 1, shape).astype(np.float32)


@pytest.mark.parametrize("m,k,n", [(1, 1, 1), (7, 5, 3), (64, 128, 32), (33, 257, 65)])
def test_dense(device, m, k, n):
    from plaidml import op

    x, w, b = random(m, k), random(k, n), random(n)
    got = run(device, lambda x, w, b: op.dot(x, w) + b, x, w, b)
    np.testing.assert_allclose(got, x @ w + b, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("size,channels,filters,kernel", [(5, 1, 1, 3), (12, 3, 8, 3), (9, 4, 5, 5)])
def test_convolution(device, size, channels, filters, kernel):
    from plaidml import op

    x, w = random(2, size, size, channels), random(kernel, kernel, channels, filters)
    got = run(
        device,
        lambda x, w: op.convolution(
            x,
            w,
            padding=op.AutoPadding.VALID,
            data_format=op.ConvolutionDataFormat.CHANNELS_LAST,
            kernel_format=op.ConvolutionKernelFormat.CHANNELS_LAST,
        ),
        x,
        w,
    )
    out = size - kernel + 1
    expected = np.zeros((2, out, out, filters), np.float32)
    for i in range(kernel):
        for j in range(kernel):
            expected += x[:, i : i + out, j : j + out, :] @ w[i, j]
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("mode", ["MAX", "AVG"])
@pytest.mark.parametrize("size,window", [(4, 2), (12, 3)])
def test_pooling(device, mode, size, window):
    from plaidml import op

    x = random(2, size, size, 3)
    got = run(
        device,
        lambda x: op.Pool.function(
            x,
            getattr(op.PoolMode, mode),
            (window, window),
            (window, window),
            padding=op.AutoPadding.VALID,
            data_format=op.PoolDataFormat.NXC,
        ),
        x,
    )
    out = size // window
    cut = x.reshape(2, out, window, out, window, 3)
    expected = cut.max((2, 4)) if mode == "MAX" else cut.mean((2, 4))
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("rows,columns", [(1, 10), (16, 100)])
def test_softmax(device, rows, columns):
    from plaidml import op

    x = random(rows, columns)
    got = run(device, lambda x: op.softmax(x, axis=1), x)
    e = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(got, e / e.sum(1, keepdims=True), rtol=1e-4, atol=1e-6)


def test_a_network(device):
    """Convolution, rectifier, pooling, dense and softmax as one function."""
    from plaidml import op

    x, w, d = random(2, 8, 8, 2), random(3, 3, 2, 4), random(36, 10)

    def network(x, w, d):
        y = op.convolution(
            x,
            w,
            padding=op.AutoPadding.VALID,
            data_format=op.ConvolutionDataFormat.CHANNELS_LAST,
            kernel_format=op.ConvolutionKernelFormat.CHANNELS_LAST,
        )
        y = op.relu(y)
        y = op.max_pool(
            y,
            (2, 2),
            (2, 2),
            padding=op.AutoPadding.VALID,
            data_format=op.PoolDataFormat.NXC,
        )
        return op.softmax(op.dot(op.reshape(y, (2, 36)), d), axis=1)

    got = run(device, network, x, w, d)
    y = np.zeros((2, 6, 6, 4), np.float32)
    for i in range(3):
        for j in range(3):
            y += x[:, i : i + 6, j : j + 6, :] @ w[i, j]
    y = np.maximum(y, 0).reshape(2, 3, 2, 3, 2, 4).max((2, 4)).reshape(2, 36) @ d
    e = np.exp(y - y.max(1, keepdims=True))
    np.testing.assert_allclose(got, e / e.sum(1, keepdims=True), rtol=1e-4, atol=1e-5)
