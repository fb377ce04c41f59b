// Written by derive/derive.py: do not edit. Polynomials in Horner form, each with its
// approximation error relative to the result (see the script for each form).

// Error 2^-32.3 on [-0.3475;0.3475]:
// (exp(x)-1-x)/x^2
#define EXP_LITE(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.a0733992260d9p-13, x, (D)0x1.6d4465c668d99p-10), x, (D)0x1.11114c7f95216p-7), x, (D)0x1.5554e83052eafp-5), x, (D)0x1.5555552671934p-3), x, (D)0x1.0000000bada2fp-1)
// Error 2^-62.2 on [-0.3475;0.3475]:
// (exp(x)-1-x)/x^2
#define EXP_FULL(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.1f293d5afbecbp-29, x, (D)0x1.af4f970cde797p-26), x, (D)0x1.27e5072c1991bp-22), x, (D)0x1.71de0153c07ffp-19), x, (D)0x1.a01a0194e1dbcp-16), x, (D)0x1.a01a01ac35ba8p-13), x, (D)0x1.6c16c16c1918ep-10), x, (D)0x1.1111111110033p-7), x, (D)0x1.5555555555551p-5), x, (D)0x1.5555555555557p-3), x, (D)0x1p-1)
// Error 2^-43.1 on [1e-9;0.02945]:
// ((log((1+sqrt(x))/(1-sqrt(x))))/sqrt(x)-2)/x
#define LOG_LITE(D, x) \
  v_fma(v_fma(v_fma(v_fma((D)0x1.8c916f6bcfd55p-3, x, (D)0x1.c67a8e74c3343p-3), x, (D)0x1.2493248a33916p-2), x, (D)0x1.999998ca15c0ap-2), x, (D)0x1.5555555565024p-1)
// Error 2^-57.6 on [1e-9;0.02945]:
// ((log((1+sqrt(x))/(1-sqrt(x))))/sqrt(x)-2)/x
#define LOG_FULL(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.2b5b853374357p-3, x, (D)0x1.39fe212aef3ddp-3), x, (D)0x1.7462b661a64aap-3), x, (D)0x1.c71c62e0b72cep-3), x, (D)0x1.2492492df3035p-2), x, (D)0x1.9999999995303p-2), x, (D)0x1.5555555555558p-1)
// Error 2^-69.2 on [1e-7;0.02945]:
// ((log((1+sqrt(x))/(1-sqrt(x))))/(2*sqrt(x))-1-x/3)/x^2
#define LOG_DD(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.da900006eb1cfp-5, x, (D)0x1.e01b9e2a21835p-5), x, (D)0x1.11154601f49cdp-4), x, (D)0x1.3b13aa0342a97p-4), x, (D)0x1.745d173c57417p-4), x, (D)0x1.c71c71c74d1cp-4), x, (D)0x1.24924924922fcp-3), x, (D)0x1.999999999999ap-3)
// Error 2^-45.6 on [1e-9;0.62]:
// (sin(sqrt(x))/sqrt(x)-1)/x
#define SIN_LITE(D, x) \
  v_fma(v_fma(v_fma(v_fma((D)-0x1.aa214e95a00e3p-26, x, (D)0x1.71d99a3d28e72p-19), x, (D)-0x1.a019fd85853a2p-13), x, (D)0x1.1111110fca62p-7), x, (D)-0x1.5555555555143p-3)
// Error 2^-60.9 on [1e-9;0.62]:
// (sin(sqrt(x))/sqrt(x)-1)/x
#define SIN_FULL(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)-0x1.8e87b79f7f979p-41, x, (D)0x1.60e7e1ba6ebecp-33), x, (D)-0x1.ae63faa8a2b3ep-26), x, (D)0x1.71de3a11c073dp-19), x, (D)-0x1.a01a019fe94b7p-13), x, (D)0x1.111111111102p-7), x, (D)-0x1.5555555555555p-3)
// Error 2^-59.6 on [1e-9;2.47]:
// (sin(sqrt(x))/sqrt(x)-1)/x
#define SIN_HALF_FULL(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.8739e4741f17bp-49, x, (D)-0x1.ae3ac8b9045dbp-41), x, (D)0x1.6123adfae9cdfp-33), x, (D)-0x1.ae64546612b7cp-26), x, (D)0x1.71de3a51d576cp-19), x, (D)-0x1.a01a01a013718p-13), x, (D)0x1.11111111110bap-7), x, (D)-0x1.5555555555555p-3)
// Error 2^-39.5 on [1e-7;0.62]:
// (cos(sqrt(x))-1+x/2)/x^2
#define COS_LITE(D, x) \
  v_fma(v_fma(v_fma((D)-0x1.251ff6a48205dp-22, x, (D)0x1.a015b6954dbbcp-16), x, (D)-0x1.6c16bf4a0b402p-10), x, (D)0x1.5555555500629p-5)
// Error 2^-63.2 on [1e-7;0.62]:
// (cos(sqrt(x))-1+x/2)/x^2
#define COS_FULL(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.3902204fb4db6p-45, x, (D)-0x1.92ade51d07fccp-37), x, (D)0x1.1eecdad8c40eap-29), x, (D)-0x1.27e4faf1addb8p-22), x, (D)0x1.a01a019fb92d6p-16), x, (D)-0x1.6c16c16c16a36p-10), x, (D)0x1.5555555555555p-5)
// Error 2^-38.2 on [1e-9;0.1716]:
// (atan(sqrt(x))/sqrt(x)-1)/x
#define ATAN_LITE(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)-0x1.4b75cc8b67146p-5, x, (D)0x1.245343b643ac2p-4), x, (D)-0x1.71d6e030464aep-4), x, (D)0x1.c6f6cf5a9426dp-4), x, (D)-0x1.2491c20488416p-3), x, (D)0x1.9999982b3cd26p-3), x, (D)-0x1.5555555503dc5p-2)
// Error 2^-62.9 on [1e-9;0.1716]:
// (atan(sqrt(x))/sqrt(x)-1)/x
#define ATAN_FULL(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.199011b78f2cfp-8, x, (D)0x1.6a90ba2c02bdp-7), x, (D)-0x1.046cd398c464bp-5), x, (D)0x1.6ddef4f0b525ap-5), x, (D)-0x1.ab1b6987a0f2p-5), x, (D)0x1.e16c2280c53d1p-5), x, (D)-0x1.110c7f46b96b6p-4), x, (D)0x1.3b1373d93a7acp-4), x, (D)-0x1.745d1528f9f2ap-4), x, (D)0x1.c71c71bb91b9cp-4), x, (D)-0x1.2492492480968p-3), x, (D)0x1.9999999999806p-3), x, (D)-0x1.5555555555555p-2)
// Error 2^-38.0 on [1e-9;0.2501]:
// (asin(sqrt(x))/sqrt(x)-1)/x
#define ASIN_LITE(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.e21c36939a291p-6, x, (D)0x1.5de6173747cfap-8), x, (D)0x1.3ce49d5316b79p-6), x, (D)0x1.6a85440a7de6p-6), x, (D)0x1.f20b111daa555p-6), x, (D)0x1.6db5c4739a8a9p-5), x, (D)0x1.333334e4c9d12p-4), x, (D)0x1.55555554e73e5p-3)
// Error 2^-62.6 on [1e-9;0.2501]:
// (asin(sqrt(x))/sqrt(x)-1)/x
#define ASIN_FULL(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.fff05c5ab474fp-6, x, (D)-0x1.682b213d590f8p-6), x, (D)0x1.61d93501f128bp-6), x, (D)0x1.1a51344e910bap-9), x, (D)0x1.39a6937ac593bp-7), x, (D)0x1.39b1fbe9f796ep-7), x, (D)0x1.7b3908b1cf488p-7), x, (D)0x1.c98b9d370df94p-7), x, (D)0x1.1c4f25ff8ce52p-6), x, (D)0x1.6e8b9f6a9a655p-6), x, (D)0x1.f1c71c85d8de2p-6), x, (D)0x1.6db6db6d9672ep-5), x, (D)0x1.33333333334b7p-4), x, (D)0x1.5555555555555p-3)
// Error 2^-36.1 on [1e-9;0.2501]:
// erf(sqrt(x))/sqrt(x)
#define ERF_LITE(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma((D)-0x1.934f62c0cd6c1p-11, x, (D)0x1.54ce63b643076p-8), x, (D)-0x1.b8201381bd5e8p-6), x, (D)0x1.ce2ef197d213dp-4), x, (D)-0x1.8127466e1a5ap-2), x, (D)0x1.20dd75041ae87p0)
// Error 2^-55.9 on [1e-9;0.2501]:
// erf(sqrt(x))/sqrt(x)
#define ERF_FULL(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)-0x1.99ccc75d2c167p-21, x, (D)0x1.cd0b9a81be1f7p-21), x, (D)0x1.1f32f9bdff559p-20), x, (D)-0x1.eeb7fab5e747p-17), x, (D)0x1.f97d5994cf523p-14), x, (D)-0x1.c02d201a687e3p-11), x, (D)0x1.565bcba39ad54p-8), x, (D)-0x1.b82ce30e5a495p-6), x, (D)0x1.ce2f21a03bf58p-4), x, (D)-0x1.812746b037996p-2), x, (D)0x1.20dd750429b6dp0)
// Error 2^-36.5 on [-0.715;0.56]:
// (1+6*(1+x)/(1-x))*exp((3*(1+x)/(1-x))^2)*erfc(3*(1+x)/(1-x))
#define ERFC_LITE(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.3717333407097p-16, x, (D)0x1.c6a4ccd5e25edp-14), x, (D)-0x1.f2df94f7af74fp-14), x, (D)-0x1.95ef7a95c2b5p-11), x, (D)0x1.f077c158b6fc4p-10), x, (D)0x1.4b6a634bba77fp-9), x, (D)-0x1.85788cd70a54dp-6), x, (D)0x1.17ca3b4dc5c9ap-4), x, (D)-0x1.e88b6d124fa05p-4), x, (D)0x1.0983664e4fdd4p-3), x, (D)-0x1.85a15d754d611p-5), x, (D)-0x1.15c084ba8804fp-3), x, (D)0x1.40c522d7ef47dp0)
// Error 2^-54.3 on [-0.715;0.81]:
// (1+6*(1+x)/(1-x))*exp((3*(1+x)/(1-x))^2)*erfc(3*(1+x)/(1-x))
#define ERFC_FULL(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)-0x1.7252a507ce625p-22, x, (D)0x1.d39a3667e02b9p-22), x, (D)0x1.30f896d135274p-20), x, (D)-0x1.9bdf379e20723p-20), x, (D)-0x1.ba34e8002e2d6p-20), x, (D)0x1.4250c4dbbab13p-19), x, (D)0x1.701d61486386cp-20), x, (D)-0x1.244d09a2bee37p-19), x, (D)-0x1.5902d90cdb47cp-21), x, (D)0x1.3f1373d33cd62p-20), x, (D)-0x1.771b6f473d846p-22), x, (D)-0x1.9151ae90b5d8ap-23), x, (D)0x1.c95be26c5dca7p-19), x, (D)-0x1.35ce310464428p-21), x, (D)-0x1.510e4677c574ap-16), x, (D)0x1.4a1b83c7a7877p-18), x, (D)0x1.06599fba7fdccp-13), x, (D)-0x1.b90e0cc7275b7p-14), x, (D)-0x1.98db4eabef936p-11), x, (D)0x1.ef1bd6f7103bbp-10), x, (D)0x1.4b884e3f061ep-9), x, (D)-0x1.8574c40624cc2p-6), x, (D)0x1.17ca2877f1783p-4), x, (D)-0x1.e88b803a54b58p-4), x, (D)0x1.098366a5b46ccp-3), x, (D)-0x1.85a15c58aa04cp-5), x, (D)-0x1.15c084bb9e8f3p-3), x, (D)0x1.40c522d7e4987p0)
// Error 2^-26.8 on [-0.3475;0.3475]:
// (exp(x)-1-x)/x^2
#define EXP_SINGLE(D, x) \
  v_fma(v_fma(v_fma(v_fma((D)0x1.6cad1cp-10f, x, (D)0x1.120c86p-7f), x, (D)0x1.55556ap-5f), x, (D)0x1.5554dcp-3f), x, (D)0x1p-1f)
// Error 2^-31.7 on [-0.502;0.502]:
// (2^x-1)/x
#define EXP2_SINGLE(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.da5f78p-17f, x, (D)0x1.441a08p-13f), x, (D)0x1.5da986p-10f), x, (D)0x1.3b2a52p-7f), x, (D)0x1.c6b06cp-5f), x, (D)0x1.ebfbep-3f), x, (D)0x1.62e43p-1f)
// Error 2^-29.9 on [-0.1511;0.1511]:
// (10^x-1)/x
#define EXP10_SINGLE(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.60eeccp-5f, x, (D)0x1.a8d0cp-3f), x, (D)0x1.14adp-1f), x, (D)0x1.2bd786p0f), x, (D)0x1.046ffap1f), x, (D)0x1.53524cp1f), x, (D)0x1.26bb1cp1f)
// Error 2^-26.7 on [-0.293;0.4143]:
// (log(1+x)-x)/x^2
#define LOG_SINGLE(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)-0x1.3e6d66p-4f, x, (D)0x1.05f278p-3f), x, (D)-0x1.0cbfeap-3f), x, (D)0x1.22b4b6p-3f), x, (D)-0x1.547f42p-3f), x, (D)0x1.99a262p-3f), x, (D)-0x1.00023p-2f), x, (D)0x1.55555p-2f), x, (D)-0x1.fffffep-2f)
// Error 2^-31.9 on [-0.293;0.4143]:
// (log(1+x)-x+x^2/2-x^3/3+x^4/4)/(x^5*log(2))
#define LOG2_TAIL_SINGLE(D, x) \
  v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma(v_fma((D)0x1.5d9e8cp-4f, x, (D)-0x1.1baceep-3f), x, (D)0x1.1ac78ep-3f), x, (D)-0x1.259508p-3f), x, (D)0x1.47689ep-3f), x, (D)-0x1.715beep-3f), x, (D)0x1.a61b8ap-3f), x, (D)-0x1.ec7098p-3f), x, (D)0x1.2776c4p-2f)
// Error 2^-25.1 on [1e-9;2.52]:
// (sin(sqrt(x))/sqrt(x)-1)/x
#define SIN_HALF_TURN(D, x) \
  v_fma(v_fma(v_fma((D)0x1.610cc6p-19f, x, (D)-0x1.9fae42p-13f), x, (D)0x1.11102ep-7f), x, (D)-0x1.555554p-3f)
// Error 2^-26.2 on [1e-9;0.62]:
// (sin(sqrt(x))/sqrt(x)-1)/x
#define SIN_SINGLE(D, x) \
  v_fma(v_fma((D)-0x1.9aacf6p-13f, x, (D)0x1.110bdap-7f), x, (D)-0x1.555552p-3f)
// Error 2^-29.8 on [1e-7;0.62]:
// (cos(sqrt(x))-1+x/2)/x^2
#define COS_SINGLE(D, x) \
  v_fma(v_fma((D)0x1.9bc284p-16f, x, (D)-0x1.6c1296p-10f), x, (D)0x1.555554p-5f)
// Error 2^-8.1 on [1;8]:
// x^(1/3)
#define CBRT(D, x) \
  v_fma(v_fma(v_fma(v_fma((D)-0x1.c517452c66c03p-12, x, (D)0x1.3a0af15afdaa4p-7), x, (D)-0x1.5724904e0121ap-4), x, (D)0x1.cbf973dd22f25p-2), x, (D)0x1.412cc5a864a6ep-1)
