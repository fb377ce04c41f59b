// Levels of mipmapped images (by the rule of `muxcl_img::mipmap`), and sampling between levels.
void __muxcl_level(IMG im, uint level, __private Descriptor *out) {
  *out = *im;
  for (uint n = 0; n < level; n++) {
    out->base += out->slice * out->depth * out->layers;
    uint w = out->width >> 1, h = out->height >> 1, d = out->depth >> 1;
    out->width = w != 0 ? w : 1;
    out->height = h != 0 ? h : 1;
    out->depth = d != 0 ? d : 1;
    out->row = (ulong)out->width * out->bytes;
    out->slice = out->row * out->height;
  }
}

// Clamps a level of detail to the sampler's bounds and to the image's levels; NaN gives the
// minimum.
INLINE float bounded(IMG im, uint bits, float lod) {
  float low = LOD_MIN(bits), high = LOD_MAX(bits), last = (float)(im->levels - 1);
  lod = lod > low ? lod : low;
  lod = lod < high ? lod : high;
  return lod < last ? lod : last;
}

// The level nearest to a level of detail. Half-way the larger image wins.
INLINE uint nearest_level(float lod) { return (uint)v_ceil(lod - 0.5f); }

__attribute__((pure)) float4 __muxcl_mip_f(IMG im, uint bits, float x, float y, float z, float lod,
                                           int how) {
  Descriptor level;
  lod = bounded(im, bits, lod);
  float low = (bits & MIP_LINEAR) != 0 ? v_floor(lod) : (float)nearest_level(lod);
  __muxcl_level(im, (uint)low, &level);
  float4 v = sample_f(&level, bits, x, y, z, how >> 1, how & 1);
  float weight = lod - low;
  if (weight <= 0.0f || (bits & MIP_LINEAR) == 0) return v;
  __muxcl_level(im, (uint)low + 1, &level);
  return (1.0f - weight) * v + weight * sample_f(&level, bits, x, y, z, how >> 1, how & 1);
}

// Integer formats have no linear filter.
__attribute__((pure)) uint4 __muxcl_mip_u(IMG im, uint bits, float x, float y, float z, float lod,
                                          int how) {
  Descriptor level;
  __muxcl_level(im, nearest_level(bounded(im, bits, lod)), &level);
  return near_u(&level, bits, x, y, z, how >> 1, how & 1);
}
