//! The rules that come with the tool, each with programs that obey it and programs that do not.

/// A rule of the library.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name: `linux/spinlock`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// A C file: functions whose names begin with `safe` obey the rule, those that begin with `broken` do not.
    pub programs: &'static str,
}

/// A rule and its programs, which lie beside it.
macro_rules! entry {
    ($name:literal) => {
        Entry {
            name: $name,
            text: include_str!(concat!("../rules/", $name, ".slic")),
            programs: include_str!(concat!("../rules/", $name, ".c")),
        }
    };
}

/// Contracts, by name.
macro_rules! contracts_entry {
    ($name:literal) => {
        ($name, include_str!(concat!("../contracts/", $name, ".contracts")))
    };
}

/// All of them, by name.
pub const ALL: &[Entry] = &[
    entry!("freertos/critical-section"),
    entry!("freertos/isr"),
    entry!("freertos/mutex"),
    entry!("freertos/queue"),
    entry!("freertos/scheduler"),
    entry!("freertos/watchdog"),
    entry!("linux/bottom-half"),
    entry!("linux/clock"),
    entry!("linux/completion"),
    entry!("linux/gfp-flags"),
    entry!("linux/ioremap"),
    entry!("linux/irq-flags"),
    entry!("linux/irq-request"),
    entry!("linux/kmalloc"),
    entry!("linux/module-reference"),
    entry!("linux/mutex"),
    entry!("linux/of-node"),
    entry!("linux/preempt"),
    entry!("linux/rcu-read"),
    entry!("linux/rtnl"),
    entry!("linux/semaphore"),
    entry!("linux/sleep-in-atomic"),
    entry!("linux/spinlock"),
    entry!("linux/urb"),
    entry!("linux/workqueue"),
    entry!("posix/descriptor"),
    entry!("posix/directory"),
    entry!("posix/memory"),
    entry!("posix/mutex"),
    entry!("posix/mutex-order"),
    entry!("posix/pipe-stream"),
    entry!("posix/privileges"),
    entry!("posix/shared-library"),
    entry!("posix/signal-handler"),
    entry!("posix/socket-order"),
    entry!("posix/stream"),
    entry!("windows/critical-region"),
    entry!("windows/fast-mutex"),
    entry!("windows/irp-completed-once"),
    entry!("windows/irql"),
    entry!("windows/pending"),
    entry!("windows/pool"),
    entry!("windows/registry-key"),
    entry!("windows/remove-lock"),
    entry!("windows/spinlock"),
];

/// Contracts of functions of interfaces, which also come with the tool: their names and texts.
pub const CONTRACTS: &[(&str, &str)] =
    &[contracts_entry!("glib"), contracts_entry!("gnulib"), contracts_entry!("linux")];

/// The contracts with this name.
pub fn contracts(name: &str) -> Option<&'static str> {
    CONTRACTS.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// The rule with this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|e| e.name == name)
}

/// The rules of a group (`posix`), or the one rule that has this name.
pub fn select(name: &str) -> Vec<&'static Entry> {
    let group = format!("{}/", name.trim_end_matches("/*").trim_end_matches('/'));
    ALL.iter().filter(|e| e.name == name || e.name.starts_with(&group)).collect()
}
