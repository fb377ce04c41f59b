// Linear filter in three dimensions.
__attribute__((pure)) float4 __muxcl_linear3(IMG im, uint bits, float x, float y, float z) {
  int i[2], j[2], k[2];
  float a = around(bits, x, (int)im->width, &i[0], &i[1]),
        b = around(bits, y, (int)im->height, &j[0], &j[1]);
  float c = around(bits, z, (int)im->depth, &k[0], &k[1]);
  float4 v = (float4)(0.0f);
  for (int n = 0; n < 8; n++) {
    float weight = ((n & 1) ? a : 1.0f - a) * ((n & 2) ? b : 1.0f - b) * ((n & 4) ? c : 1.0f - c);
    v += weight * texel_f(im, bits, i[n & 1], j[n >> 1 & 1], k[n >> 2], 3, 0);
  }
  return v;
}
