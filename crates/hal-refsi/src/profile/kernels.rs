//! The profile of a device's kernels: what each kernel has executed in all its launches.
//!
//! Invariants: kernels of equal programs with equal names are one kernel, wherever the programs are
//! loaded; addresses of code are those of the program's file. Not here: the text (`report`).

use super::Executions;
use super::lines::Lines;
use super::report;
use crate::options::Options;
use crate::program::Program;
use muxcl_hal::elf::RiscvElf;
use muxcl_rv_sim::Stretch;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A program's file.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) file: Arc<[u8]>,
    /// First address, and the address after the last one.
    span: (u64, u64),
    pub(crate) lines: Lines,
}

/// What a kernel has done in its launches.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    pub(crate) launches: u64,
    /// Launches that failed. What they executed counts.
    pub(crate) failed: u64,
    pub(crate) groups: u64,
    /// Time on the host.
    pub(crate) time: Duration,
    /// Bytes read and written by harts.
    pub(crate) moved: [u64; 2],
    /// Retired instructions outside the program: those of the device's loader.
    pub(crate) outside: u64,
    /// Executions of the program's code.
    pub(crate) code: Executions,
    /// The kernel's part of the report, until the next launch.
    text: Option<String>,
}

impl Totals {
    /// Retired instructions.
    pub(crate) fn instructions(&self) -> u64 {
        self.outside + self.code.iter().map(|(s, times)| s.length * times).sum::<u64>()
    }
}

/// A launch that has ended.
#[derive(Debug)]
pub(crate) struct Launch<'a> {
    /// Name of the kernel.
    pub(crate) kernel: &'a str,
    pub(crate) groups: u64,
    pub(crate) failed: bool,
    pub(crate) time: Duration,
    /// What harts have executed, at the addresses where the program is loaded.
    pub(crate) executed: Executions,
    /// Bytes that the harts have read and written since their creation.
    pub(crate) moved: [u64; 2],
}

/// The profile of a device.
#[derive(Debug, Default)]
pub(crate) struct KernelProfiles {
    images: Vec<Image>,
    /// The image of each loaded program, by the program's number.
    programs: BTreeMap<u64, usize>,
    /// By the number of the image, and the name of the kernel.
    kernels: BTreeMap<(usize, String), Totals>,
    /// Bytes read and written up to the last launch.
    moved: [u64; 2],
}

impl KernelProfiles {
    fn image(&mut self, number: u64, program: &Program) -> usize {
        if let Some(image) = self.programs.get(&number) {
            return *image;
        }
        let file = program.file();
        let image = self.images.iter().position(|i| *i.file == *file).unwrap_or_else(|| {
            let span = RiscvElf::parse(file).map_or((0, 0), |elf| elf.span());
            self.images.push(Image { file: file.into(), span, lines: Lines::default() });
            self.images.len() - 1
        });
        self.programs.insert(number, image);
        image
    }

    /// Adds a launch of a kernel of program `number`.
    pub(crate) fn add(&mut self, number: u64, program: &Program, launch: Launch<'_>) {
        let image = self.image(number, program);
        let (low, high) = self.images[image].span;
        let totals = self.kernels.entry((image, launch.kernel.to_owned())).or_default();
        totals.text = None;
        totals.launches += 1;
        totals.failed += u64::from(launch.failed);
        totals.groups += launch.groups;
        totals.time += launch.time;
        for (k, now) in launch.moved.into_iter().enumerate() {
            totals.moved[k] += now.saturating_sub(self.moved[k]);
        }
        self.moved = launch.moved;
        for (stretch, times) in launch.executed {
            let pc = stretch.pc.wrapping_sub(program.bias());
            if (low..high).contains(&pc) {
                *totals.code.entry(Stretch { pc, ..stretch }).or_default() += times;
            } else {
                totals.outside += stretch.length * times;
            }
        }
    }

    /// The report: kernels by their cycles.
    pub(crate) fn report(&mut self, options: &Options) -> String {
        let mut kernels: Vec<_> = self.kernels.iter_mut().collect();
        kernels.sort_by_cached_key(|(_, totals)| std::cmp::Reverse(totals.instructions()));
        let mut text = report::heading(options);
        for ((image, name), totals) in kernels {
            let part = totals.text.take().unwrap_or_else(|| {
                let program = &mut self.images[*image];
                report::kernel((name, image + 1), totals, program, options)
            });
            text.push_str(totals.text.insert(part));
        }
        text
    }
}
