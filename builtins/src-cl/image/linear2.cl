// Linear filter in two dimensions.
__attribute__((pure)) float4 __muxcl_linear2(IMG im, uint bits, float x, float y, int layer) {
  int i[2], j[2];
  float a = around(bits, x, (int)im->width, &i[0], &i[1]),
        b = around(bits, y, (int)im->height, &j[0], &j[1]);
  float4 v = (1.0f - a) * (1.0f - b) * texel_f(im, bits, i[0], j[0], layer, 2, 1);
  v += a * (1.0f - b) * texel_f(im, bits, i[1], j[0], layer, 2, 1);
  v += (1.0f - a) * b * texel_f(im, bits, i[0], j[1], layer, 2, 1);
  return v + a * b * texel_f(im, bits, i[1], j[1], layer, 2, 1);
}
