// Many arguments.
#define P(n) global int *p##n, int v##n
#define S(n) p##n[get_global_id(0)] += v##n;
kernel void many(P(0), P(1), P(2), P(3), P(4), P(5), P(6), P(7), P(8), P(9))
{ S(0) S(1) S(2) S(3) S(4) S(5) S(6) S(7) S(8) S(9) }
// run: many global=8 local=4
//   buf i32 8 = i * 1 => i * 1 + 100
//   val i32 100
//   buf i32 8 = i * 2 => i * 2 + 101
//   val i32 101
//   buf i32 8 = i * 3 => i * 3 + 102
//   val i32 102
//   buf i32 8 = i * 4 => i * 4 + 103
//   val i32 103
//   buf i32 8 = i * 5 => i * 5 + 104
//   val i32 104
//   buf i32 8 = i * 6 => i * 6 + 105
//   val i32 105
//   buf i32 8 = i * 7 => i * 7 + 106
//   val i32 106
//   buf i32 8 = i * 8 => i * 8 + 107
//   val i32 107
//   buf i32 8 = i * 9 => i * 9 + 108
//   val i32 108
//   buf i32 8 = i * 10 => i * 10 + 109
//   val i32 109
