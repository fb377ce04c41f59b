//! Conversions between messages and the types of the crate `hal`. Invariant: what a peer has sent
//! is checked here, so that a HAL gets only arguments that its interface allows.

use crate::{Argument, Counter, Device, Execute, Failure, FailureKind, Range, argument};
use bytes::Bytes;
use muxcl_hal::counters::{CounterDescription, Unit, Verbosity};
use muxcl_hal::target::{Abi, Extensions};
use muxcl_hal::{DeviceInfo, HalError, Kernel, NdRange, Program};

impl From<&DeviceInfo> for Device {
    fn from(info: &DeviceInfo) -> Self {
        Self {
            target_name: info.target_name.clone(),
            word_size: info.word_size,
            global_memory: info.global_memory,
            local_memory: info.local_memory,
            should_link: info.should_link,
            linker_script: info.linker_script.clone(),
            should_vectorize: info.should_vectorize,
            preferred_vector_width: info.preferred_vector_width,
            fp16: info.fp16,
            fp64: info.fp64,
            max_workgroup_size: info.max_workgroup_size,
            little_endian: info.little_endian,
            counters: info.counters.iter().map(Counter::from).collect(),
            extensions: info.extensions.bits(),
            abi: info.abi as u32,
            vlen: info.vlen,
            properties: info.properties.to_string(),
        }
    }
}

impl From<&CounterDescription> for Counter {
    fn from(counter: &CounterDescription) -> Self {
        Self {
            id: counter.id,
            name: counter.name.clone(),
            description: counter.description.clone(),
            sub_value_name: counter.sub_value_name.clone(),
            values: counter.values,
            unit: counter.unit.0,
            per_value: counter.per_value as u32,
            total: counter.total as u32,
        }
    }
}

/// The description of a device that a server has sent.
///
/// # Errors
/// If a calling convention or a property does not exist.
pub fn device_info(device: Device) -> Result<DeviceInfo, HalError> {
    let abi = Abi::from_raw(device.abi)
        .ok_or_else(|| HalError::Nonsense(format!("calling convention {}", device.abi)))?;
    let counter = |c: Counter| CounterDescription {
        id: c.id,
        name: c.name,
        description: c.description,
        sub_value_name: c.sub_value_name,
        values: c.values,
        unit: Unit(c.unit),
        per_value: Verbosity::from_raw(c.per_value),
        total: Verbosity::from_raw(c.total),
    };
    Ok(DeviceInfo {
        target_name: device.target_name,
        word_size: device.word_size,
        global_memory: device.global_memory,
        local_memory: device.local_memory,
        should_link: device.should_link,
        linker_script: device.linker_script,
        should_vectorize: device.should_vectorize,
        preferred_vector_width: device.preferred_vector_width,
        fp16: device.fp16,
        fp64: device.fp64,
        max_workgroup_size: device.max_workgroup_size,
        little_endian: device.little_endian,
        counters: device.counters.into_iter().map(counter).collect(),
        extensions: Extensions::from_bits_truncate(device.extensions),
        abi,
        vlen: device.vlen,
        properties: device.properties.parse()?,
    })
}

/// The message for an error of a HAL.
#[must_use]
pub fn failure(error: &HalError) -> Failure {
    let (kind, text) = match error {
        HalError::OutOfMemory { .. } => (FailureKind::OutOfMemory, String::new()),
        HalError::NoKernel(name) => (FailureKind::NoKernel, name.clone()),
        HalError::Program(reason) => (FailureKind::Program, reason.clone()),
        HalError::Fault(reason) => (FailureKind::Fault, reason.clone()),
        HalError::NoSession => (FailureKind::NoSession, String::new()),
        HalError::Reported { text, .. } => (FailureKind::Other, text.clone()),
        other => (FailureKind::Other, other.to_string()),
    };
    Failure { kind: kind.into(), text }
}

/// The error of the function `call`, which has failed on the server.
#[must_use]
pub fn hal_error(call: &'static str, failure: Failure) -> HalError {
    let (kind, text) = (failure.kind(), failure.text);
    match kind {
        FailureKind::OutOfMemory => HalError::OutOfMemory { size: 0, alignment: 1 },
        FailureKind::NoKernel => HalError::NoKernel(text),
        FailureKind::Program => HalError::Program(text),
        FailureKind::Fault => HalError::Fault(text),
        FailureKind::NoSession => HalError::NoSession,
        FailureKind::Other => HalError::Reported { call, text },
    }
}

/// A launch that has been checked.
#[derive(Debug)]
pub struct Launch<'a> {
    /// The program.
    pub program: Program,
    /// The kernel.
    pub kernel: Kernel,
    /// The NDRange: no size is 0.
    pub range: NdRange,
    /// The arguments.
    pub arguments: Vec<muxcl_hal::Argument<'a>>,
    /// Number of dimensions, 1 to 3.
    pub dimensions: u32,
}

impl Execute {
    /// The message for a launch. The values of the arguments are copied.
    #[must_use]
    pub fn new(launch: &Launch<'_>) -> Self {
        let NdRange { offset, global, local } = launch.range;
        let argument = |argument: &muxcl_hal::Argument<'_>| Argument {
            kind: Some(match *argument {
                muxcl_hal::Argument::Global { address, size } => {
                    argument::Kind::Global(Range { address, size })
                }
                muxcl_hal::Argument::Local { size } => argument::Kind::Local(size),
                muxcl_hal::Argument::Value(bytes) => {
                    argument::Kind::Value(Bytes::copy_from_slice(bytes))
                }
            }),
        };
        Self {
            program: launch.program.0,
            kernel: launch.kernel.0,
            range: [offset, global, local].concat(),
            arguments: launch.arguments.iter().map(argument).collect(),
            dimensions: launch.dimensions,
        }
    }

    /// The launch.
    ///
    /// # Errors
    /// If a number is missing, 0 where none may be, or an argument has no kind.
    pub fn launch(&self) -> Result<Launch<'_>, HalError> {
        let three = |at: usize| {
            let numbers = self.range.get(at..at + 3).and_then(|numbers| numbers.try_into().ok());
            numbers.ok_or(HalError::Argument("three numbers for each size of a launch"))
        };
        let range = NdRange { offset: three(0)?, global: three(3)?, local: three(6)? };
        if range.global.iter().chain(&range.local).any(|size| *size == 0) {
            return Err(HalError::Argument("sizes of a launch above 0"));
        }
        if !(1..=3).contains(&self.dimensions) {
            return Err(HalError::Argument("one to three dimensions"));
        }
        Ok(Launch {
            arguments: self.arguments.iter().map(argument).collect::<Result<_, _>>()?,
            program: Program(self.program),
            kernel: Kernel(self.kernel),
            range,
            dimensions: self.dimensions,
        })
    }
}

fn argument(argument: &Argument) -> Result<muxcl_hal::Argument<'_>, HalError> {
    match &argument.kind {
        Some(argument::Kind::Global(Range { address, size })) => {
            Ok(muxcl_hal::Argument::Global { address: *address, size: *size })
        }
        Some(argument::Kind::Local(size)) => Ok(muxcl_hal::Argument::Local { size: *size }),
        Some(argument::Kind::Value(bytes)) => Ok(muxcl_hal::Argument::Value(bytes)),
        None => Err(HalError::Argument("a kind of argument that this server knows")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_hal::Argument;
    use prost::Message;

    #[test]
    fn a_device_arrives_as_it_was_sent() {
        let mut info = DeviceInfo::riscv("Chip", "RV64GCV_Zba".parse().unwrap());
        info.linker_script = Some("SECTIONS {}".into());
        info.properties.compute_units = Some(7);
        info.counters.push(CounterDescription {
            id: 3,
            name: "cycles".into(),
            description: "of a core".into(),
            sub_value_name: "core".into(),
            values: 2,
            unit: Unit::CYCLES,
            per_value: Verbosity::High,
            total: Verbosity::Low,
        });
        let bytes = Device::from(&info).encode_to_vec();
        assert_eq!(device_info(Device::decode(&*bytes).unwrap()), Ok(info.clone()));
        let wrong = Device { abi: 99, ..Device::from(&info) };
        assert!(matches!(device_info(wrong), Err(HalError::Nonsense(_))));
    }

    #[test]
    fn a_launch_is_checked() {
        let launch = Launch {
            program: Program(1),
            kernel: Kernel(2),
            range: NdRange { offset: [5, 0, 0], global: [8, 1, 1], local: [4, 1, 1] },
            arguments: vec![
                Argument::Global { address: 0x1000, size: 16 },
                Argument::Local { size: 8 },
                Argument::Value(b"value"),
            ],
            dimensions: 1,
        };
        let sent = Execute::new(&launch).encode_to_vec();
        let sent = Execute::decode(&*sent).unwrap();
        let arrived = sent.launch().unwrap();
        assert_eq!((arrived.range, &arrived.arguments), (launch.range, &launch.arguments));
        let mut empty = sent.clone();
        empty.range[4] = 0;
        let short = Execute { range: vec![1; 8], ..sent.clone() };
        let flat = Execute { dimensions: 0, ..sent.clone() };
        let newer = Execute { arguments: vec![crate::Argument { kind: None }], ..sent };
        for wrong in [empty, short, flat, newer] {
            assert!(matches!(wrong.launch(), Err(HalError::Argument(_))), "{wrong:?}");
        }
    }

    #[test]
    fn errors_keep_their_kind() {
        for error in [
            HalError::NoKernel("k".into()),
            HalError::Program("not ELF".into()),
            HalError::Fault("at 0".into()),
            HalError::NoSession,
            HalError::Reported { call: "mem_read", text: "why".into() },
        ] {
            assert_eq!(hal_error("mem_read", failure(&error)), error);
        }
    }
}
