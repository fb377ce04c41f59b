//! The HAL: the list of devices and their descriptions. Invariant: each device behaves as its
//! description says.

use crate::device::RefsiDevice;
use crate::map;
use crate::options::{Options, Soc, ThreadMode};
use crate::perf::id;
use muxcl_hal::counters::{CounterDescription, Unit, Verbosity};
use muxcl_hal::target::Extensions;
use muxcl_hal::{Device, DeviceInfo, Hal, HalError, Properties};

/// The HAL platform.
#[derive(Debug)]
pub struct RefsiHal {
    /// The configurations; the reason for a device that cannot be configured.
    devices: Vec<Result<Options, HalError>>,
}

impl RefsiHal {
    /// A HAL with devices of these configurations.
    #[must_use]
    pub fn new(devices: Vec<Options>) -> Self {
        Self { devices: devices.into_iter().map(Ok).collect() }
    }

    /// A HAL with the devices that the environment requests. A device with an invalid configuration
    /// is an error when it is described, unless it is the only one.
    ///
    /// # Errors
    /// The environment requests no valid device.
    pub fn from_environment() -> Result<Self, HalError> {
        muxcl_os::reserve::set_aside();
        let devices = Options::from_environment()?;
        match devices.iter().find_map(|device| device.as_ref().err()) {
            Some(error) if devices.iter().all(Result::is_err) => Err(error.clone()),
            _ => Ok(Self { devices }),
        }
    }

    fn device(&self, index: u32) -> Result<&Options, HalError> {
        let device = self.devices.get(index as usize);
        device.ok_or(HalError::Argument("the number of a device"))?.as_ref().map_err(Clone::clone)
    }
}

/// Maximum number of work-items of a group.
pub(crate) fn most_items(options: &Options) -> u32 {
    if options.mode == ThreadMode::WorkItem { options.harts } else { 1024 }
}

/// The counters of a device.
pub(crate) fn counters(options: &Options) -> Vec<CounterDescription> {
    let counter =
        |id, name: &str, description: &str, values, unit, per_value, total| CounterDescription {
            id,
            name: name.to_owned(),
            description: description.to_owned(),
            sub_value_name: "hart".to_owned(),
            values,
            unit,
            per_value,
            total,
        };
    let each = |id, name, description, unit| {
        counter(id, name, description, options.harts, unit, Verbosity::Mid, Verbosity::Low)
    };
    let host = |id, name, description, unit| {
        counter(id, name, description, 1, unit, Verbosity::Never, Verbosity::Low)
    };
    let mut all = vec![
        each(id::RETIRED, "retired_inst", "retired instructions", Unit::GENERIC),
        each(id::CYCLES, "cycles", "elapsed cycles", Unit::CYCLES),
        host(id::HOST_WRITE, "host_write", "bytes written by the host", Unit::BYTES),
        host(id::HOST_READ, "host_read", "bytes read by the host", Unit::BYTES),
        host(id::LOADS, "program_loads", "programs brought into memory so far", Unit::GENERIC),
        host(id::LAUNCHES, "launches", "kernels launched so far", Unit::GENERIC),
    ];
    let detailed = [
        (id::INTEGER, "int_inst", "integer instructions"),
        (id::FLOAT, "float_inst", "floating-point instructions"),
        (id::BRANCH, "branch_inst", "branches and jumps"),
        (id::READ_ALL, "mem_read_inst", "loads"),
        (id::READ, "mem_read_byte_inst", "loads of 1 byte"),
        (id::READ + 1, "mem_read_short_inst", "loads of 2 bytes"),
        (id::READ + 2, "mem_read_word_inst", "loads of 4 bytes"),
        (id::READ + 3, "mem_read_double_inst", "loads of 8 bytes"),
        (id::READ + 4, "mem_read_quad_inst", "loads of 16 bytes"),
        (id::WRITE_ALL, "mem_write_inst", "stores"),
        (id::WRITE, "mem_write_byte_inst", "stores of 1 byte"),
        (id::WRITE + 1, "mem_write_short_inst", "stores of 2 bytes"),
        (id::WRITE + 2, "mem_write_word_inst", "stores of 4 bytes"),
        (id::WRITE + 3, "mem_write_double_inst", "stores of 8 bytes"),
        (id::WRITE + 4, "mem_write_quad_inst", "stores of 16 bytes"),
    ];
    let bytes = [
        (id::READ_BYTES, "mem_read_bytes", "bytes read by harts"),
        (id::WRITE_BYTES, "mem_write_bytes", "bytes written by harts"),
    ];
    if options.detailed_counters {
        let count = |unit, total| {
            move |(id, name, text)| {
                counter(id, name, text, options.harts, unit, Verbosity::High, total)
            }
        };
        all.extend(detailed.map(count(Unit::GENERIC, Verbosity::Never)));
        all.extend(bytes.map(count(Unit::BYTES, Verbosity::High)));
    }
    all
}

/// The description of a device with this configuration, which need not exist.
#[must_use]
pub fn describe(o: &Options) -> DeviceInfo {
    let taken = if o.soc == Soc::M1 { o.stack * u64::from(o.harts) } else { 0 };
    DeviceInfo {
        target_name: o.name().to_owned(),
        word_size: o.word_size(),
        // The memory left after stacks and the buffers for launches.
        global_memory: (map::DRAM_SIZE - taken - (1 << 20)) & !0xf_ffff,
        local_memory: if o.soc == Soc::M1 { 64 << 10 } else { 256 << 10 },
        should_link: true,
        linker_script: None,
        should_vectorize: o.target.extensions.contains(Extensions::V),
        preferred_vector_width: o.vlen,
        fp16: o.target.extensions.contains(Extensions::ZFH),
        fp64: o.target.extensions.contains(Extensions::D),
        max_workgroup_size: most_items(o),
        little_endian: true,
        counters: counters(o),
        extensions: o.target.extensions,
        abi: o.target.abi(),
        vlen: if o.target.extensions.contains(Extensions::V) { o.vlen } else { 0 },
        properties: Properties {
            // In WI mode all harts run one work-group together.
            compute_units: Some(if o.mode == ThreadMode::WorkItem { 1 } else { o.harts }),
            timer: true,
            shared_addresses: true,
            dma: (o.soc == Soc::M1).then_some(map::DMA),
            keeps_variables: true,
            concurrent_calls: true,
            ..Properties::riscv()
        },
    }
}

impl Hal for RefsiHal {
    fn name(&self) -> &str {
        "RefSi"
    }

    fn device_count(&self) -> u32 {
        u32::try_from(self.devices.len()).unwrap_or(0)
    }

    fn device_info(&self, index: u32) -> Result<DeviceInfo, HalError> {
        Ok(describe(self.device(index)?))
    }

    fn create_device(&self, index: u32) -> Result<Box<dyn Device>, HalError> {
        Ok(Box::new(RefsiDevice::new(self.device(index)?)?))
    }
}
