// Common definitions of the image functions: the descriptor, addressing, and the conversion of a
// pixel in memory to four channels.
//
// An opaque image is a pointer to a descriptor in the kernel's packed arguments; a sampler is an
// integer (pass `lower-opaque`). `muxcl_img::descriptor` defines the layout of both. Whatever the
// sampler, coordinates are clamped to the image before an access, so no access is outside the
// image. Address computation is separate from decoding. Decoding begins with a comparison of the
// format, which is uniform across work-items, so that loops over work-items are unswitched on it
// and vectorized.
#pragma OPENCL EXTENSION cl_khr_depth_images : enable
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

// Size 64 bytes, with the same layout on 32-bit and 64-bit devices.
typedef struct {
  ulong base;
  uint width, height, depth, layers;
  ulong row, slice;
  uint code, order, type, bytes, levels, spare;
} Descriptor;
typedef __private const Descriptor *IMG;
typedef const __global uchar *ROW;

// Bits of a sampler, equal to OpenCL C's CLK_ constants.
#define NORMALIZED 1u
#define MODE(bits) ((bits) & 0xeu)
#define CLAMP 4u
#define REPEAT 6u
#define MIRRORED 8u
#define LINEAR 0x20u
// Higher bits for properties of clCreateSamplerWithProperties, all 0 in samplers of the source
// (`muxcl_img::sampler::Lod`): the filter between levels, and the bounds of the level of detail in
// steps of 1/256, the upper bound relative to the maximum.
#define MIP_LINEAR 0x40u
#define LOD_MIN(bits) ((float)((bits) >> 8 & 0xfffu) * 0x1p-8f)
#define LOD_MAX(bits) ((float)(0xfffu - ((bits) >> 20)) * 0x1p-8f)

// Fields of `code`: channel type, logarithm of the number of channels in memory, channel order,
// alpha of the border colour.
#define TYPE_OF(code) ((code) & 31u)
#define CHANNELS_OF(code) ((code) >> 5 & 3u)
#define ORDER_OF(code) ((code) >> 8 & 15u)
#define BORDER_ALPHA(code) ((code) >> 12 & 1u)
// The two formats that are decoded inline: RGBA of normalized bytes, and of floats.
#define RGBA8 (2u | 2u << 5)
#define RGBA32F (14u | 2u << 5)

uint __muxcl_sampler_bits(sampler_t);

#define INLINE static inline __attribute__((always_inline))
typedef uchar uchar4_at __attribute__((ext_vector_type(4)));
typedef float float4_at __attribute__((ext_vector_type(4), aligned(4)));

// Decoding and encoding of all formats, out of line, so that kernels stay small enough for LLVM's
// loop passes. The pass `prepare` does not inline them.
#define OUTLINED __attribute__((noinline))
OUTLINED __attribute__((pure)) float4 __muxcl_fetch_f(uint code, ROW row, uint x);
OUTLINED __attribute__((pure)) uint4 __muxcl_fetch_u(uint code, ROW row, uint x);
OUTLINED void __muxcl_store_f(uint code, __global uchar *row, uint x, float4 v);
OUTLINED void __muxcl_store_i(uint code, __global uchar *row, uint x, int4 v);
OUTLINED void __muxcl_store_u(uint code, __global uchar *row, uint x, uint4 v);
// Linear filters, by number of dimensions. The last parameter is the layer.
OUTLINED __attribute__((pure)) float4 __muxcl_linear1(IMG im, uint bits, float x, int layer);
OUTLINED __attribute__((pure)) float4 __muxcl_linear2(IMG im, uint bits, float x, float y,
                                                      int layer);
OUTLINED __attribute__((pure)) float4 __muxcl_linear3(IMG im, uint bits, float x, float y, float z);
// For mipmapped images: the descriptor of a level, and reads with a sampler at a level of detail.
OUTLINED void __muxcl_level(IMG im, uint level, __private Descriptor *out);
OUTLINED __attribute__((pure)) float4 __muxcl_mip_f(IMG im, uint bits, float x, float y, float z,
                                                    float lod, int how);
OUTLINED __attribute__((pure)) uint4 __muxcl_mip_u(IMG im, uint bits, float x, float y, float z,
                                                   float lod, int how);
// Number of dimensions and number of layers, combined in one integer.
#define HOW(dims, layered) ((dims) << 1 | (layered))

INLINE ROW row_of(IMG im, int y, int z, int dims, int layered) {
  ulong at = im->base;
  if (dims > 1) at += (ulong)(uint)y * im->row;
  if (dims > 2 || layered) at += (ulong)(uint)z * im->slice;
  return (ROW)at;
}

INLINE int inside(int i, int n) {
  i = i > 0 ? i : 0;
  return i < n ? i : n - 1;
}

// Converts to an integer from -1 to n. Values far outside and NaN stay outside.
INLINE int whole(float f, int n) {
  float limit = (float)n;
  f = f > -1.0f ? f : -1.0f;
  f = f < limit ? f : limit;
  return (int)f;
}

INLINE int layer_of(float f, int n) { return inside(whole(v_rint(f), n), n); }

// The texel nearest to a coordinate; it may be outside.
INLINE int nearest(uint bits, float s, int n) {
  float size = (float)n;
  if ((bits & NORMALIZED) == 0) return whole(v_floor(s), n);
  if (MODE(bits) == REPEAT) {
    int i = whole(v_floor((s - v_floor(s)) * size), n);
    return i > n - 1 ? i - n : i;
  }
  if (MODE(bits) == MIRRORED) {
    s = v_abs(s - 2.0f * v_rint(0.5f * s));
    return inside(whole(v_floor(s * size), n), n);
  }
  return whole(v_floor(s * size), n);
}

// The two texels around a coordinate, and the weight of the second.
INLINE float around(uint bits, float s, int n, __private int *first, __private int *second) {
  float size = (float)n, u;
  if ((bits & NORMALIZED) == 0) {
    u = s;
  } else if (MODE(bits) == REPEAT) {
    u = (s - v_floor(s)) * size;
  } else if (MODE(bits) == MIRRORED) {
    u = v_abs(s - 2.0f * v_rint(0.5f * s)) * size;
  } else {
    u = s * size;
  }
  u -= 0.5f;
  float low = v_floor(u);
  int i = whole(low, n), j = i + 1;
  // Outside by more than one texel: both texels are outside.
  j = low < -1.0f ? -1 : j;
  if ((bits & NORMALIZED) != 0 && MODE(bits) == REPEAT) {
    i = i < 0 ? n + i : i;
    j = j > n - 1 ? j - n : j;
  } else if ((bits & NORMALIZED) != 0 && MODE(bits) == MIRRORED) {
    i = i > 0 ? i : 0;
    j = j < n - 1 ? j : n - 1;
  }
  *first = i;
  *second = j;
  return u - low;
}

INLINE float4 fetch_f(uint code, ROW row, int x) {
  // The expectation makes the compiler spill registers around the call instead of in the loop.
  if (__builtin_expect((code & 0xfffu) == RGBA8, 1))
    return __builtin_convertvector(((const __global uchar4_at *)row)[x], float4) * 0x1.010102p-8f;
  if (__builtin_expect((code & 0xfffu) == RGBA32F, 1)) return ((const __global float4_at *)row)[x];
  return __muxcl_fetch_f(code, row, (uint)x);
}

INLINE float4 border_f(uint code) {
  return (float4)(0.0f, 0.0f, 0.0f, BORDER_ALPHA(code) ? 1.0f : 0.0f);
}

// A texel at integer coordinates, with the sampler's rule for coordinates outside.
INLINE float4 texel_f(IMG im, uint bits, int x, int y, int z, int dims, int layered) {
  int w = (int)im->width, h = (int)im->height, d = (int)im->depth;
  int out = (uint)x >= (uint)w;
  x = inside(x, w);
  if (dims > 1) { out |= (uint)y >= (uint)h; y = inside(y, h); }
  if (dims > 2) { out |= (uint)z >= (uint)d; z = inside(z, d); }
  if (layered) z = inside(z, (int)im->layers);
  float4 v = fetch_f(im->code, row_of(im, y, z, dims, layered), x);
  return MODE(bits) == CLAMP && out ? border_f(im->code) : v;
}

INLINE uint4 texel_u(IMG im, uint bits, int x, int y, int z, int dims, int layered) {
  int w = (int)im->width, h = (int)im->height, d = (int)im->depth;
  int out = (uint)x >= (uint)w;
  x = inside(x, w);
  if (dims > 1) { out |= (uint)y >= (uint)h; y = inside(y, h); }
  if (dims > 2) { out |= (uint)z >= (uint)d; z = inside(z, d); }
  if (layered) z = inside(z, (int)im->layers);
  uint4 v = __muxcl_fetch_u(im->code, row_of(im, y, z, dims, layered), (uint)x);
  return MODE(bits) == CLAMP && out ? (uint4)(0u, 0u, 0u, BORDER_ALPHA(im->code)) : v;
}

// The nearest texel at floating-point coordinates.
INLINE float4 near_f(IMG im, uint bits, float x, float y, float z, int dims, int layered) {
  int i = nearest(bits, x, (int)im->width);
  int j = dims > 1 ? nearest(bits, y, (int)im->height) : 0;
  int k = dims > 2 ? nearest(bits, z, (int)im->depth) : layered ? layer_of(z, (int)im->layers) : 0;
  return texel_f(im, bits, i, j, k, dims, layered);
}

INLINE uint4 near_u(IMG im, uint bits, float x, float y, float z, int dims, int layered) {
  int i = nearest(bits, x, (int)im->width);
  int j = dims > 1 ? nearest(bits, y, (int)im->height) : 0;
  int k = dims > 2 ? nearest(bits, z, (int)im->depth) : layered ? layer_of(z, (int)im->layers) : 0;
  return texel_u(im, bits, i, j, k, dims, layered);
}

INLINE float4 sample_f(IMG im, uint bits, float x, float y, float z, int dims, int layered) {
  if ((bits & LINEAR) == 0) return near_f(im, bits, x, y, z, dims, layered);
  int layer = layered ? layer_of(z, (int)im->layers) : 0;
  if (dims == 1) return __muxcl_linear1(im, bits, x, layer);
  if (dims == 2) return __muxcl_linear2(im, bits, x, y, layer);
  return __muxcl_linear3(im, bits, x, y, z);
}

// The address of a write. The caller has checked that the coordinates are inside.
INLINE int may_write(IMG im, int x, int y, int z, int dims, int layered) {
  int in = (uint)x < im->width;
  if (dims > 1) in &= (uint)y < im->height;
  if (dims > 2) in &= (uint)z < im->depth;
  if (layered) in &= (uint)z < im->layers;
  return in;
}

INLINE uchar4 unorm8(float4 v) {
  v *= 255.0f;
  v = v > 0.0f ? v : 0.0f;
  v = v < 255.0f ? v : 255.0f;
  return __builtin_convertvector(__builtin_convertvector(v_rint(v), int4), uchar4);
}

INLINE void write_f(IMG im, int x, int y, int z, int dims, int layered, float4 v) {
  if (!may_write(im, x, y, z, dims, layered)) return;
  uint code = im->code & 0xfffu;
  __global uchar *row = (__global uchar *)row_of(im, y, z, dims, layered);
  if (__builtin_expect(code == RGBA8, 1))
    ((__global uchar4_at *)row)[x] = unorm8(v);
  else if (__builtin_expect(code == RGBA32F, 1))
    ((__global float4_at *)row)[x] = v;
  else
    __muxcl_store_f(code, row, (uint)x, v);
}

INLINE void write_i(IMG im, int x, int y, int z, int dims, int layered, int4 v) {
  if (!may_write(im, x, y, z, dims, layered)) return;
  __muxcl_store_i(im->code, (__global uchar *)row_of(im, y, z, dims, layered), (uint)x, v);
}

INLINE void write_u(IMG im, int x, int y, int z, int dims, int layered, uint4 v) {
  if (!may_write(im, x, y, z, dims, layered)) return;
  __muxcl_store_u(im->code, (__global uchar *)row_of(im, y, z, dims, layered), (uint)x, v);
}
