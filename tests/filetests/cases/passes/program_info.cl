//! test = "program-info"
//! options = "-cl-kernel-arg-info -cl-std=CL1.2"
typedef struct { char c; long l; } pair;
kernel __attribute__((reqd_work_group_size(4, 2, 1))) __attribute__((vec_type_hint(uint4)))
void first(global const float *restrict a, local int3 *b, constant volatile char *c, float3 d, pair e, uchar f) {}
kernel __attribute__((work_group_size_hint(64, 1, 1))) void second(ulong2 x) {}
//---- expected ----
// ProgramInfo {
//     kernels: [
//         KernelInfo {
//             name: "first",
//             args: [
//                 ArgInfo {
//                     kind: GlobalPointer,
//                     size: 8,
//                     align: 4,
//                     address: Global,
//                     access: None,
//                     type_qualifiers: 3,
//                     type_name: "float*",
//                     name: "a",
//                 },
//                 ArgInfo {
//                     kind: LocalPointer,
//                     size: 8,
//                     align: 16,
//                     address: Local,
//                     access: None,
//                     type_qualifiers: 0,
//                     type_name: "int3*",
//                     name: "b",
//                 },
//                 ArgInfo {
//                     kind: ConstantPointer,
//                     size: 8,
//                     align: 1,
//                     address: Constant,
//                     access: None,
//                     type_qualifiers: 5,
//                     type_name: "char*",
//                     name: "c",
//                 },
//                 ArgInfo {
//                     kind: Value,
//                     size: 16,
//                     align: 16,
//                     address: Private,
//                     access: None,
//                     type_qualifiers: 0,
//                     type_name: "float3",
//                     name: "d",
//                 },
//                 ArgInfo {
//                     kind: Value,
//                     size: 16,
//                     align: 8,
//                     address: Private,
//                     access: None,
//                     type_qualifiers: 0,
//                     type_name: "pair",
//                     name: "e",
//                 },
//                 ArgInfo {
//                     kind: Value,
//                     size: 1,
//                     align: 1,
//                     address: Private,
//                     access: None,
//                     type_qualifiers: 0,
//                     type_name: "uchar",
//                     name: "f",
//                 },
//             ],
//             has_arg_info: true,
//             reqd_work_group_size: [
//                 4,
//                 2,
//                 1,
//             ],
//             work_group_size_hint: [
//                 0,
//                 0,
//                 0,
//             ],
//             vec_type_hint: "uint4",
//             attributes: "vec_type_hint(uint4) reqd_work_group_size(4,2,1)",
//             local_bytes: 0,
//             private_bytes: 0,
//             has_barrier: false,
//             uses_printf: false,
//         },
//         KernelInfo {
//             name: "second",
//             args: [
//                 ArgInfo {
//                     kind: Value,
//                     size: 16,
//                     align: 16,
//                     address: Private,
//                     access: None,
//                     type_qualifiers: 0,
//                     type_name: "ulong2",
//                     name: "x",
//                 },
//             ],
//             has_arg_info: true,
//             reqd_work_group_size: [
//                 0,
//                 0,
//                 0,
//             ],
//             work_group_size_hint: [
//                 64,
//                 1,
//                 1,
//             ],
//             vec_type_hint: "",
//             attributes: "work_group_size_hint(64,1,1)",
//             local_bytes: 0,
//             private_bytes: 0,
//             has_barrier: false,
//             uses_printf: false,
//         },
//     ],
//     global_variable_bytes: 0,
//     printf: Table {
//         calls: [],
//         strings: [],
//     },
//     opt_disable: false,
//     denorms_are_zero: false,
//     uniform_work_groups: false,
// }
