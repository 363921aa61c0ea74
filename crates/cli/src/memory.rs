//! The allocator: the system's, except that in the child process an allocation that fails says so to the parent.
//!
//! Rust's own answer to a failed allocation is to abort, which the parent could not tell from a crash.

#![expect(unsafe_code, reason = "a global allocator can only be written with unsafe code")]

use crate::message::OUT_OF_MEMORY_LINE;
use crate::os;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a child that ran out of memory; outside the documented ones, since only the parent sees it.
pub(crate) const OUT_OF_MEMORY: i32 = 113;

static REPORTING: AtomicBool = AtomicBool::new(false);

/// From now on, a failed allocation ends the process with a message on standard output.
pub(crate) fn report_exhaustion() {
    REPORTING.store(true, Ordering::Relaxed);
}

/// The system allocator that reports exhaustion.
pub(crate) struct Reporting;

// SAFETY: every method hands its arguments to `System` unchanged and returns what `System` returned, so the contract of
// `GlobalAlloc` is `System`'s; what happens in between on failure neither allocates nor unwinds.
unsafe impl GlobalAlloc for Reporting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
        checked(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `System` with this layout, as the caller promises.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc_zeroed`.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: `ptr` came from `System` with this layout, as the caller promises.
        checked(unsafe { System.realloc(ptr, layout, new_size) })
    }
}

/// Hands the pointer on, unless it is null and somebody wants to know.
fn checked(ptr: *mut u8) -> *mut u8 {
    if ptr.is_null() && REPORTING.load(Ordering::Relaxed) {
        os::write_raw(1, OUT_OF_MEMORY_LINE);
        os::exit_now(OUT_OF_MEMORY);
    }
    ptr
}
