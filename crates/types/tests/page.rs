//! Compares the tables of `docs/kernel-abi.md` with the structures of `sched`.

use std::mem::offset_of;

use muxcl_types::sched::{HostExtra, SchedInfo32, SchedInfo64};

#[test]
fn the_page_has_the_layouts() {
    let page = include_str!("../../../docs/kernel-abi.md");
    macro_rules! rows {
        ($structure:ident: $($kind:literal $field:ident,)*) => {
            $(
                let at = offset_of!($structure, $field);
                let row = format!("| {at} | `{}` | `{}`", $kind, stringify!($field));
                assert!(page.contains(&row), "docs/kernel-abi.md lacks {row}");
            )*
        };
    }
    rows!(SchedInfo64: "u64[3]" group_id_start, "u64[3]" num_groups_total,
        "u64[3]" global_offset, "u32[3]" local_size, "u32" num_dim,
        "u64[3]" num_groups_per_call, "u64" hal_extra,);
    rows!(HostExtra: "u64[3]" global_size, "u64" local_mem, "u64" local_mem_size,
        "u64" scratch, "u64" scratch_size, "u64" stack_low, "u64" stack_high, "u64" printf,
        "u64" launch, "u64" combined, "u64" counts,);
    let narrow = [
        offset_of!(SchedInfo32, group_id_start),
        offset_of!(SchedInfo32, num_groups_total),
        offset_of!(SchedInfo32, global_offset),
        offset_of!(SchedInfo32, local_size),
        offset_of!(SchedInfo32, num_dim),
        offset_of!(SchedInfo32, num_groups_per_call),
    ];
    let sentence = format!("offsets {}", narrow.map(|at| at.to_string()).join(", "));
    assert!(page.contains(&sentence), "docs/kernel-abi.md lacks the {sentence}");
}
