// Linear filter in one dimension.
__attribute__((pure)) float4 __muxcl_linear1(IMG im, uint bits, float x, int layer) {
  int i[2];
  float a = around(bits, x, (int)im->width, &i[0], &i[1]);
  float4 v = (1.0f - a) * texel_f(im, bits, i[0], 0, layer, 1, 1);
  return v + a * texel_f(im, bits, i[1], 0, layer, 1, 1);
}
