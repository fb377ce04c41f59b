//! Loom models of the queue of ready command buffers. `cargo xtask models` runs them.
//!
//! The models run the real [`SerialQueue`]; only the items are their own. Loom reports a lost item
//! or a lost wake-up as a deadlock. Each kernel writes the same loom cell while it runs, so loom
//! reports two kernels that run at the same time.

use crate::serial::{Class, Rest, Running, SerialQueue};
use muxcl_lock::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use muxcl_lock::sync::cell::UnsafeCell;
use muxcl_lock::sync::{model, thread};
use muxcl_mux::sync::Completion;
use std::sync::Arc;

#[derive(Debug, Clone)]
struct Item {
    /// Commands that have not run yet.
    commands: usize,
    /// If present, the item cannot run before this flag is set.
    after: Option<Arc<AtomicBool>>,
    /// If present, the item's last command sets this flag.
    sets: Option<Arc<AtomicBool>>,
    class: Class,
    /// If present, the item cannot end before this completion.
    during: Option<Arc<Completion>>,
    done: Arc<Completion>,
}

impl Item {
    fn new(commands: usize) -> Self {
        Self {
            commands,
            after: None,
            sets: None,
            class: Class::Kernel,
            during: None,
            done: Arc::new(Completion::new()),
        }
    }

    fn transfer() -> Self {
        Self { class: Class::Transfer, ..Self::new(1) }
    }

    /// A kernel that ends after `other`.
    fn around(other: &Self) -> Self {
        Self { during: Some(Arc::clone(&other.done)), ..Self::new(1) }
    }

    fn is_done(&self) -> bool {
        self.done.status().is_some()
    }
}

#[derive(Debug)]
struct Device {
    queue: SerialQueue<Item>,
    /// Every kernel that runs writes this cell.
    memory: UnsafeCell<usize>,
    /// Number of items that have ended.
    ended: AtomicUsize,
    /// True if the system refuses to start a thread for the queue.
    refuses: bool,
}

// SAFETY: loom checks every access of the cell.
unsafe impl Sync for Device {}
// SAFETY: as above.
unsafe impl Send for Device {}

impl Device {
    fn new(refuses: bool) -> Arc<Self> {
        Arc::new(Self {
            queue: SerialQueue::new(),
            memory: UnsafeCell::new(0),
            ended: AtomicUsize::new(0),
            refuses,
        })
    }

    /// Runs an item in the way in which [`crate::execute`] runs a command buffer: the next item may
    /// run before the waiters of this one are notified.
    fn run(&self, mut item: Item, running: Running<'_, Item>, stop: Option<&dyn Fn() -> bool>) {
        if item.after.as_ref().is_some_and(|set| !set.load(Ordering::SeqCst)) {
            return running.end(Rest::Blocked(item), false);
        }
        loop {
            if item.class == Class::Kernel {
                // SAFETY: one kernel runs at a time; loom checks that.
                self.memory.with_mut(|memory| unsafe { *memory += 1 });
            }
            if let Some(other) = &item.during {
                assert_eq!(other.wait(None, None), Some(0));
            }
            item.commands -= 1;
            if item.commands == 0 {
                break;
            }
            if stop.is_some_and(|stop| stop()) {
                return running.end(Rest::Stopped(item), false);
            }
        }
        if let Some(sets) = &item.sets {
            sets.store(true, Ordering::SeqCst);
        }
        running.end(Rest::Nothing, item.sets.is_some());
        self.ended.fetch_add(1, Ordering::SeqCst);
        item.done.complete(0);
    }

    fn wake(self: &Arc<Self>) -> bool {
        self.queue.wake(1, || {
            let device = Arc::clone(self);
            if !self.refuses {
                thread::spawn(move || {
                    let run = |item, on: Running<'_, Item>, _: Option<&dyn Fn() -> bool>| {
                        device.run(item, on, None);
                    };
                    device.queue.serve(&run, &|| device.wake());
                });
            }
            !self.refuses
        })
    }

    fn help(self: &Arc<Self>, done: &dyn Fn() -> bool) {
        let run = |item, running: Running<'_, Item>, stop: Option<&dyn Fn() -> bool>| {
            self.run(item, running, stop);
        };
        self.queue.help(done, &run, &|| self.wake());
    }

    /// Dispatches an item for which no thread waits.
    fn submit(self: &Arc<Self>, item: &Item) {
        if self.queue.push(item.clone(), item.class) {
            self.wake();
        }
    }

    /// Waits as [`Completion::wait`] does with a queue.
    fn wait(self: &Arc<Self>, item: &Item) {
        self.help(&|| item.is_done());
        assert_eq!(item.done.wait(None, None), Some(0));
    }

    /// Waits as [`Completion::wait`] does for a device whose thread may be missing.
    fn wait_awake(self: &Arc<Self>, item: &Item) {
        while !item.is_done() {
            self.help(&|| item.is_done());
            thread::yield_now();
        }
    }

    /// A blocking call: dispatches an item and waits for it.
    fn call(self: &Arc<Self>, item: &Item) {
        self.queue.push(item.clone(), item.class);
        self.wait(item);
    }

    /// Checks that all items have run. All other threads that use the device have ended.
    fn finish(&self, items: usize) {
        assert_eq!(self.ended.load(Ordering::SeqCst), items, "every item runs once");
        self.queue.end();
    }
}

/// The thread that runs both items leaves while the other one begins to wait.
#[test]
fn two_calls_at_once_both_return() {
    model(|| {
        let device = Device::new(false);
        let other = Arc::clone(&device);
        let caller = thread::spawn(move || other.call(&Item::new(1)));
        device.call(&Item::new(1));
        caller.join().unwrap();
        device.finish(2);
    });
}

/// One thread submits an item while another one finishes its call.
#[test]
fn an_item_beside_a_call_runs() {
    model(|| {
        let device = Device::new(false);
        let (other, item) = (Arc::clone(&device), Item::new(1));
        let submitted = item.clone();
        let caller = thread::spawn(move || other.submit(&submitted));
        device.call(&Item::new(1));
        caller.join().unwrap();
        assert_eq!(item.done.wait(None, None), Some(0));
        device.finish(2);
    });
}

/// An item is submitted while the queue's thread falls asleep.
#[test]
fn items_that_no_thread_waits_for_run() {
    model(|| {
        let device = Device::new(false);
        let items = [Item::new(1), Item::new(1)];
        for item in &items {
            device.submit(item);
        }
        for item in &items {
            assert_eq!(item.done.wait(None, None), Some(0));
        }
        device.finish(2);
    });
}

/// A thread that stops in the middle of an item passes the rest on.
#[test]
fn a_stopped_item_continues() {
    model(|| {
        let device = Device::new(false);
        let item = Item::new(2);
        device.queue.push(item.clone(), Class::Kernel);
        let looks = std::cell::Cell::new(0);
        device.help(&|| looks.replace(looks.get() + 1) != 0);
        assert_eq!(item.done.wait(None, None), Some(0));
        device.finish(1);
    });
}

/// The item that sets the flag runs before, during or after the first attempt of the item that
/// waits for the flag.
#[test]
fn an_item_set_aside_runs_after_the_one_it_waits_for() {
    model(|| {
        let device = Device::new(false);
        let set = Arc::new(AtomicBool::new(false));
        let blocked = Item { after: Some(Arc::clone(&set)), ..Item::new(1) };
        let frees = Item { sets: Some(set), ..Item::new(1) };
        let other = Arc::clone(&device);
        let caller = thread::spawn(move || other.call(&blocked));
        device.submit(&frees);
        caller.join().unwrap();
        device.wait(&frees);
        device.finish(2);
    });
}

/// Another thread sets the flag while the item that waits for it checks it.
#[test]
fn an_item_set_aside_sees_a_change_of_another_thread() {
    model(|| {
        let device = Device::new(false);
        let set = Arc::new(AtomicBool::new(false));
        let blocked = Item { after: Some(Arc::clone(&set)), ..Item::new(1) };
        let other = Arc::clone(&device);
        let caller = thread::spawn(move || other.call(&blocked));
        set.store(true, Ordering::SeqCst);
        if device.queue.retry() {
            device.wake();
        }
        caller.join().unwrap();
        device.finish(1);
    });
}

/// If the system refuses to start a thread for the queue, the thread that stops helping first runs
/// the items of the sleeping threads.
#[test]
fn calls_return_without_a_thread_of_the_queue() {
    model(|| {
        let device = Device::new(true);
        let other = Arc::clone(&device);
        let caller = thread::spawn(move || other.call(&Item::new(1)));
        device.call(&Item::new(1));
        caller.join().unwrap();
        device.finish(2);
    });
}

/// The system refuses to start a thread for an item that is submitted while another thread waits
/// for it.
#[test]
fn a_submitted_item_runs_without_a_thread_of_the_queue() {
    model(|| {
        let device = Device::new(true);
        let item = Item::new(1);
        let (other, awaited) = (Arc::clone(&device), item.clone());
        let waiter = thread::spawn(move || other.wait_awake(&awaited));
        device.submit(&item);
        waiter.join().unwrap();
        device.finish(1);
    });
}

/// The system refuses to start a thread for an item that was set aside and is retried.
#[test]
fn a_retried_item_runs_without_a_thread_of_the_queue() {
    model(|| {
        let device = Device::new(true);
        let set = Arc::new(AtomicBool::new(false));
        let blocked = Item { after: Some(Arc::clone(&set)), ..Item::new(1) };
        let other = Arc::clone(&device);
        device.queue.push(blocked.clone(), Class::Kernel);
        let waiter = thread::spawn(move || other.wait_awake(&blocked));
        set.store(true, Ordering::SeqCst);
        if device.queue.retry() {
            device.wake();
        }
        waiter.join().unwrap();
        device.finish(1);
    });
}

/// The completion of the first item waits until the second one has run. The second item becomes
/// ready while the first one runs, so it wakes no thread. Its submitter waits for it and runs it.
#[test]
fn an_item_runs_while_the_completion_of_another_one_waits_for_it() {
    model(|| {
        let device = Device::new(false);
        let (first, second) = (Item::new(1), Item::new(1));
        device.queue.push(first, Class::Kernel);
        let (_, running) = device.queue.take_one().unwrap();
        let (other, awaited) = (Arc::clone(&device), second.clone());
        let waiter = thread::spawn(move || {
            other.queue.push(awaited.clone(), Class::Kernel);
            other.wait_awake(&awaited);
        });
        running.end(Rest::Nothing, false);
        assert_eq!(second.done.wait(None, None), Some(0), "the completion of the first item");
        waiter.join().unwrap();
        device.finish(1);
    });
}

/// A kernel ends only after a transfer has run, and no thread waits for the transfer. It must run
/// whether it becomes ready before, while or after the queue's thread takes the kernel.
#[test]
fn a_transfer_runs_beside_a_kernel() {
    model(|| {
        let device = Device::new(false);
        let transfer = Item::transfer();
        let kernel = Item::around(&transfer);
        device.submit(&kernel);
        device.submit(&transfer);
        assert_eq!(kernel.done.wait(None, None), Some(0));
        device.finish(2);
    });
}

/// A waiting thread runs the kernel; another thread submits the transfer that the kernel needs.
#[test]
fn a_transfer_runs_beside_the_kernel_of_a_call() {
    model(|| {
        let device = Device::new(false);
        let transfer = Item::transfer();
        let kernel = Item::around(&transfer);
        let other = Arc::clone(&device);
        let submitter = thread::spawn(move || other.submit(&transfer));
        device.call(&kernel);
        submitter.join().unwrap();
        device.finish(2);
    });
}

/// A transfer becomes ready while a waiting thread finishes another one, beside a kernel that ends
/// after both.
#[test]
fn a_transfer_behind_a_transfer_runs_beside_a_kernel() {
    model(|| {
        let device = Device::new(false);
        let (first, second) = (Item::transfer(), Item::transfer());
        let kernel = Item::around(&second);
        device.submit(&kernel);
        let (other, submitted) = (Arc::clone(&device), second.clone());
        let submitter = thread::spawn(move || other.submit(&submitted));
        device.call(&first);
        assert_eq!(kernel.done.wait(None, None), Some(0));
        submitter.join().unwrap();
        device.finish(3);
    });
}
