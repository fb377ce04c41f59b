//! Launches of a kernel: checks arguments, sizes and variant, and builds the Mux launch.
//!
//! A launch with the same sizes and arguments as the last one reuses it and computes nothing. Other
//! launches release the lock while they compile a variant, which may call the application back.
//!
//! Invariant: objects that a launch refers to stay alive until it has run. No application code runs
//! with the kernel's lock held. Not here: how launches are queued (`queue`).

use std::sync::Arc;

use muxcl_lock::MutexGuard;
use muxcl_mux::{ArgBlock, CheckedLaunch, Descriptor, DeviceQueue, NdRange};
use muxcl_types::check::LocalShadow;
use muxcl_types::device::Vecz;
use muxcl_types::pack;
use muxcl_types::program::{ArgKind, KernelInfo};
use muxcl_types::sched::LOCAL_ALIGN;
use muxcl_types::variant::{KnownWords, SpecializationKey};

use super::{Argument, Kernel, KernelState, addresses, argument_error, resolve_addresses};
use crate::core::check::{LaunchCheck, Value};
use crate::core::device::Device;
use crate::core::memory::{MemLifetime, observation_count};
use crate::core::ndrange::{self, RequestedSizes, SizeRules};
use crate::core::queue::error_of;
use crate::core::storage::{Access, Migration, MigrationList, Storage};
use crate::core::svm::SvmHeap;
use crate::error::{ClError, ClResult};
use crate::explain::violated;

/// A launch, the migrations that must run before it, and the check of its accesses.
pub type PreparedLaunch = (CheckedLaunch, Option<Arc<MigrationList>>, Option<Arc<LaunchCheck>>);

/// The launch that was enqueued last, for reuse.
#[derive(Clone, Debug)]
pub(super) struct LastLaunch {
    /// Index of the device in the context.
    device: usize,
    /// The sizes as the application gave them.
    requested: RequestedSizes,
    /// [`observation_count`] from which on no memory object of an argument was observed.
    observations: usize,
    launch: PreparedLaunch,
}

/// The specialization key for a launch with the sizes `range` and the image formats and samplers
/// `words`. `seen`: the local size that the kernel sees, if groups are joined. The key records
/// small global ids only if work-items may run in vector lanes, because other code does not depend
/// on them.
fn specialization_key(
    range: &NdRange,
    seen: Option<[u64; 3]>,
    lanes: Vecz,
    words: KnownWords,
) -> SpecializationKey {
    let small = |sizes: [u64; 3]| sizes.map(|l| u32::try_from(l).unwrap_or(u32::MAX));
    SpecializationKey {
        local_size: Some(small(range.local)),
        seen_local_size: seen.map(small),
        zero_offset: range.offset == [0; 3],
        uniform: range.global.iter().zip(range.local).all(|(g, l)| g.is_multiple_of(l)),
        small_ids: lanes != Vecz::Off && range.has_small_ids(),
        words,
    }
}

/// The formats of the image arguments, and the values of the sampler arguments. Code that is
/// compiled for them is faster.
fn known_words(info: &KernelInfo, args: &ArgBlock) -> KnownWords {
    let mut words = KnownWords::default();
    for (arg, at) in info.args.iter().zip(&args.layout().offsets) {
        let offset = match arg.kind {
            ArgKind::Image => at + pack::IMAGE_FORMAT,
            ArgKind::Sampler => *at,
            _ => continue,
        };
        if let Some(value) = args.word(offset) {
            words.add(offset, value);
        }
    }
    words
}

impl Kernel {
    /// The launch of `requested` on the device at `index` in the context; `None` if it has no
    /// work-items. Compiles the variant for the sizes if it is the first launch with them.
    ///
    /// # Errors
    /// The errors of `clEnqueueNDRangeKernel` about arguments, sizes and resources.
    pub fn launch(
        &self,
        index: usize,
        requested: &RequestedSizes,
    ) -> ClResult<Option<PreparedLaunch>> {
        let default_queue = self.default_queue(index);
        let state = self.state.lock();
        if let Some(known) = state.repeat(index, requested, default_queue.as_ref()) {
            return Ok(Some(known));
        }
        self.new_launch(state, index, requested, default_queue)
    }

    /// [`Self::launch`] for other sizes or arguments than those of the last launch. Releases the
    /// lock.
    #[inline(never)]
    fn new_launch<'a>(
        &'a self,
        state: MutexGuard<'a, KernelState>,
        index: usize,
        requested: &RequestedSizes,
        default_queue: Option<DeviceQueue>,
    ) -> ClResult<Option<PreparedLaunch>> {
        // Dropped after the lock is released: dropping a last reference may call the application
        // back.
        let mut memory: Vec<(usize, Arc<MemLifetime>)> = Vec::new();
        let mut replaced = None;
        let mut state = state;
        let device = self.device(index)?;
        // CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_ARGS.
        let args = self.resolved_arguments(&mut state, device, index)?;
        let rules = self.size_rules(device, index, !self.info.sees_groups);
        let mut range = ndrange::check(device.info(), &rules, requested)?;
        if range.is_empty() {
            return Ok(None);
        }
        memory.extend(
            state
                .lifetimes
                .iter()
                .enumerate()
                .filter_map(|(i, lifetime)| Some((i, lifetime.upgrade()?))),
        );
        let migrations = self.migrations(&state, device, index)?;
        let words = known_words(self.info(), &args);
        let lanes = device.desc().vecz;
        let key = |range, seen| specialization_key(range, seen, lanes, words);
        let joined =
            (lanes != Vecz::Off).then(|| ndrange::join(device.info(), &rules, &range)).flatten();
        let variant;
        (state, variant) = match joined {
            None => self.variant(state, index, key(&range, None))?,
            Some(local) => {
                let large = NdRange { local, ..range };
                let wanted = key(&large, Some(range.local));
                let (state, variant) = self.variant(state, index, wanted)?;
                if variant.variant().key.seen_local_size == wanted.seen_local_size {
                    range = large;
                    (state, variant)
                } else {
                    // Code for any local size, from a binary, does not know of joined groups.
                    self.variant(state, index, key(&range, None))?
                }
            }
        };
        let observations = observation_count();
        let keeping = keep_memory(&args, &memory)?;
        let check = self.check(&state, device, index, &args, range)?.map(Arc::new);
        // A repeated launch would share the checker's state, which belongs to one launch.
        let repeatable = keeping.is_none() && check.is_none() && self.may_repeat(&state, &args);
        let mut args = keeping.unwrap_or(args);
        if let Some(check) = &check {
            let hidden = Descriptor::Buffer(check.state().clone(), 0);
            let args = Arc::make_mut(&mut args);
            args.set(self.info.args.len() - 1, hidden).map_err(|e| argument_error(&e))?;
            for (n, size) in check.local_arguments() {
                args.set(n, Descriptor::LocalBuffer(size)).map_err(|e| argument_error(&e))?;
            }
        }
        let launch =
            CheckedLaunch::new(muxcl_mux::Launch { kernel: variant, args, range, default_queue })
                .map_err(|error| error_of(&error))?;
        let launch = (launch, migrations, check);
        if repeatable {
            replaced = state.last_launch.replace(LastLaunch {
                device: index,
                requested: *requested,
                observations,
                launch: launch.clone(),
            });
        }
        drop(state);
        drop(replaced);
        Ok(Some(launch))
    }

    /// The check of the accesses of a launch; `None` for a kernel that checks nothing.
    fn check(
        &self,
        state: &KernelState,
        device: &Device,
        index: usize,
        args: &ArgBlock,
        range: NdRange,
    ) -> ClResult<Option<LaunchCheck>> {
        let Some(Some(on)) = self.on.get(index).filter(|_| self.info.checked) else {
            return Ok(None);
        };
        // Local memory that is left for shadows of arguments.
        let used = self.info.local_bytes.saturating_add(args.local_bytes());
        let mut free = device.info().local_memory.saturating_sub(used);
        let mut shadow = |size: u64| {
            let shadow = LocalShadow::of(size)?;
            free = free.checked_sub((shadow.end - size).next_multiple_of(LOCAL_ALIGN))?;
            Some(shadow)
        };
        let value = |(n, descriptor): (usize, &Descriptor)| {
            let Some(kind) = self.info.visible_args().get(n).map(|arg| arg.kind) else {
                return Value::Other;
            };
            match (kind, descriptor) {
                (ArgKind::LocalPointer, Descriptor::LocalBuffer(size)) => {
                    Value::Local { size: *size, shadow: shadow(*size) }
                }
                (ArgKind::GlobalPointer | ArgKind::ConstantPointer, descriptor) => {
                    self.pointer(state, device, n, descriptor)
                }
                _ => Value::Other,
            }
        };
        let values = args.descriptors().iter().enumerate().map(value).collect();
        let sites = &on.built.binary().info.sites;
        LaunchCheck::new(device, index, &self.info, sites, values, range).map(Some)
    }

    /// The memory that a pointer argument refers to.
    fn pointer(
        &self,
        state: &KernelState,
        device: &Device,
        argument: usize,
        descriptor: &Descriptor,
    ) -> Value {
        match (descriptor, state.checked.get(argument)) {
            (Descriptor::NullBuffer, _) => Value::Null,
            (Descriptor::Buffer(buffer, offset), Some(Some(known))) => Value::Memory {
                argument: known.clone(),
                address: buffer.device_address() + offset,
                released: state.lifetimes.get(argument).is_none_or(|l| l.strong_count() == 0),
            },
            (Descriptor::Address(address), _) => {
                let pointer = std::ptr::without_provenance(usize::try_from(*address).unwrap_or(0));
                let svm = self.context().svm();
                if let Some(found) = svm.find(pointer) {
                    return Value::Svm { base: found.base as u64, size: found.size as u64 };
                }
                let freed = svm.find_freed(pointer);
                let (known, freed) = match freed {
                    Some(known) => (Some(known), true),
                    None => (SvmHeap::find_in_any_context(pointer), false),
                };
                match known {
                    Some((base, size)) => {
                        Value::NoSvm { base: base as u64, size: size as u64, freed }
                    }
                    None if device.has_svm() && !device.has_system_svm() => Value::Stray,
                    None => Value::Any,
                }
            }
            _ => Value::Any,
        }
    }

    /// Checks the arguments for a launch on the device at `index` in the context.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` if the program is not built for the device,
    /// `CL_INVALID_KERNEL_ARGS` if an argument is not set, `CL_INVALID_OPERATION` if an argument is
    /// shared virtual memory and the device has none.
    pub fn check_arguments(&self, index: usize) -> ClResult<()> {
        let mut state = self.state.lock();
        self.resolved_arguments(&mut state, self.device(index)?, index).map(|_| ())
    }

    /// The sizes of a launch of `requested` on `device`, the device at `index` in the context.
    /// `hidden`: without a local size of the application, the last group may be partial although
    /// the program requires full groups.
    ///
    /// # Errors
    /// The errors of `clEnqueueNDRangeKernel` about sizes.
    pub fn sizes(
        &self,
        device: &Device,
        index: usize,
        requested: &RequestedSizes,
        hidden: bool,
    ) -> ClResult<NdRange> {
        ndrange::check(device.info(), &self.size_rules(device, index, hidden), requested)
    }

    /// The rules for [`Self::sizes`].
    fn size_rules(&self, device: &Device, index: usize, hidden: bool) -> SizeRules {
        let info = device.info();
        let wants_uniform = matches!(
            self.on.get(index), Some(Some(on)) if on.built.binary().info.uniform_work_groups
        );
        SizeRules {
            required: self.info.reqd_work_group_size,
            most: info.max_work_group_size,
            uniform: !info.non_uniform_groups || wants_uniform,
            sub_groups: self.info.reqd_sub_groups,
            sub_group_size: self.info.sub_group_size(),
            hidden: hidden && info.non_uniform_groups && self.info.reqd_sub_groups == 0,
            joins: self.info.joins_groups && self.info.reqd_sub_groups == 0,
            halves: self.info.computes_halves,
            along: self.info.along.min(2),
            across: self.info.across.min(2),
        }
    }

    /// CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built program executable available
    /// for device.
    fn device(&self, index: usize) -> ClResult<&Arc<Device>> {
        self.context().devices().get(index).ok_or(ClError::INVALID_PROGRAM_EXECUTABLE)
    }

    /// The default queue on the device at `index`, if this kernel enqueues kernels.
    fn default_queue(&self, index: usize) -> Option<DeviceQueue> {
        if !self.info.enqueues {
            return None;
        }
        self.context().device_queues().default_of(index).map(|q| q.mux().clone())
    }

    /// The error for a block with an argument that has not been set.
    #[cold]
    fn not_set(&self, block: &ArgBlock) -> ClError {
        let unset = block.descriptors().iter().position(|d| matches!(d, Descriptor::Unset));
        let index = unset.unwrap_or(0);
        let name = self.info.args.get(index).map_or("", |argument| argument.name.as_str());
        violated!(
            INVALID_KERNEL_ARGS,
            "if an argument of the kernel has not been set";
            "argument {index} {name} of kernel {} has not been set",
            self.info.name
        )
    }

    /// The arguments with their addresses on `device`, the device at `index` in the context.
    fn resolved_arguments(
        &self,
        state: &mut KernelState,
        device: &Device,
        index: usize,
    ) -> ClResult<Arc<ArgBlock>> {
        let KernelState { arguments, uses, indirect, reach, .. } = state;
        let known = |address: u64| self.context().svm().reached(device, index, address).is_some();
        let foreign = |block: &ArgBlock| {
            // An address from `clSetKernelExecInfo` need not be valid. On a device without SVM an
            // unknown address is still an error.
            let reach = || !device.has_svm() && !reach.iter().all(|a| known(*a));
            !device.has_system_svm() && (*indirect || !addresses(block).all(known) || reach())
        };
        match arguments.get_mut(index) {
            Some(Some(block)) if !block.is_complete() => Err(self.not_set(block)),
            // CL_INVALID_OPERATION if SVM pointers are passed as arguments to a kernel and the
            // device does not support SVM or if system pointers are passed as arguments to a kernel
            // and/or stored inside SVM allocations passed as kernel arguments and the device does
            // not support fine grain system SVM allocations.
            Some(Some(block)) if foreign(block) => Err(ClError::INVALID_OPERATION),
            Some(Some(block)) => {
                resolve_addresses(block, uses, device, index)?;
                Ok(Arc::clone(block))
            }
            _ => Err(ClError::INVALID_PROGRAM_EXECUTABLE),
        }
    }

    /// The migrations needed before a launch on the device at `index`; `None` if the context has no
    /// memory domains.
    fn migrations(
        &self,
        state: &KernelState,
        device: &Device,
        index: usize,
    ) -> ClResult<Option<Arc<MigrationList>>> {
        let mut list = Vec::new();
        for used in state.uses.iter().flatten() {
            let Argument { storage, range, access, .. } = used.clone();
            let domain = storage.domain_of(index);
            list.try_reserve(1)?;
            list.push(Migration { storage, range, access, domain });
        }
        // An allocation may contain pointers into itself, so each one counts as written.
        for storage in self.reached(state, device, index) {
            let (range, domain) = (0..storage.size(), storage.domain_of(index));
            list.try_reserve(1)?;
            list.push(Migration { storage, range, access: Access::Write, domain });
        }
        // Several arguments may refer to one buffer. A write through one of them counts for all.
        list.sort_by_key(|u| u.access != Access::Read);
        Ok((!list.is_empty()).then(|| Arc::new(MigrationList(list))))
    }

    /// The storages that a launch on the device at `index` reaches by addresses.
    fn reached(&self, state: &KernelState, device: &Device, index: usize) -> Vec<Arc<Storage>> {
        let mut list: Vec<Arc<Storage>> = Vec::new();
        let context = self.context();
        if context.domains().is_none() {
            return list;
        }
        let block = state.arguments.get(index).and_then(Option::as_ref);
        let arguments = block.into_iter().flat_map(|b| addresses(b));
        for address in arguments.chain(state.reach.iter().copied()) {
            if let Some(storage) = context.svm().reached(device, index, address)
                && !list.iter().any(|known| Arc::ptr_eq(known, &storage))
            {
                list.push(storage);
            }
        }
        if state.unified && device.has_usm() {
            for storage in context.svm().unified() {
                if !list.iter().any(|known| Arc::ptr_eq(known, &storage)) {
                    list.push(storage);
                }
            }
        }
        list
    }

    /// True if the launch may be reused. In memory domains, a launch that reaches allocations by
    /// address may not be: it would keep them alive, and the address may later belong to another
    /// allocation.
    fn may_repeat(&self, state: &KernelState, args: &ArgBlock) -> bool {
        self.context().domains().is_none()
            || !(state.unified || !state.reach.is_empty() || addresses(args).next().is_some())
    }

    /// The variant for `key` on the device at `index`: that of the last launch, or the result of
    /// [`Self::specialise`], which runs with the lock released.
    fn variant<'a>(
        &'a self,
        mut state: MutexGuard<'a, KernelState>,
        index: usize,
        key: SpecializationKey,
    ) -> ClResult<(MutexGuard<'a, KernelState>, muxcl_mux::Kernel)> {
        if let Some((known, last, variant)) = &state.last_variant
            && (*known, *last) == (index, key)
        {
            let variant = variant.clone();
            return Ok((state, variant));
        }
        drop(state);
        let variant = self.specialise(index, key)?;
        state = self.state.lock();
        state.last_variant = Some((index, key, variant.clone()));
        Ok((state, variant))
    }

    /// The variant for `key` on the device at `index`. Compiles it if it does not exist yet.
    fn specialise(&self, index: usize, key: SpecializationKey) -> ClResult<muxcl_mux::Kernel> {
        let Some(Some(on)) = self.on.get(index) else {
            return Err(ClError::INVALID_PROGRAM_EXECUTABLE);
        };
        on.built.specialise(self.context(), on.index, key)
    }
}

impl KernelState {
    /// The last launch, for reuse, if it was on the device at `index` with the same sizes,
    /// arguments and default queue, and no memory object has become observed since.
    fn repeat(
        &self,
        index: usize,
        requested: &RequestedSizes,
        default_queue: Option<&DeviceQueue>,
    ) -> Option<PreparedLaunch> {
        let LastLaunch { device, requested: known, observations, launch } =
            self.last_launch.as_ref()?;
        let last = launch.0.launch();
        let queue = last.default_queue.as_ref();
        let block = self.arguments.get(index)?.as_ref()?;
        let same = *device == index
            && known == requested
            && default_queue.map(DeviceQueue::handle) == queue.map(DeviceQueue::handle)
            && Arc::ptr_eq(block, &last.args)
            && *observations == observation_count();
        same.then(|| launch.clone())
    }
}

/// A copy of `args` that keeps alive the memory objects whose end the application can observe;
/// `None` without such objects.
fn keep_memory(
    args: &Arc<ArgBlock>,
    memory: &[(usize, Arc<MemLifetime>)],
) -> ClResult<Option<Arc<ArgBlock>>> {
    let mut out: Option<ArgBlock> = None;
    for (index, lifetime) in memory {
        if !lifetime.is_observed() {
            continue;
        }
        match args.descriptors().get(*index) {
            Some(Descriptor::Buffer(buffer, offset)) => {
                let kept = Descriptor::Buffer(buffer.with_keepalive(lifetime.clone()), *offset);
                out.get_or_insert_with(|| (**args).clone()).set(*index, kept)
            }
            Some(Descriptor::Image(buffer, offset)) => {
                let kept = buffer.with_keepalive(lifetime.clone());
                let bytes = args.value(*index).unwrap_or_default();
                out.get_or_insert_with(|| (**args).clone()).set_image(*index, bytes, kept, *offset)
            }
            _ => Ok(()),
        }
        .map_err(|e| argument_error(&e))?;
    }
    Ok(out.map(Arc::new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_vector_lanes_distinguish_small_ids() {
        let small = NdRange { work_dim: 1, offset: [0; 3], global: [64, 1, 1], local: [8, 1, 1] };
        let large = NdRange { global: [1 << 33, 1, 1], ..small };
        let words = KnownWords::NONE;
        let key = |range, lanes| specialization_key(range, None, lanes, words);
        assert_eq!(key(&small, Vecz::Off), key(&large, Vecz::Off));
        for lanes in [Vecz::Faster, Vecz::Always] {
            assert!(key(&small, lanes).small_ids && !key(&large, lanes).small_ids);
        }
    }
}
