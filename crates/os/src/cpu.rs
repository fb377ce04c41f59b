//! The machine: usable CPUs, name, clock, caches and memory, from the affinity mask, procfs and
//! sysfs.
//!
//! Invariant: a missing or malformed file gives a default, never an error. Not here:
//! instruction-set features (`std::arch` has them).

use std::collections::BTreeMap;
use std::fs;

/// One level of data or unified cache, as CPU 0 reports it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cache {
    /// Level of the cache; 1 is the innermost.
    pub level: u32,
    /// Size in bytes.
    pub size: u64,
    /// Line size in bytes.
    pub line: u32,
    /// Number of CPUs that share the cache.
    pub shared_by: u32,
}

/// Name, clock and caches of the CPU.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CpuInfo {
    /// The model name that the CPU reports.
    pub name: String,
    /// The vendor string, such as `GenuineIntel`.
    pub vendor: String,
    /// Maximum clock frequency in MHz, 0 if unknown.
    pub max_mhz: u32,
    /// Data and unified caches by level, innermost first.
    pub caches: Vec<Cache>,
}

impl CpuInfo {
    /// Size in bytes of the outermost cache, 0 if unknown.
    #[must_use]
    pub fn last_level_cache(&self) -> u64 {
        self.caches.last().map_or(0, |c| c.size)
    }

    /// The cache line size in bytes, 64 when unknown.
    #[must_use]
    pub fn cache_line(&self) -> u32 {
        self.caches.first().map(|c| c.line).filter(|l| l.is_power_of_two()).unwrap_or(64)
    }
}

/// The number of CPUs this process may run on (its affinity mask), at least 1.
#[must_use]
pub fn available_cpus() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// A resource that CPUs share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CpuDomain {
    /// Memory of one NUMA node.
    Numa,
    /// A data or unified cache of this level.
    Cache(u32),
}

/// The numbers of the CPUs that the calling thread may run on, in ascending order; empty if
/// unknown.
#[must_use]
pub fn cpu_set() -> Vec<u32> {
    // SAFETY: all zeros is an empty set.
    let mut set = unsafe { std::mem::zeroed::<libc::cpu_set_t>() };
    // SAFETY: the set is writable and of this size.
    if unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) } != 0 {
        return Vec::new();
    }
    // SAFETY: the number is below the size of the set.
    let has = |cpu: &u32| unsafe { libc::CPU_ISSET(*cpu as usize, &set) };
    (0..CPU_SET_SIZE).filter(has).collect()
}

/// The number of the CPU on which the calling thread runs at the moment; 0 if unknown.
#[must_use]
pub fn current_cpu() -> u32 {
    // SAFETY: the function has no arguments and reads no memory of ours.
    u32::try_from(unsafe { libc::sched_getcpu() }).unwrap_or(0)
}

/// Maximum number of CPUs in a set.
const CPU_SET_SIZE: u32 = 1024;

/// Lets the calling thread run on these CPUs only; false if the system refuses.
pub fn run_on(cpus: &[u32]) -> bool {
    // SAFETY: all zeros is an empty set.
    let mut set = unsafe { std::mem::zeroed::<libc::cpu_set_t>() };
    for &cpu in cpus.iter().filter(|&&c| c < CPU_SET_SIZE) {
        // SAFETY: the number is below the size of the set.
        unsafe { libc::CPU_SET(cpu as usize, &mut set) };
    }
    // SAFETY: the set is initialised and of this size.
    unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set) == 0 }
}

/// Groups `cpus` by the instance of `domain` that they share. Orders the groups by the lowest CPU
/// number of the instance. Empty if the machine has no such domain or does not report it.
#[must_use]
pub fn cpu_groups(domain: CpuDomain, cpus: &[u32]) -> Vec<Vec<u32>> {
    let lists: Vec<Vec<u32>> = match domain {
        CpuDomain::Numa => (0..CPU_SET_SIZE)
            .map_while(|n| {
                fs::read_to_string(format!("/sys/devices/system/node/node{n}/cpulist")).ok()
            })
            .map(|text| parse_list(text.trim()))
            .collect(),
        CpuDomain::Cache(level) => {
            cpus.iter().filter_map(|&cpu| sharing_cache(cpu, level)).collect()
        }
    };
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &cpu in cpus {
        let Some(first) = lists.iter().find(|l| l.contains(&cpu)).and_then(|l| l.first()) else {
            return Vec::new();
        };
        groups.entry(*first).or_default().push(cpu);
    }
    groups.into_values().collect()
}

/// The CPUs that share the data or unified cache of `level` with `cpu`.
fn sharing_cache(cpu: u32, level: u32) -> Option<Vec<u32>> {
    (0..16).find_map(|index| {
        let dir = format!("/sys/devices/system/cpu/cpu{cpu}/cache/index{index}");
        let text = |file: &str| fs::read_to_string(format!("{dir}/{file}")).unwrap_or_default();
        let right =
            text("type").trim() != "Instruction" && text("level").trim() == level.to_string();
        right.then(|| parse_list(text("shared_cpu_list").trim()))
    })
}

/// Memory that this process may use, in bytes: that of the machine, or the limit of the process's
/// control group if that is lower.
#[must_use]
pub fn total_memory() -> u64 {
    group_limit().map_or_else(physical_memory, |limit| limit.min(physical_memory()))
}

/// The `memory.max` of this process's control group (version 2), if there is one.
fn group_limit() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|l| l.strip_prefix("0::"))?;
    read_number(&format!("/sys/fs/cgroup{path}/memory.max"))
}

fn physical_memory() -> u64 {
    // SAFETY: sysconf has no preconditions.
    let pages = unsafe { libc::sysconf(libc::_SC_PHYS_PAGES) };
    let pages = u64::try_from(pages).unwrap_or(0);
    pages.saturating_mul(crate::page_size() as u64)
}

/// Reads name, vendor, clock and caches of this machine's CPU.
#[must_use]
pub fn cpu_info() -> CpuInfo {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut info = parse_cpuinfo(&text);
    if let Some(khz) = read_number("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq") {
        info.max_mhz = u32::try_from(khz / 1000).unwrap_or(info.max_mhz);
    }
    info.caches = caches();
    info
}

/// The fields of the first CPU in the text of `/proc/cpuinfo`.
fn parse_cpuinfo(text: &str) -> CpuInfo {
    let field = |name: &str| {
        text.lines()
            .filter_map(|l| l.split_once(':'))
            .find(|(k, _)| k.trim() == name)
            .map(|(_, v)| v.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    // "@ 2.30GHz" in the name is the nominal clock; "cpu MHz" is the current clock.
    let nominal = name.rsplit_once('@').and_then(|(_, c)| {
        let c = c.trim();
        let unit = |name, factor| c.strip_suffix(name).map(|number| (number, factor));
        let (number, factor) = unit("GHz", 1000.0).or_else(|| unit("MHz", 1.0))?;
        number.trim().parse::<f64>().ok().map(|n| n * factor)
    });
    let now = field("cpu MHz").and_then(|m| m.parse::<f64>().ok());
    CpuInfo {
        vendor: field("vendor_id").unwrap_or_default(),
        max_mhz: to_mhz(nominal.unwrap_or(0.0).max(now.unwrap_or(0.0))),
        caches: Vec::new(),
        name,
    }
}

fn to_mhz(mhz: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the range of u32"
    )]
    let whole = mhz.clamp(0.0, 1.0e6) as u32;
    whole
}

fn caches() -> Vec<Cache> {
    let mut found = Vec::new();
    for index in 0..16 {
        let dir = format!("/sys/devices/system/cpu/cpu0/cache/index{index}");
        let Ok(kind) = fs::read_to_string(format!("{dir}/type")) else { break };
        if kind.trim() == "Instruction" {
            continue;
        }
        let text = |file: &str| fs::read_to_string(format!("{dir}/{file}")).unwrap_or_default();
        found.push(Cache {
            level: text("level").trim().parse().unwrap_or(0),
            size: parse_size(text("size").trim()),
            line: text("coherency_line_size").trim().parse().unwrap_or(64),
            shared_by: count_list(text("shared_cpu_list").trim()),
        });
    }
    found.sort_by_key(|c| c.level);
    found
}

/// Parses `48K`, `2M`, `1G` or plain bytes.
fn parse_size(text: &str) -> u64 {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    digits.parse::<u64>().unwrap_or(0).saturating_mul(1 << shift)
}

/// Parses a list such as `0-3,8`. Other text gives an empty list.
fn parse_list(text: &str) -> Vec<u32> {
    let range = |part: &str| -> Option<std::ops::RangeInclusive<u32>> {
        let (a, b) = part.split_once('-').unwrap_or((part, part));
        Some(a.parse().ok()?..=b.parse::<u32>().ok()?.min(CPU_SET_SIZE))
    };
    text.split(',').filter_map(range).flatten().collect()
}

/// The number of CPUs in a list such as `0-3,8`, at least 1.
fn count_list(text: &str) -> u32 {
    let count = |part: &str| -> Option<u32> {
        match part.split_once('-') {
            Some((a, b)) => b.parse::<u32>().ok()?.checked_sub(a.parse().ok()?)?.checked_add(1),
            None => part.parse::<u32>().ok().map(|_| 1),
        }
    };
    text.split(',').filter_map(count).fold(0u32, u32::saturating_add).max(1)
}

fn read_number(path: &str) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_lists() {
        assert_eq!(parse_size("48K"), 48 << 10);
        assert_eq!(parse_size("2M"), 2 << 20);
        assert_eq!(parse_size("x"), 0);
        assert_eq!(parse_size(""), 0);
        assert_eq!(count_list("0-3,8"), 5);
        assert_eq!(count_list(""), 1);
        assert_eq!(count_list("3-1"), 1);
        assert_eq!(parse_list("0-3,8"), [0, 1, 2, 3, 8]);
        assert!(
            parse_list("").is_empty() && parse_list("3-1").is_empty() && parse_list("x").is_empty()
        );
    }

    #[test]
    fn cpuinfo_text() {
        let info = parse_cpuinfo(
            "processor\t: 0\nvendor_id\t: X\nmodel name\t: Foo CPU @ 2.30GHz\ncpu MHz\t: 1200.5\n",
        );
        assert_eq!(
            (info.name.as_str(), info.vendor.as_str(), info.max_mhz),
            ("Foo CPU @ 2.30GHz", "X", 2300)
        );
        assert_eq!(parse_cpuinfo("").max_mhz, 0);
        // The last three bytes begin inside a character.
        assert_eq!(parse_cpuinfo("model name : Foo @ 2\u{20ac}x\ncpu MHz : 7").max_mhz, 7);
        assert_eq!(parse_cpuinfo("model name : Foo @ 900 MHz\n").max_mhz, 900);
    }

    #[test]
    fn threads_stay_where_they_are_told() {
        let all = cpu_set();
        assert!(!all.is_empty());
        let last = all[all.len() - 1];
        let seen = std::thread::spawn(move || run_on(&[last]).then(cpu_set)).join().unwrap();
        assert_eq!(seen, Some(vec![last]));
        for domain in
            [CpuDomain::Numa, CpuDomain::Cache(1), CpuDomain::Cache(3), CpuDomain::Cache(9)]
        {
            let mut grouped: Vec<u32> = cpu_groups(domain, &all).concat();
            grouped.sort_unstable();
            assert!(grouped.is_empty() || grouped == all, "{domain:?}");
        }
        assert!(cpu_groups(CpuDomain::Cache(9), &all).is_empty());
    }

    #[test]
    fn this_machine() {
        assert!(available_cpus() >= 1);
        assert!(total_memory() > 64 << 20);
        assert!(!cpu_info().name.is_empty());
    }
}
