//! Ways to make the child misbehave, for tests of the parent. `HARDBOP_TEST_CRASH` names one; it is honoured only by
//! builds with debug assertions or with the feature `test-hooks`, never by a shipped binary.

/// Misbehaves as the environment asks, before the work starts.
pub(crate) fn before_work() {
    #[cfg(any(debug_assertions, feature = "test-hooks"))]
    enabled::before_work();
}

/// Misbehaves as the environment asks, after the verdict is known and before its report is made.
pub(crate) fn before_report() {
    #[cfg(any(debug_assertions, feature = "test-hooks"))]
    enabled::before_report();
}

/// Misbehaves as the environment asks, after the outcome was sent.
pub(crate) fn after_outcome() {
    #[cfg(any(debug_assertions, feature = "test-hooks"))]
    enabled::after_outcome();
}

#[cfg(any(debug_assertions, feature = "test-hooks"))]
mod enabled {
    use crate::message::{Message, send};
    use crate::os;

    fn wanted() -> String {
        std::env::var("HARDBOP_TEST_CRASH").unwrap_or_default()
    }

    pub(super) fn before_work() {
        let wanted = wanted();
        if wanted.is_empty() || wanted.starts_with("report-") {
            return;
        }
        send(&Message::Phase("test".into()));
        send(&Message::Iteration(3));
        misbehave(&wanted);
    }

    fn misbehave(wanted: &str) {
        match wanted {
            "segv" => die_of(libc::SIGSEGV),
            "kill" => die_of(libc::SIGKILL),
            "abort" => std::process::abort(),
            "exit" => os::exit_now(77),
            "panic" => panic!("as asked"),
            "hang" => loop {
                std::thread::sleep(std::time::Duration::from_secs(1));
            },
            "spin" => loop {
                std::hint::spin_loop();
            },
            "alloc" => allocate(1 << 16),
            "alloc-large" => allocate(1 << 30),
            "bad-alloc" => {
                // What a C++ library leaves behind when it cannot get memory.
                os::write_raw(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n");
                std::process::abort();
            }
            "foreign" => {
                // What Rust leaves behind when an exception of a C++ library comes to it.
                os::write_raw(2, b"fatal runtime error: Rust cannot catch foreign exceptions, aborting\n");
                std::process::abort();
            }
            "overflow" => {
                std::hint::black_box(recurse(std::hint::black_box(0)));
            }
            "garbage" => os::write_raw(1, b"this is not a message\n{\"Phase\":\n\xff\xfe\n"),
            _ => {}
        }
    }

    pub(super) fn before_report() {
        if let Some(wanted) = wanted().strip_prefix("report-") {
            misbehave(wanted);
        }
    }

    pub(super) fn after_outcome() {
        match wanted().as_str() {
            "late-segv" => die_of(libc::SIGSEGV),
            "late-hang" => loop {
                std::thread::sleep(std::time::Duration::from_secs(1));
            },
            _ => {}
        }
    }

    /// The runtime's own handler may swallow the first signal.
    fn die_of(signal: i32) -> ! {
        loop {
            os::raise(signal);
        }
    }

    fn allocate(chunk: usize) {
        let mut kept = Vec::new();
        loop {
            kept.push(std::hint::black_box(vec![1u8; chunk]));
        }
    }

    #[expect(unconditional_recursion, reason = "this is how a stack overflows")]
    fn recurse(depth: u64) -> u64 {
        let frame = std::hint::black_box([depth; 512]);
        std::hint::black_box(recurse(depth + 1)) + frame[(depth % 512) as usize]
    }
}
