//! `cargo run --release -p reach --example fuzz -- SEED N`: all engines on N random programs, with what they covered.
#![expect(clippy::print_stdout, reason = "an example reports to its user")]

use reach::compare::{Covered, compare};

fn main() {
    let mut args = std::env::args().skip(1).map(|a| a.parse::<u64>().expect("SEED and N are numbers"));
    let (seed, n) = (args.next().unwrap_or(1), args.next().unwrap_or(1000));
    let mut all: Vec<Covered> = Vec::new();
    for (i, program) in boolprog::oracle::random_programs(seed, n as usize).enumerate() {
        match compare(&program) {
            Ok(c) => all.push(c),
            Err(e) => {
                println!("program {i}: {e}\n{}", boolprog::print(&program));
                return;
            }
        }
    }
    let share = |f: fn(&Covered) -> bool| all.iter().filter(|c| f(c)).count() as f64 * 100.0 / all.len() as f64;
    println!("{} programs agree", all.len());
    println!("reached {:.0} %, recursive {:.0} %", share(|c| c.reached), share(|c| c.recursive));
    println!("reused summary {:.0} %", share(|c| c.reused_summary));
    println!("shortest confirmed {:.0} %", share(|c| c.shortest_confirmed));
}
