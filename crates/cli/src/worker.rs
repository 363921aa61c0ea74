//! The child: reads its order from standard input, puts itself under the limits, works on a large stack, and sends the
//! outcome.
//!
//! The stack is reserved address space, not memory; the limit on the address space is the memory limit plus the stack.

use crate::message::{Message, Progress, send};
use crate::outcome::{Exit, Outcome};
use crate::settings::Job;
use crate::{hooks, memory, os, work};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::sync::Mutex;

/// The hidden command by which the parent starts the child.
pub(crate) const COMMAND: &str = "__worker";

/// Stack sizes to try: the first is meant, the others are for systems that do not hand out that much address space.
const STACKS: [u64; 3] = [1 << 29, 1 << 27, 1 << 25];

/// Address space for the program text, libraries and the allocator's own reservations.
const SLACK: u64 = 128 << 20;

/// What the parent sends.
#[derive(Serialize, Deserialize)]
pub(crate) struct Order {
    /// What to do.
    pub job: Job,
    /// The parent's process id.
    pub parent: u32,
}

/// The text of the last panic, with its place.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// The child's whole life.
pub(crate) fn main() -> ! {
    let mut order = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut order);
    let Some(Order { job, parent }) = read.ok().and_then(|_| serde_json::from_slice(&order).ok()) else {
        crate::report::complain("error: this command is how hardbop starts its own worker; it is of no other use");
        os::exit_now(Exit::Usage as i32);
    };
    if !os::die_with_parent(parent) {
        os::exit_now(Exit::Internal as i32);
    }
    os::leave_no_core();
    memory::report_exhaustion();
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |l| format!(" at {}:{}", l.file(), l.line()));
        let text = info.payload_as_str().unwrap_or("panic without a text");
        *PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = format!("{text}{place}");
    }));
    if let Some(Err(e)) = job.limits().cpu.map(os::limit_processor_time) {
        send(&Message::Outcome(Box::new(Outcome::internal(format!("start: cannot limit the processor time: {e}")))));
        os::exit_now(0);
    }
    let outcome = on_large_stack(&job).unwrap_or_else(|problem| Outcome::internal(format!("start: {problem}")));
    send(&Message::Outcome(Box::new(outcome)));
    hooks::after_outcome();
    // Nothing is worth freeing: the parent has the answer.
    os::exit_now(0)
}

/// Does the job on a thread with a large stack and under the memory limit.
fn on_large_stack(job: &Job) -> Result<Outcome, String> {
    let mut problem = String::new();
    for stack in STACKS {
        os::limit_address_space(job.limits().memory.saturating_add(stack + SLACK))
            .map_err(|e| format!("cannot limit the memory: {e}"))?;
        let task = job.clone();
        let thread = std::thread::Builder::new().name("worker".into()).stack_size(stack as usize).spawn(move || {
            let mut progress = Progress::new();
            hooks::before_work();
            let mut outcome = work::work(&task, &mut progress);
            outcome.stats = progress.stats().clone();
            outcome
        });
        match thread {
            Ok(thread) => return Ok(thread.join().unwrap_or_else(|_| report_panic())),
            Err(e) => problem = format!("cannot reserve a stack: {e}"),
        }
    }
    Err(problem)
}

/// Reports a panic to the parent, which knows the phase. One that speaks of memory is the limit's doing and not a bug.
fn report_panic() -> ! {
    let text = PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    if speaks_of_memory(&text) {
        send(&Message::OutOfMemory);
        os::exit_now(memory::OUT_OF_MEMORY);
    }
    send(&Message::Panic(text));
    os::exit_now(Exit::Internal as i32)
}

/// Whether the last words of a dying runtime (Rust's, C++'s, the C library's) say that memory was the cause.
pub(crate) fn speaks_of_memory(text: &str) -> bool {
    // The only C++ here is the SAT solver, and the only thing that it throws is that there is no memory.
    let foreign = "Rust cannot catch foreign exceptions";
    ["std::bad_alloc", "memory allocation of", "Cannot allocate memory", "out of memory", foreign]
        .iter()
        .any(|w| text.contains(w))
}
