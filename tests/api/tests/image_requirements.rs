//! Requirements of images (`cl_ext_image_requirements_info`), and creation of images that meet
//! them, also in buffers (`cl_ext_image_from_buffer`).

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    PLANE, anything, bad_handles, buffer, cl, code, context, context_of, extension, info, make,
    number, setup, text,
};

const KINDS: [cl_mem_object_type; 6] = [
    CL_MEM_OBJECT_IMAGE1D,
    CL_MEM_OBJECT_IMAGE1D_BUFFER,
    CL_MEM_OBJECT_IMAGE1D_ARRAY,
    CL_MEM_OBJECT_IMAGE2D,
    CL_MEM_OBJECT_IMAGE2D_ARRAY,
    CL_MEM_OBJECT_IMAGE3D,
];
const NOTHING: cl_image_desc =
    cl_image_desc { image_type: 0, image_width: 0, image_height: 0, ..PLANE };
/// Parameters of a small image. A kind uses only those that it has.
const SMALL: cl_image_desc = cl_image_desc {
    image_width: 6,
    image_height: 5,
    image_depth: 4,
    image_array_size: 3,
    ..NOTHING
};
static RGBA: cl_image_format =
    cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };
static WIDE: cl_image_format =
    cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_FLOAT };
static THIN: cl_image_format =
    cl_image_format { image_channel_order: CL_R, image_channel_data_type: CL_UNORM_INT8 };
const BASE: cl_uint = CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT;
const ROW: cl_uint = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT;
const SLICE: cl_uint = CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT;
const SIZE: cl_uint = CL_IMAGE_REQUIREMENTS_SIZE_EXT;
const WIDTH: cl_uint = CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT;
const HEIGHT: cl_uint = CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT;
const DEPTH: cl_uint = CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT;
const LAYERS: cl_uint = CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT;
const MOST: [cl_uint; 4] = [WIDTH, HEIGHT, DEPTH, LAYERS];

extension!(found, clGetImageRequirementsInfoEXT_fn, c"clGetImageRequirementsInfoEXT", (c: cl_context, p: *const cl_mem_properties,
    flags: cl_mem_flags, f: *const cl_image_format, d: *const cl_image_desc, name: cl_uint,
        size: usize, value: *mut std::ffi::c_void,
    ret: *mut usize) -> cl_int);

fn at<T>(thing: Option<&T>) -> *const T {
    thing.map_or(null(), std::ptr::from_ref)
}

/// The number in an answer.
fn size(bytes: &[u8]) -> usize {
    usize::try_from(number(bytes)).unwrap_or(usize::MAX)
}

/// The answer to a query, or its error code.
fn ask(
    c: cl_context,
    f: Option<&cl_image_format>,
    d: Option<&cl_image_desc>,
    name: cl_uint,
) -> Result<usize, cl_int> {
    let (f, d) = (at(f), at(d));
    let mut bytes = 0;
    match cl!(clGetImageRequirementsInfoEXT(
        c,
        null(),
        0,
        f,
        d,
        name,
        0,
        null_mut(),
        &raw mut bytes
    )) {
        CL_SUCCESS => {}
        code => return Err(code),
    }
    let bytes = info!(clGetImageRequirementsInfoEXT(c, null(), CL_MEM_READ_ONLY, f, d), name);
    assert_eq!(bytes.len(), if MOST.contains(&name) { 4 } else { 8 });
    Ok(size(&bytes))
}

fn formats(c: cl_context, kind: cl_mem_object_type) -> Vec<cl_image_format> {
    let mut n = 0;
    code!(
        CL_SUCCESS,
        clGetSupportedImageFormats(c, CL_MEM_READ_WRITE, kind, 0, null_mut(), &raw mut n)
    );
    let mut all = vec![cl_image_format::default(); n as usize];
    code!(
        CL_SUCCESS,
        clGetSupportedImageFormats(c, CL_MEM_READ_WRITE, kind, n, all.as_mut_ptr(), null_mut())
    );
    all
}

/// Creates an image, or returns the error code.
fn image(c: cl_context, f: &cl_image_format, d: &cl_image_desc) -> Result<cl_mem, cl_int> {
    let mut code = 1;
    let made = cl!(clCreateImage(c, 0, at(Some(f)), at(Some(d)), null_mut(), &raw mut code));
    if made.is_null() { Err(code) } else { Ok(made) }
}

fn release(m: cl_mem) {
    code!(CL_SUCCESS, clReleaseMemObject(m));
}

/// Bytes of a pixel.
fn pixel(c: cl_context, kind: cl_mem_object_type, f: &cl_image_format) -> usize {
    let line = cl_image_desc {
        image_type: kind,
        image_width: 1,
        image_height: 1,
        image_depth: 1,
        image_array_size: 1,
        ..NOTHING
    };
    ask(c, Some(f), Some(&line), SIZE).unwrap_or(0)
}

#[test]
fn errors() {
    let c = context();
    let d = cl_image_desc { image_type: CL_MEM_OBJECT_IMAGE2D, ..SMALL };
    let (f, d) = (&raw const RGBA, &raw const d);
    let mut value = [0_usize; 2];
    let out = value.as_mut_ptr().cast();
    for bad in bad_handles::<_cl_context>() {
        code!(
            CL_INVALID_CONTEXT,
            clGetImageRequirementsInfoEXT(bad, null(), 0, f, d, ROW, 8, out, null_mut())
        );
    }
    let list: [cl_mem_properties; 3] = [CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1, 0];
    code!(
        CL_INVALID_PROPERTY,
        clGetImageRequirementsInfoEXT(c, list.as_ptr(), 0, f, d, ROW, 8, out, null_mut())
    );
    let none: [cl_mem_properties; 1] = [0];
    code!(
        CL_SUCCESS,
        clGetImageRequirementsInfoEXT(c, none.as_ptr(), 0, f, d, ROW, 8, out, null_mut())
    );
    for flags in [
        u64::MAX,
        1 << 40,
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_IMMUTABLE_EXT | CL_MEM_READ_WRITE,
    ] {
        code!(
            CL_INVALID_VALUE,
            clGetImageRequirementsInfoEXT(c, null(), flags, f, d, ROW, 8, out, null_mut())
        );
    }
    for flags in [1, 2, 4, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_USE_HOST_PTR, CL_MEM_IMMUTABLE_EXT]
    {
        code!(
            CL_SUCCESS,
            clGetImageRequirementsInfoEXT(c, null(), flags, f, d, ROW, 8, out, null_mut())
        );
    }
    for (order, channel) in [(CL_INTENSITY, CL_UNORM_SHORT_555), (7, 7), (CL_Rx, CL_FLOAT)] {
        let bad = cl_image_format { image_channel_order: order, image_channel_data_type: channel };
        let bad = &raw const bad;
        code!(
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            clGetImageRequirementsInfoEXT(c, null(), 0, bad, d, ROW, 8, out, null_mut())
        );
    }
    for name in [0, CL_IMAGE_FORMAT, BASE - 0x10, LAYERS + 1] {
        code!(
            CL_INVALID_VALUE,
            clGetImageRequirementsInfoEXT(c, null(), 0, f, d, name, 8, out, null_mut())
        );
    }
    code!(
        CL_INVALID_VALUE,
        clGetImageRequirementsInfoEXT(c, null(), 0, f, d, ROW, 7, out, null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clGetImageRequirementsInfoEXT(c, null(), 0, f, d, WIDTH, 3, out, null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clGetImageRequirementsInfoEXT(c, null(), 0, null(), d, SIZE, 8, out, null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clGetImageRequirementsInfoEXT(c, null(), 0, f, null(), SIZE, 8, out, null_mut())
    );
    let b = buffer(c, 4096);
    let plane = cl_image_desc { image_type: CL_MEM_OBJECT_IMAGE2D, ..SMALL };
    let whole = [
        cl_image_desc { image_type: 0, ..plane },
        cl_image_desc { image_width: 0, ..plane },
        cl_image_desc { image_height: 0, ..plane },
    ];
    let wrong = [
        cl_image_desc { image_type: CL_MEM_OBJECT_BUFFER, ..plane },
        cl_image_desc { num_samples: 2, ..plane },
        cl_image_desc { num_mip_levels: u32::MAX, ..plane },
        cl_image_desc { num_mip_levels: 2, image_row_pitch: 24, ..plane },
        cl_image_desc { num_mip_levels: 2, mem_object: b, ..plane },
        cl_image_desc { image_width: 1 << 20, image_height: 1 << 20, ..plane },
        cl_image_desc { image_row_pitch: 25, ..plane },
        cl_image_desc { mem_object: anything().cast(), ..plane },
    ];
    let line = &raw const whole[1];
    code!(
        CL_INVALID_IMAGE_DESCRIPTOR,
        clGetImageRequirementsInfoEXT(c, null(), 0, f, line, ROW, 8, out, null_mut())
    );
    for name in [BASE, ROW, SLICE, SIZE] {
        for d in wrong.iter().chain(&whole) {
            assert_eq!(
                ask(c, Some(&RGBA), Some(d), name),
                Err(CL_INVALID_IMAGE_DESCRIPTOR),
                "{name:x} {d:?}"
            );
        }
    }
    for d in &wrong {
        // A query for the maximum width ignores the given width.
        let code = ask(c, Some(&RGBA), Some(d), WIDTH);
        assert_eq!(code, Err(CL_INVALID_IMAGE_DESCRIPTOR), "{d:?}");
    }
    assert_eq!(
        ask(c, Some(&RGBA), Some(&cl_image_desc { num_mip_levels: 2, ..plane }), SIZE),
        Err(CL_INVALID_IMAGE_DESCRIPTOR)
    );
    // Types that lack the size.
    for (name, without) in [
        (
            HEIGHT,
            [CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY]
                .as_slice(),
        ),
        (
            DEPTH,
            &[
                CL_MEM_OBJECT_IMAGE1D,
                CL_MEM_OBJECT_IMAGE1D_ARRAY,
                CL_MEM_OBJECT_IMAGE2D,
                CL_MEM_OBJECT_IMAGE2D_ARRAY,
            ],
        ),
        (
            LAYERS,
            &[
                CL_MEM_OBJECT_IMAGE1D,
                CL_MEM_OBJECT_IMAGE1D_BUFFER,
                CL_MEM_OBJECT_IMAGE2D,
                CL_MEM_OBJECT_IMAGE3D,
            ],
        ),
    ] {
        for &image_type in without {
            let d = cl_image_desc { image_type, ..SMALL };
            assert_eq!(
                ask(c, Some(&RGBA), Some(&d), name),
                Err(CL_INVALID_IMAGE_DESCRIPTOR),
                "{image_type:x}"
            );
            assert_eq!(ask(c, None, Some(&d), name), Err(CL_INVALID_IMAGE_DESCRIPTOR));
        }
    }
    let without = context_of(&[setup().other_device()]);
    code!(
        CL_INVALID_OPERATION,
        clGetImageRequirementsInfoEXT(without, null(), 0, f, d, ROW, 8, out, null_mut())
    );
    for (d, has) in [(setup().device(), true), (setup().other_device(), false)] {
        let list = text(&info!(clGetDeviceInfo(d), CL_DEVICE_EXTENSIONS));
        for name in ["cl_ext_image_requirements_info", "cl_ext_image_from_buffer"] {
            assert_eq!(list.split(' ').any(|e| e == name), has, "{name}");
        }
    }
    // Looked up by name, as applications do.
    let (mut value, p): (usize, *const cl_mem_properties) = (0, null());
    assert_eq!(found(c, p, 0, f, null(), ROW, 8, (&raw mut value).cast(), null_mut()), CL_SUCCESS);
    assert_eq!(value, 4);
    release(b);
    for c in [c, without] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}

/// Alignments are powers of two, at most the device's value for 2D images, and largest for open
/// parameters.
#[test]
fn alignments() {
    let c = context();
    let d = setup().device();
    let device = [CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, CL_DEVICE_IMAGE_PITCH_ALIGNMENT]
        .map(|name| size(&info!(clGetDeviceInfo(d), name)));
    for (name, most) in [(BASE, device[0]), (ROW, device[1]), (SLICE, device[1])] {
        let open = ask(c, None, None, name).unwrap();
        let mut seen = 0;
        for image_type in KINDS {
            let desc = cl_image_desc { image_type, ..SMALL };
            let of_kind = ask(c, None, Some(&desc), name).unwrap();
            for f in formats(c, image_type) {
                let n = ask(c, Some(&f), Some(&desc), name).unwrap();
                assert!(
                    n.is_power_of_two() && n <= most * pixel(c, image_type, &f) && n <= of_kind
                );
                assert_eq!(ask(c, Some(&f), None, name), Ok(n));
                seen = seen.max(n);
            }
            assert_eq!(of_kind, seen);
        }
        assert_eq!((open, seen), (16, 16));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// A buffer of the required size holds the image; a buffer one byte smaller does not.
#[test]
fn sizes() {
    let c = context();
    for image_type in KINDS {
        let rows = !matches!(image_type, CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE1D_BUFFER);
        let slices = rows && image_type != CL_MEM_OBJECT_IMAGE2D;
        for f in formats(c, image_type) {
            let p = pixel(c, image_type, &f);
            for (row, slice) in [(0, 0), (8 * p, 0), (8 * p, 48 * p)] {
                let desc = cl_image_desc {
                    image_type,
                    image_row_pitch: row,
                    image_slice_pitch: slice,
                    ..SMALL
                };
                let n = ask(c, Some(&f), Some(&desc), SIZE).unwrap();
                let pitch = row.max(6 * p);
                let wanted = match image_type {
                    CL_MEM_OBJECT_IMAGE1D_ARRAY => slice.max(pitch) * 3,
                    CL_MEM_OBJECT_IMAGE2D => pitch * 5,
                    CL_MEM_OBJECT_IMAGE2D_ARRAY => slice.max(pitch * 5) * 3,
                    CL_MEM_OBJECT_IMAGE3D => slice.max(pitch * 5) * 4,
                    _ => 6 * p,
                };
                assert_eq!(n, wanted, "{image_type:x} {f:?} {row} {slice}");
                let (enough, small) =
                    (buffer(c, n), if n > 1 { buffer(c, n - 1) } else { null_mut() });
                let m = image(c, &f, &cl_image_desc { mem_object: enough, ..desc }).unwrap();
                assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_SIZE)), n as u64);
                let asked = |name| size(&info!(clGetImageInfo(m), name));
                if rows {
                    assert_eq!(asked(CL_IMAGE_ROW_PITCH), pitch);
                }
                if slices {
                    let plane =
                        if image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY { pitch } else { pitch * 5 };
                    assert_eq!(asked(CL_IMAGE_SLICE_PITCH), slice.max(plane));
                }
                assert_eq!(asked(CL_IMAGE_BUFFER), enough.addr());
                let less = image(c, &f, &cl_image_desc { mem_object: small, ..desc });
                if n > 1 {
                    assert_eq!(less, Err(CL_INVALID_IMAGE_SIZE));
                }
                for m in [m, enough, small].into_iter().filter(|m| !m.is_null()) {
                    release(m);
                }
            }
        }
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// Pitches and addresses that are not aligned.
#[test]
fn misaligned() {
    let c = context();
    let b = buffer(c, 65536);
    let mut memory = vec![0_u128; 4096];
    let base: *mut u8 = memory.as_mut_ptr().cast();
    for image_type in KINDS {
        let rows = !matches!(image_type, CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE1D_BUFFER);
        let slices = rows && image_type != CL_MEM_OBJECT_IMAGE2D;
        for f in [RGBA, WIDE] {
            let p = pixel(c, image_type, &f);
            let desc = cl_image_desc { image_type, mem_object: b, ..SMALL };
            let odd = [
                (rows, 8 * p + 1, 0),
                (rows, 8 * p + p / 2, 0),
                (slices, 8 * p, 48 * p + 1),
                (slices, 0, 48 * p + p / 2),
            ];
            for (_, row, slice) in odd.into_iter().filter(|o| o.0) {
                let desc = cl_image_desc { image_row_pitch: row, image_slice_pitch: slice, ..desc };
                assert_eq!(
                    image(c, &f, &desc),
                    Err(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
                    "{image_type:x} {row} {slice}"
                );
            }
            // Aligned pitches that are still invalid.
            let short = [(rows, 5 * p, 0), (slices, 8 * p, 4 * p), (slices, 8 * p, 44 * p)];
            for (_, row, slice) in short.into_iter().filter(|o| o.0) {
                let desc = cl_image_desc { image_row_pitch: row, image_slice_pitch: slice, ..desc };
                assert_eq!(
                    image(c, &f, &desc),
                    Err(CL_INVALID_IMAGE_DESCRIPTOR),
                    "{image_type:x} {row} {slice}"
                );
            }
            for shift in [0, 1, p / 2, p] {
                let here = base.wrapping_add(shift).cast();
                let mem_object = make!(clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 16384, here));
                match image(c, &f, &cl_image_desc { mem_object, ..desc }) {
                    Ok(m) => {
                        assert!(shift.is_multiple_of(p));
                        release(m);
                    }
                    Err(code) => assert!(
                        code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR && !shift.is_multiple_of(p)
                    ),
                }
                release(mem_object);
            }
        }
    }
    assert_eq!(
        image(
            c,
            &THIN,
            &cl_image_desc {
                image_type: CL_MEM_OBJECT_IMAGE2D,
                image_row_pitch: 7,
                mem_object: b,
                ..SMALL
            }
        )
        .map(release),
        Ok(())
    );
    release(b);
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// An image of the maximum size along an axis can be created, and one pixel more cannot; also in a
/// buffer, and with pitches.
#[test]
fn greatest_sizes() {
    let c = context();
    let b = buffer(c, 100_000);
    // Up to a few megabytes: larger images would only waste memory.
    let (room, layout) = (16 << 20, |d: &cl_image_desc| {
        d.image_width * d.image_height * d.image_depth * d.image_array_size
    });
    let mut tried = 0;
    for image_type in KINDS {
        for name in MOST {
            for f in [THIN, RGBA, WIDE] {
                for start in [
                    SMALL,
                    cl_image_desc { mem_object: b, ..SMALL },
                    cl_image_desc {
                        mem_object: b,
                        image_row_pitch: 640,
                        image_slice_pitch: 640 * 20,
                        ..SMALL
                    },
                ] {
                    let start = cl_image_desc { image_type, ..start };
                    let Ok(n) = ask(c, Some(&f), Some(&start), name) else { continue };
                    let with = |n: usize| {
                        let mut d = start;
                        *match name {
                            WIDTH => &mut d.image_width,
                            HEIGHT => &mut d.image_height,
                            DEPTH => &mut d.image_depth,
                            _ => &mut d.image_array_size,
                        } = n;
                        d
                    };
                    assert!(n > 0);
                    if image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER && start.mem_object.is_null() {
                        continue;
                    }
                    if layout(&with(n)) < room {
                        let m = image(c, &f, &with(n)).unwrap();
                        release(m);
                        tried += 1;
                    }
                    let more = image(c, &f, &with(n + 1));
                    assert!(
                        more == Err(CL_INVALID_IMAGE_SIZE)
                            || more == Err(CL_INVALID_IMAGE_DESCRIPTOR),
                        "{image_type:x} {name:x} {n}"
                    );
                }
            }
        }
    }
    assert!(tried > 40, "{tried}");
    release(b);
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// Open parameters count with their worst value.
#[test]
fn greatest_sizes_of_everything() {
    let c = context();
    let d = setup().device();
    let of = |name| size(&info!(clGetDeviceInfo(d), name));
    let memory = of(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    let plane = cl_image_desc { image_type: CL_MEM_OBJECT_IMAGE2D, ..NOTHING };
    let rows = of(CL_DEVICE_IMAGE2D_MAX_HEIGHT);
    for (f, p) in [(THIN, 1), (RGBA, 4), (WIDE, 16)] {
        let wanted = (memory / (rows * p)).clamp(1, of(CL_DEVICE_IMAGE2D_MAX_WIDTH));
        assert_eq!(ask(c, Some(&f), Some(&plane), WIDTH), Ok(wanted));
        let line = cl_image_desc { image_height: 1, ..plane };
        assert_eq!(ask(c, Some(&f), Some(&line), WIDTH), Ok(of(CL_DEVICE_IMAGE2D_MAX_WIDTH)));
    }
    let wide = ask(c, Some(&WIDE), Some(&plane), WIDTH).unwrap();
    assert_eq!(ask(c, None, Some(&plane), WIDTH), Ok(wide), "the largest pixel");
    for name in MOST {
        let all = ask(c, None, None, name).unwrap();
        assert_eq!(ask(c, None, Some(&NOTHING), name), Ok(all));
        let least = KINDS.iter().filter_map(|&image_type| {
            ask(c, None, Some(&cl_image_desc { image_type, ..NOTHING }), name).ok()
        });
        assert_eq!(Some(all), least.min());
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// For formats whose pixels share bytes the maximum width is a whole number of blocks, also if a
/// buffer limits it.
#[test]
fn pixels_that_share_bytes() {
    let c = context();
    let get = |flags, f: &cl_image_format, d: Option<&cl_image_desc>, name| {
        let mut value = [0_u8; 8];
        let (f, d, out) = (at(Some(f)), at(d), value.as_mut_ptr().cast());
        let code =
            cl!(clGetImageRequirementsInfoEXT(c, null(), flags, f, d, name, 8, out, null_mut()));
        if code == CL_SUCCESS { Ok(size(&value)) } else { Err(code) }
    };
    for (channel, pixels, bytes) in
        [(CL_UNSIGNED_INT_RAW10_EXT, 4, 5), (CL_UNSIGNED_INT_RAW12_EXT, 2, 3)]
    {
        let raw = cl_image_format { image_channel_order: CL_R, image_channel_data_type: channel };
        let read = |d: Option<&cl_image_desc>, name| get(CL_MEM_READ_ONLY, &raw, d, name);
        assert_eq!((read(None, ROW), read(None, BASE)), (Ok(1), Ok(1)));
        let plane = cl_image_desc {
            image_type: CL_MEM_OBJECT_IMAGE2D,
            image_width: 6 * pixels,
            image_height: 5,
            ..NOTHING
        };
        assert_eq!(read(Some(&plane), SIZE), Ok(6 * bytes * 5));
        let odd = cl_image_desc { image_width: 6 * pixels + 1, ..plane };
        assert_eq!(read(Some(&odd), SIZE), Err(CL_INVALID_IMAGE_DESCRIPTOR));
        // Four blocks and a fraction in each row.
        let b = buffer(c, 5 * (4 * bytes + bytes - 1));
        let open = cl_image_desc { image_width: 0, mem_object: b, ..plane };
        assert_eq!(read(Some(&open), WIDTH), Ok(4 * pixels));
        for flags in [0, CL_MEM_WRITE_ONLY] {
            assert_eq!(
                get(flags, &raw, Some(&plane), SIZE),
                Err(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
            );
        }
        release(b);
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}
