//! The dispatcher: decodes a request, runs it on a thread with a large stack, encodes the response.

use crate::error::{CompileError, Outcome};
use crate::finalise::Kernel;
use crate::program::{Program, Session, Source};
use crate::target::Target;
use crate::worker;
use muxcl_compiler_abi::{ABI_VERSION, Dependency, Envelope, FailureKind, Request, Response, Step};
use muxcl_frontend_clang::Opener;
use muxcl_frontend_clang::options::Stage;
use muxcl_llvm::step;
use muxcl_passes::StepLog;
use muxcl_types::container::{Binary, BinaryKind};
use muxcl_types::device::DeviceDesc;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A response was delivered.
pub const STATUS_OK: i32 = 0;
/// The request could not be read: other ABI version.
pub const STATUS_UNREADABLE: i32 = 1;
/// The compiler failed; the response holds the message.
pub const STATUS_BUG: i32 = 2;

/// Memory that must be free before a request begins, in bytes, in addition to four times the
/// request's size. A later allocation failure in Rust code may end the process.
const HEADROOM: usize = 1 << 20;

/// Answers an encoded [`Envelope`] on a thread with a large stack; never panics.
#[must_use]
pub fn handle(bytes: &[u8]) -> (i32, Vec<u8>) {
    // The same thread encodes the response, because only this thread is abandoned if an
    // allocation fails.
    decoded(bytes, |envelope| on_worker(envelope, |answer| coded(&answer)))
}

/// Answers an encoded [`Envelope`] on the calling thread, which has a stack of
/// [`muxcl_compiler_abi::STACK_BYTES`]; never panics. If an allocation fails or LLVM reports a
/// fatal error, calls `give_up` with an encoded response, and never returns. With `opener`, this
/// process opens no file for the request.
#[must_use]
pub fn handle_in_place(
    bytes: &[u8],
    opener: Option<Opener<'_>>,
    give_up: &dyn Fn(&[u8]),
) -> (i32, Vec<u8>) {
    decoded(bytes, |envelope| {
        prepare(&envelope.request);
        let work = || Ok(coded(&Answer::of(envelope, opener)));
        worker::run_in_place(work, &|error| give_up(&encode(&failure(error))))
            .unwrap_or_else(|error| coded(&failure(error).into()))
    })
}

/// Decodes an [`Envelope`] and calls `answer` with it.
fn decoded(bytes: &[u8], answer: impl FnOnce(&Envelope<'_>) -> (i32, Vec<u8>)) -> (i32, Vec<u8>) {
    // After a panic, nothing that `answer` holds is used again.
    let answered = std::panic::catch_unwind(AssertUnwindSafe(|| {
        // The version is the first field, so that it can be read from a request of any version.
        let version = postcard::take_from_bytes::<u32>(bytes).ok().map(|(version, _)| version);
        if version != Some(ABI_VERSION) {
            return (STATUS_UNREADABLE, unreadable());
        }
        if Vec::<u8>::new()
            .try_reserve(bytes.len().saturating_mul(4).saturating_add(HEADROOM))
            .is_err()
        {
            return (
                STATUS_BUG,
                encode(&failure(CompileError::internal("no memory is left for this program"))),
            );
        }
        let Ok(envelope) = postcard::from_bytes::<Envelope<'_>>(bytes) else {
            return (STATUS_UNREADABLE, unreadable());
        };
        answer(&envelope)
    }));
    answered.unwrap_or_else(|_| {
        (STATUS_BUG, encode(&failure(CompileError::internal("panic in the dispatcher"))))
    })
}

/// A response, with the steps of the compilation if the envelope asks for them.
struct Answer {
    response: Response,
    steps: Option<StepLog>,
}

impl From<Response> for Answer {
    fn from(response: Response) -> Self {
        Self { response, steps: None }
    }
}

impl Answer {
    fn of(envelope: &Envelope<'_>, opener: Option<Opener<'_>>) -> Self {
        let steps = envelope.steps.then(StepLog::default);
        let response = dispatch(envelope, opener, steps.clone()).unwrap_or_else(failure);
        Self { response, steps }
    }
}

/// Status and bytes of an answer.
fn coded(answer: &Answer) -> (i32, Vec<u8>) {
    let bug = matches!(answer.response, Response::Failure { kind: FailureKind::Internal, .. });
    let mut bytes = encode(&answer.response);
    if let Some(steps) = answer.steps.as_ref().map(sent_steps) {
        // The steps may be missing, the response may not.
        bytes.extend(postcard::to_stdvec(&steps).unwrap_or_default());
    }
    (if bug { STATUS_BUG } else { STATUS_OK }, bytes)
}

/// The steps of `log` by their begins. A step that contains another one precedes it.
fn sent_steps(log: &StepLog) -> Vec<Step<'static>> {
    let mut steps = log.take();
    steps.sort_by_key(|step| (step.begin, std::cmp::Reverse(step.end)));
    let (here, now) = (Instant::now(), muxcl_os::now_ns());
    let time = |instant: Instant| {
        let ago = here.saturating_duration_since(instant).as_nanos();
        now.saturating_sub(u64::try_from(ago).unwrap_or(u64::MAX))
    };
    let sent = |step: &muxcl_passes::TimedStep| Step {
        name: step.name.into(),
        begin: time(step.begin),
        end: time(step.end),
    };
    steps.iter().map(sent).collect()
}

/// Answers a request on a thread with a large stack.
#[must_use]
pub fn answer(request: &Request<'_>) -> Response {
    on_worker(&Envelope::new(request.clone()), |answer| answer.response)
}

/// Answers a request on a thread with a large stack, and runs `then` on the same thread.
fn on_worker<T: Send>(envelope: &Envelope<'_>, then: impl Fn(Answer) -> T + Sync) -> T {
    prepare(&envelope.request);
    let then = &then;
    let answered = worker::run(move || Ok(then(Answer::of(envelope, None))));
    answered.unwrap_or_else(|error| then(failure(error).into()))
}

/// Warms up the back end for `device` on another thread, if this is the first time. For a process
/// that will get requests soon.
pub fn expect(device: &DeviceDesc) {
    first_use(device);
}

/// Starts background work from which a later step of the request profits.
fn prepare(request: &Request<'_>) {
    if let Request::Build { device, .. } = request {
        first_use(device);
    }
}

/// Warms up the back end on another thread while clang works: half of the back end's time in a
/// first build goes into tables and into reading code from disk. If the thread cannot start or
/// fails, the build itself does this work.
///
/// Only in the compiler's own process: an application has no such threads. And not with a shared
/// LLVM, which destroys its tables when the process exits, while the thread may still use them.
fn first_use(device: &DeviceDesc) {
    static USED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];
    let used = &USED[usize::from(device.hal.is_some())];
    if !muxcl_llvm::IS_STATIC
        || !WARMS_UP.load(Ordering::Relaxed)
        || used.swap(true, Ordering::Relaxed)
    {
        return;
    }
    let Ok(Target { code, .. }) = Target::new(device) else {
        return; // the request itself reports the error
    };
    worker::in_background(WARM_STACK, move || {
        let _ = code.warm_up(); // after a failure the build does the work itself
    });
}

/// The process is the compiler's own. Unless `cautious`, it may work in the background.
pub fn own_process(cautious: bool) {
    WARMS_UP.store(!cautious, Ordering::Relaxed);
}

static WARMS_UP: AtomicBool = AtomicBool::new(false);

/// Stack of the warm-up thread, in bytes; a small kernel takes less than 1 MiB.
const WARM_STACK: usize = 8 << 20;

fn dispatch(
    envelope: &Envelope<'_>,
    opener: Option<Opener<'_>>,
    steps: Option<StepLog>,
) -> Result<Response, CompileError> {
    let directory = envelope.directory.as_deref();
    let session = |target| {
        Session::new(target).in_directory(directory).reading(opener).logging(steps.clone())
    };
    match &envelope.request {
        Request::About => Ok(Response::About { llvm: LLVM_VERSION.into() }),
        Request::Build { device, source, options } => {
            step::begin("build", "");
            let session = session(Target::new(device)?);
            build(&session, &Source { program: source, options, stage: Stage::Build })
        }
        Request::Compile { device, source, options } => {
            step::begin("compile", "");
            let session = session(Target::new(device)?);
            let compiled =
                session.compile(&Source { program: source, options, stage: Stage::Compile })?;
            Ok(object(compiled, BinaryKind::CompiledObject, &session.target))
        }
        Request::Link { device, modules, options } => {
            step::begin("link", "");
            link(&session(Target::new(device)?), modules, options)
        }
        Request::Specialise { device, bitcode, info, options, kernel, key } => {
            step::begin("specialise", kernel);
            let session = session(Target::new(device)?);
            let elf = session.specialise(&Kernel { bitcode, info, options }, kernel, key)?;
            Ok(Response::Elf { elf })
        }
        Request::Generic { device, bitcode, info, options } => {
            step::begin("specialise", "");
            let session = session(Target::new(device)?);
            Ok(Response::Elf { elf: session.generic(&Kernel { bitcode, info, options })? })
        }
        Request::Text { device, bitcode, info, options, kernel, form } => {
            let kernel = kernel.as_ref().map(|(name, key)| (name.as_str(), key));
            step::begin("text", kernel.map_or("", |(name, _)| name));
            let session = Session::new(Target::new(device)?);
            let text = session.text(&Kernel { bitcode, info, options }, kernel, *form)?;
            Ok(Response::Text { text })
        }
    }
}

fn build(session: &Session<'_>, source: &Source<'_>) -> Result<Response, CompileError> {
    let Outcome { value: program, log } = session.compile(source)?;
    let dependencies = program.dependencies.clone();
    // Errors of the later steps follow the warnings in the log.
    let executable = session
        .finalise(program)
        .map_err(|e| CompileError { log: format!("{log}{}", e.log), ..e })?;
    Ok(module(&executable.value.binary, log + &executable.log, dependencies))
}

fn link(
    session: &Session<'_>,
    modules: &[Vec<u8>],
    options: &str,
) -> Result<Response, CompileError> {
    let mut binaries = Vec::with_capacity(modules.len());
    for (i, bytes) in modules.iter().enumerate() {
        let binary = Binary::from_bytes(bytes);
        let number = i + 1;
        binaries.push(binary.map_err(|e| {
            CompileError::new(FailureKind::Module, format_args!("input program {number}: {e}"))
        })?);
    }
    let program = session.link(&binaries, options)?;
    if program.options.create_library {
        return Ok(object(
            Outcome { value: program, log: String::new() },
            BinaryKind::Library,
            &session.target,
        ));
    }
    let executable = session.finalise(program)?;
    Ok(module(&executable.value.binary, executable.log, Vec::new()))
}

fn object(compiled: Outcome<Program<'_>>, kind: BinaryKind, target: &Target<'_>) -> Response {
    let Outcome { value: mut program, log } = compiled;
    let dependencies = std::mem::take(&mut program.dependencies);
    module(&program.to_binary(kind, target), log, dependencies)
}

fn module(binary: &Binary, log: String, dependencies: Vec<Dependency>) -> Response {
    Response::Module { binary: binary.to_bytes(), log, dependencies }
}

fn failure(error: CompileError) -> Response {
    Response::Failure { kind: error.kind, log: error.log }
}

fn unreadable() -> Vec<u8> {
    encode(&failure(CompileError::new(
        FailureKind::Internal,
        format_args!(
            "the compiler library has version {ABI_VERSION} of the interface, not the driver's"
        ),
    )))
}

fn encode(response: &Response) -> Vec<u8> {
    postcard::to_stdvec(response).unwrap_or_default()
}

const LLVM_VERSION: &str = "22.1";
