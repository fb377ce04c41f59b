//! The asynchronous layer: the host records commands and dispatches them, and the queue's thread
//! executes them in order. Results are available after `wait`. Invariant: the first failing command
//! ends the queue's work, and `wait` names it.

use crate::sync_api::{Arg, Buffer, Context, Program};
use anyhow::{Context as _, Result, anyhow};
use muxcl_hal::NdRange;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

enum Command {
    Write(Arc<Buffer>, Vec<u8>),
    Read(Arc<Buffer>, Sender<Vec<u8>>),
    Copy(Arc<Buffer>, Arc<Buffer>),
    Fill(Arc<Buffer>, Vec<u8>),
    Run {
        program: Arc<Program>,
        range: NdRange,
        dimensions: u32,
        args: Vec<Arg>,
        printed: Sender<String>,
    },
}

/// A result that is available after [`Queue::wait`].
pub(crate) struct Pending<T>(Receiver<T>);

impl<T> Pending<T> {
    pub(crate) fn take(self) -> Result<T> {
        self.0.try_recv().map_err(|_| anyhow!("a result was read before it existed"))
    }
}

/// A batch of commands, and the channel that reports its end.
type Batch = (Vec<Command>, Sender<Result<()>>);

/// A command queue.
pub(crate) struct Queue {
    recorded: Vec<Command>,
    work: Option<Sender<Batch>>,
    dispatched: Vec<Receiver<Result<()>>>,
    thread: Option<JoinHandle<()>>,
}

impl Queue {
    pub(crate) fn new(context: &Context) -> Result<Self> {
        let (work, commands) = channel::<Batch>();
        let context = context.clone();
        let thread =
            std::thread::Builder::new().name("clik-queue".to_owned()).spawn(move || {
                let mut failed = false;
                for (list, done) in commands {
                    let result = if failed {
                        Err(anyhow!("an earlier command failed"))
                    } else {
                        run(&context, list)
                    };
                    failed |= result.is_err();
                    // The host may have dropped the receiver.
                    let _ = done.send(result);
                }
            })?;
        Ok(Self {
            recorded: Vec::new(),
            work: Some(work),
            dispatched: Vec::new(),
            thread: Some(thread),
        })
    }

    pub(crate) fn write(&mut self, to: &Arc<Buffer>, bytes: Vec<u8>) {
        self.recorded.push(Command::Write(to.clone(), bytes));
    }

    pub(crate) fn read(&mut self, from: &Arc<Buffer>) -> Pending<Vec<u8>> {
        let (sender, receiver) = channel();
        self.recorded.push(Command::Read(from.clone(), sender));
        Pending(receiver)
    }

    pub(crate) fn copy(&mut self, to: &Arc<Buffer>, from: &Arc<Buffer>) {
        self.recorded.push(Command::Copy(to.clone(), from.clone()));
    }

    pub(crate) fn fill(&mut self, to: &Arc<Buffer>, pattern: Vec<u8>) {
        self.recorded.push(Command::Fill(to.clone(), pattern));
    }

    /// Records a kernel. Its printed text is available after the wait.
    pub(crate) fn run(
        &mut self,
        program: &Arc<Program>,
        range: NdRange,
        dimensions: u32,
        args: Vec<Arg>,
    ) -> Pending<String> {
        let (printed, receiver) = channel();
        self.recorded.push(Command::Run {
            program: program.clone(),
            range,
            dimensions,
            args,
            printed,
        });
        Pending(receiver)
    }

    /// Dispatches the recorded commands to the device.
    pub(crate) fn dispatch(&mut self) -> Result<()> {
        let (done, receiver) = channel();
        let work = self.work.as_ref().context("the queue has ended")?;
        work.send((std::mem::take(&mut self.recorded), done))
            .map_err(|_| anyhow!("the queue's thread has ended"))?;
        self.dispatched.push(receiver);
        Ok(())
    }

    /// Waits until all dispatched commands have ended.
    pub(crate) fn wait(&mut self) -> Result<()> {
        self.dispatched
            .drain(..)
            .try_for_each(|batch| batch.recv().context("the queue's thread has ended")?)
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.work = None;
        if let Some(thread) = self.thread.take() {
            // The panic message was already printed.
            let _ = thread.join();
        }
    }
}

fn run(context: &Context, list: Vec<Command>) -> Result<()> {
    for command in list {
        match command {
            Command::Write(to, bytes) => context.write(&to, &bytes)?,
            // The receiver may have been dropped: the example does not need this result.
            Command::Read(from, sender) => drop(sender.send(context.read(&from)?)),
            Command::Copy(to, from) => context.copy(&to, &from)?,
            Command::Fill(to, pattern) => context.fill(&to, &pattern)?,
            Command::Run { program, range, dimensions, args, printed } => {
                drop(printed.send(context.run(&program, &range, dimensions, &args)?));
            }
        }
    }
    Ok(())
}
