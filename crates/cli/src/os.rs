//! The system calls that the standard library has no safe form of: limits, signals, and the ties between parent and child.
//!
//! Each function is safe to call from anywhere and says what it promises; no other module of this crate but the
//! allocator uses unsafe code.

#![expect(unsafe_code, reason = "limits, signals and process ties exist only as C functions")]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Whether a person may be reading the stream.
pub(crate) fn is_terminal(stream: crate::display::Stream) -> bool {
    use std::io::IsTerminal;
    match stream {
        crate::display::Stream::Out => io::stdout().is_terminal(),
        crate::display::Stream::Err => io::stderr().is_terminal(),
    }
}

/// Limits the address space of this process (the soft limit only, so that [`without_limit`] can lift it for a tool).
pub(crate) fn limit_address_space(bytes: u64) -> io::Result<()> {
    let mut limit = address_space_limit()?;
    limit.rlim_cur = bytes.min(limit.rlim_max);
    // SAFETY: the pointer is to a valid rlimit for the duration of the call.
    check(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) })
}

/// The signal that ends a process at the limit of [`limit_processor_time`].
pub(crate) const PROCESSOR_TIME: libc::c_int = libc::SIGPROF;

/// Ends this process by [`PROCESSOR_TIME`] when it has used so much processor time from now on, all its threads together. The
/// kernel counts, so that a parent on a busy machine need not be quick.
pub(crate) fn limit_processor_time(time: std::time::Duration) -> io::Result<()> {
    let once = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let seconds = libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX);
    let value = libc::timeval { tv_sec: seconds, tv_usec: libc::suseconds_t::from(time.subsec_micros()) };
    let timer = libc::itimerval { it_interval: once, it_value: value };
    // SAFETY: the pointer is to a valid timer for the duration of the call; a null pointer asks for no old value.
    check(unsafe { libc::setitimer(libc::ITIMER_PROF, &raw const timer, std::ptr::null_mut()) })
}

/// Keeps a crash of this process from leaving a core file: with a large stack it would be large, and nobody asked for it.
pub(crate) fn leave_no_core() {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a valid rlimit for the duration of the call.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const none) };
}

fn address_space_limit() -> io::Result<libc::rlimit> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a valid rlimit for the duration of the call.
    check(unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) })?;
    Ok(limit)
}

/// Lets `command` run without the limit of [`limit_address_space`], and end when this process ends.
pub(crate) fn without_limit(command: &mut Command) {
    let setup = || {
        let mut limit = address_space_limit()?;
        limit.rlim_cur = limit.rlim_max;
        // SAFETY: the pointer is to a valid rlimit for the duration of the call; prctl takes numbers only.
        unsafe {
            check(libc::setrlimit(libc::RLIMIT_AS, &raw const limit))?;
            check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))
        }
    };
    // SAFETY: between fork and exec only system calls are made, no allocation and no lock.
    unsafe { command.pre_exec(setup) };
}

/// Ends this process when its parent ends. Returns false if the parent with this id is gone already.
pub(crate) fn die_with_parent(parent: u32) -> bool {
    // SAFETY: both calls take and return numbers only.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::getppid() as u32 == parent
    }
}

/// Kills the process group that the child `pid` leads. The caller has not waited for the child yet, so the number still
/// belongs to it.
pub(crate) fn kill_group(pid: u32) {
    if let Ok(pid) = libc::pid_t::try_from(pid)
        && pid > 1
    {
        // SAFETY: takes numbers only.
        unsafe { libc::kill(-pid, libc::SIGKILL) };
    }
}

/// Asks the child `pid` to end, by the signal that hardbop itself answers with an UNKNOWN. The caller has not waited for the
/// child yet.
pub(crate) fn request_end(pid: u32) {
    if let Ok(pid) = libc::pid_t::try_from(pid)
        && pid > 1
    {
        // SAFETY: takes numbers only.
        unsafe { libc::kill(pid, libc::SIGTERM) };
    }
}

/// Whether the child `pid` has ended; it stays to be waited for, so its number is not given to another process yet.
pub(crate) fn has_ended(pid: u32) -> bool {
    // SAFETY: waitid fills the zeroed struct, which has no invalid values; si_pid is defined after a success.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_PID, pid, &raw mut info, flags) == 0 && info.si_pid() != 0
    }
}

/// The signals by which a person or a scheduler ends a run.
const ENDING: [libc::c_int; 2] = [libc::SIGINT, libc::SIGTERM];

fn ending_signals() -> libc::sigset_t {
    // SAFETY: sigemptyset initialises the set before anything reads it.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for signal in ENDING {
            libc::sigaddset(&raw mut set, signal);
        }
        set
    }
}

/// Keeps SIGINT and SIGTERM from ending this process; call before any thread starts, then [`wait_for_ending_signal`].
/// (The standard library gives a started command an empty mask, so children are not affected.)
pub(crate) fn block_ending_signals() {
    let set = ending_signals();
    // SAFETY: the set is initialised; the old mask is not asked for.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) };
}

/// Waits until one of the blocked signals arrives, and names it.
pub(crate) fn wait_for_ending_signal() -> &'static str {
    let set = ending_signals();
    let mut signal = 0;
    // SAFETY: the set is initialised and the pointer to the result valid.
    while unsafe { libc::sigwait(&raw const set, &raw mut signal) } != 0 {}
    signal_name(signal)
}

/// Writes bytes to a descriptor without allocating, as far as that is possible.
pub(crate) fn write_raw(fd: i32, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: pointer and length describe the slice.
        let n = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(n) {
            Ok(n) if n > 0 => bytes = &bytes[n..],
            _ => return,
        }
    }
}

/// Ends the process at once: no destructors, no exit handlers, no allocation.
pub(crate) fn exit_now(code: i32) -> ! {
    // SAFETY: takes a number and does not return.
    unsafe { libc::_exit(code) }
}

/// The largest resident memory of any child waited for, in bytes.
pub(crate) fn peak_memory_of_children() -> u64 {
    u64::try_from(usage_of_children().ru_maxrss).unwrap_or(0) * 1024
}

/// The processor time of all children waited for and of theirs.
pub(crate) fn processor_time_of_children() -> std::time::Duration {
    let usage = usage_of_children();
    let of = |t: libc::timeval| {
        let micros = u64::try_from(t.tv_usec).unwrap_or(0);
        std::time::Duration::from_micros(u64::try_from(t.tv_sec).unwrap_or(0) * 1_000_000 + micros)
    };
    of(usage.ru_utime) + of(usage.ru_stime)
}

fn usage_of_children() -> libc::rusage {
    // SAFETY: getrusage fills the zeroed struct, which has no invalid values.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    }
}

/// Sends a signal to this very thread.
#[cfg(any(debug_assertions, feature = "test-hooks"))]
pub(crate) fn raise(signal: i32) {
    // SAFETY: takes a number only.
    unsafe { libc::raise(signal) };
}

/// `SIGSEGV` for 11, and so on.
pub(crate) fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGPROF => "SIGPROF",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGSYS => "SIGSYS",
        _ => "of another kind",
    }
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
