//! Checks that the library has the function that each extended instruction calls, for every type
//! that the instruction takes.

use super::{HEAD, assemble, options};
use crate::text;

/// The builtins that a module declares, but that neither the library nor a pass defines.
fn missing(module: &str) -> Vec<String> {
    let il = assemble(module);
    let text = text(&il, &options(&[])).unwrap_or_else(|e| panic!("{e}"));
    let names = text
        .lines()
        .filter_map(|l| l.strip_prefix("declare spir_func ")?.split('@').nth(1)?.split('(').next());
    let names = names.map(|n| n.trim_matches('"').to_owned());
    names.filter(|n| muxcl_builtins::find(n).is_none()).collect()
}

/// These lists give the number of each instruction, and a letter for each operand: x the type
/// itself, i an int of the same width, p a pointer to the type, q a pointer to an int of the same
/// width, e a scalar.
const FLOATS: &[(u32, &str)] = &[
    (0, "x"),
    (1, "x"),
    (2, "x"),
    (3, "x"),
    (4, "x"),
    (5, "x"),
    (6, "x"),
    (7, "xx"),
    (8, "x"),
    (9, "x"),
    (10, "xx"),
    (11, "x"),
    (12, "x"),
    (13, "xx"),
    (14, "x"),
    (15, "x"),
    (16, "x"),
    (17, "x"),
    (18, "x"),
    (19, "x"),
    (20, "x"),
    (21, "x"),
    (22, "x"),
    (23, "x"),
    (24, "xx"),
    (25, "x"),
    (26, "xxx"),
    (27, "xx"),
    (28, "xx"),
    (29, "xx"),
    (30, "xp"),
    (31, "xq"),
    (32, "xx"),
    (34, "xi"),
    (35, "x"),
    (36, "xq"),
    (37, "x"),
    (38, "x"),
    (39, "x"),
    (40, "x"),
    (41, "x"),
    (42, "xxx"),
    (43, "xx"),
    (44, "xx"),
    (45, "xp"),
    (47, "xx"),
    (48, "xx"),
    (49, "xi"),
    (50, "xx"),
    (51, "xx"),
    (52, "xxq"),
    (53, "x"),
    (54, "xi"),
    (55, "x"),
    (56, "x"),
    (57, "x"),
    (58, "xp"),
    (59, "x"),
    (60, "x"),
    (61, "x"),
    (62, "x"),
    (63, "x"),
    (64, "x"),
    (65, "x"),
    (66, "x"),
    (95, "xxx"),
    (96, "x"),
    (97, "xx"),
    (98, "xx"),
    (99, "xxx"),
    (100, "x"),
    (101, "xx"),
    (102, "xxx"),
    (103, "x"),
    (186, "xxx"),
];
const SINGLES: &[(u32, &str)] = &[
    (67, "x"),
    (68, "xx"),
    (69, "x"),
    (70, "x"),
    (71, "x"),
    (72, "x"),
    (73, "x"),
    (74, "x"),
    (75, "xx"),
    (76, "x"),
    (77, "x"),
    (78, "x"),
    (79, "x"),
    (80, "x"),
    (81, "x"),
    (82, "xx"),
    (83, "x"),
    (84, "x"),
    (85, "x"),
    (86, "x"),
    (87, "x"),
    (88, "x"),
    (89, "xx"),
    (90, "x"),
    (91, "x"),
    (92, "x"),
    (93, "x"),
    (94, "x"),
];
const INTEGERS: &[(u32, &str)] = &[
    (141, "x"),
    (142, "xx"),
    (143, "xx"),
    (144, "xx"),
    (145, "xx"),
    (146, "xx"),
    (147, "xx"),
    (148, "xx"),
    (149, "xxx"),
    (150, "xxx"),
    (151, "x"),
    (152, "x"),
    (153, "xxx"),
    (154, "xxx"),
    (155, "xxx"),
    (156, "xx"),
    (157, "xx"),
    (158, "xx"),
    (159, "xx"),
    (160, "xx"),
    (161, "xx"),
    (162, "xx"),
    (163, "xx"),
    (166, "x"),
    (186, "xxx"),
    (187, "xxx"),
    (201, "x"),
    (202, "xx"),
    (203, "xx"),
    (204, "xxx"),
];
const WORDS: &[(u32, &str)] = &[(167, "xxx"), (168, "xxx"), (169, "xx"), (170, "xx")];

/// A module that calls all instructions of `list` with one type; `space` is the storage class of
/// pointers.
fn module(scalar: &str, lanes: u32, space: u32, list: &[(u32, &str)]) -> String {
    let vector = |name: &str| {
        if lanes > 1 { format!("OpTypeVector %{name} {lanes}") } else { String::new() }
    };
    let (x, i) = if lanes > 1 { ("%x", "%i") } else { ("%scalar", "%int") };
    let mut types = format!("%void = OpTypeVoid\n %scalar = {scalar}\n");
    if scalar != "OpTypeInt 32 0" {
        types.push_str("%int = OpTypeInt 32 0\n");
    }
    let i = if scalar == "OpTypeInt 32 0" { x } else { i };
    if lanes > 1 {
        types.push_str(&format!("%x = {}\n", vector("scalar")));
        if i == "%i" {
            types.push_str(&format!("%i = {}\n", vector("int")));
        }
    }
    types.push_str(&format!(
        "%p = OpTypePointer {space} {x}\n %q = OpTypePointer {space} {i}\n %f = OpTypeFunction %void {x} {i} %p %q\n"
    ));
    let mut body = String::new();
    for (n, (number, operands)) in list.iter().enumerate() {
        let operands: String = operands.chars().map(|c| format!(" %arg_{c}")).collect();
        body.push_str(&format!("%r{n} = OpExtInst {x} %std {number}{operands}\n"));
    }
    format!(
        "{HEAD} {types} %fn = OpFunction %void 0 %f\n %arg_x = OpFunctionParameter {x}\n %arg_i = OpFunctionParameter {i}
         %arg_p = OpFunctionParameter %p\n %arg_q = OpFunctionParameter %q\n %b = OpLabel\n {body} OpReturn\n OpFunctionEnd"
    )
}

#[test]
fn the_library_has_what_is_called() {
    let mut all = Vec::new();
    for lanes in [1, 2, 3, 4, 8, 16] {
        for (bits, space) in [(16, 5), (32, 7), (64, 8), (32, 4)] {
            all.extend(missing(&module(&format!("OpTypeFloat {bits}"), lanes, space, FLOATS)));
        }
        all.extend(missing(&module("OpTypeFloat 32", lanes, 7, SINGLES)));
        for bits in [8, 16, 32, 64] {
            all.extend(missing(&module(&format!("OpTypeInt {bits} 0"), lanes, 7, INTEGERS)));
        }
        all.extend(missing(&module("OpTypeInt 32 0", lanes, 7, WORDS)));
    }
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
fn loads_and_stores_of_vectors() {
    let mut body = String::new();
    let mut types = String::new();
    for n in [2, 3, 4, 8, 16] {
        types.push_str(&format!("%v{n} = OpTypeVector %f32 {n}\n"));
        body.push_str(&format!(
            "%a{n} = OpExtInst %v{n} %std 171 %at %pf {n}\n %b{n} = OpExtInst %void %std 172 %a{n} %at %pf
             %c{n} = OpExtInst %v{n} %std 174 %at %ph {n}\n %d{n} = OpExtInst %void %std 178 %c{n} %at %ph 3
             %e{n} = OpExtInst %v{n} %std 179 %at %ph {n}\n %k{n} = OpExtInst %void %std 181 %e{n} %at %ph 0
             %g{n} = OpExtInst %void %std 177 %c{n} %at %ph\n %h{n} = OpExtInst %void %std 180 %c{n} %at %ph\n"
        ));
    }
    let text = format!(
        "{HEAD} %void = OpTypeVoid\n %f32 = OpTypeFloat 32\n %f16 = OpTypeFloat 16\n %i64 = OpTypeInt 64 0\n {types}
         %tf = OpTypePointer 5 %f32\n %th = OpTypePointer 4 %f16\n %f = OpTypeFunction %void %i64 %tf %th
         %fn = OpFunction %void 0 %f\n %at = OpFunctionParameter %i64\n %pf = OpFunctionParameter %tf
         %ph = OpFunctionParameter %th\n %b = OpLabel\n {body}
         %x = OpExtInst %f32 %std 173 %at %ph\n %y = OpExtInst %void %std 175 %x %at %ph\n
         %z = OpExtInst %void %std 176 %x %at %ph 1\n %w = OpExtInst %void %std 185 %pf %at\n
         OpReturn\n OpFunctionEnd"
    );
    assert_eq!(missing(&text), Vec::<String>::new());
}

#[test]
fn group_operations_and_ballots() {
    let mut body = String::new();
    let (mut n, mut types) = (0, String::new());
    let mut parameters = String::new();
    let mut list = String::new();
    for (name, ty, is_float) in [
        ("i8", "OpTypeInt 8 0", false),
        ("i32", "OpTypeInt 32 0", false),
        ("i64", "OpTypeInt 64 0", false),
        ("f16", "OpTypeFloat 16", true),
        ("f32", "OpTypeFloat 32", true),
        ("f64", "OpTypeFloat 64", true),
    ] {
        types.push_str(&format!("%{name} = {ty}\n"));
        parameters.push_str(&format!("%p_{name} = OpFunctionParameter %{name}\n"));
        list.push_str(&format!(" %{name}"));
        let operations: &[&str] = if is_float {
            &[
                "GroupFAdd",
                "GroupFMin",
                "GroupFMax",
                "GroupFMulKHR",
                "GroupNonUniformFAdd",
                "GroupNonUniformFMax",
            ]
        } else {
            &[
                "GroupIAdd",
                "GroupSMin",
                "GroupUMin",
                "GroupSMax",
                "GroupUMax",
                "GroupIMulKHR",
                "GroupNonUniformIAdd",
                "GroupNonUniformUMax",
                "GroupNonUniformBitwiseXor",
            ]
        };
        for operation in operations {
            for kind in 0..3 {
                for scope in ["%two", "%three"] {
                    if operation.contains("NonUniform") && scope == "%two" {
                        continue;
                    }
                    n += 1;
                    body.push_str(&format!(
                        "%r{n} = Op{operation} %{name} {scope} {kind} %p_{name}\n"
                    ));
                }
            }
        }
        for operation in ["Broadcast", "Shuffle", "ShuffleXor", "ShuffleUp", "ShuffleDown"] {
            n += 1;
            body.push_str(&format!(
                "%r{n} = OpGroupNonUniform{operation} %{name} %three %p_{name} %two\n"
            ));
        }
        n += 2;
        body.push_str(&format!(
            "%r{n} = OpGroupNonUniformRotateKHR %{name} %three %p_{name} %two\n"
        ));
        body.push_str(&format!(
            "%s{n} = OpGroupNonUniformRotateKHR %{name} %three %p_{name} %two %two\n"
        ));
        body.push_str(&format!("%t{n} = OpGroupBroadcast %{name} %three %p_{name} %two\n"));
        body.push_str(&format!("%u{n} = OpGroupBroadcast %{name} %two %p_{name} %two\n"));
        body.push_str(&format!("%v{n} = OpGroupNonUniformAllEqual %bool %three %p_{name}\n"));
        body.push_str(&format!(
            "%w{n} = OpGroupNonUniformBroadcastFirst %{name} %three %p_{name}\n"
        ));
    }
    let text = format!(
        "{HEAD} %void = OpTypeVoid\n %bool = OpTypeBool\n {types} %yes = OpConstantTrue %bool\n %v4 = OpTypeVector %i32 4
         %two = OpConstant %i32 2\n %three = OpConstant %i32 3\n %f = OpTypeFunction %void {list}
         %fn = OpFunction %void 0 %f\n {parameters} %b = OpLabel\n {body}
         %ba = OpGroupNonUniformBallot %v4 %three %yes
         %bb = OpGroupNonUniformInverseBallot %bool %three %ba
         %bc = OpGroupNonUniformBallotBitCount %i32 %three 1 %ba
         %bd = OpGroupNonUniformBallotFindMSB %i32 %three %ba
         %be = OpGroupNonUniformBallotBitExtract %bool %three %ba %two
         %bf = OpGroupNonUniformElect %bool %three
         %bg = OpGroupAll %bool %three %yes
         %bh = OpGroupNonUniformAny %bool %three %yes
         %bi = OpGroupLogicalXorKHR %bool %two 0 %yes
         %bj = OpGroupNonUniformLogicalAnd %bool %three 1 %yes
         OpReturn\n OpFunctionEnd"
    );
    assert_eq!(missing(&text), Vec::<String>::new());
}
