//! `reach` against the explicit oracles on random programs.

use reach::compare::Shares;

/// As many threads as programs are split over.
const THREADS: u64 = 4;

#[test]
fn engines_agree_on_random_programs() {
    let threads: Vec<_> = (0..THREADS).map(|i| std::thread::spawn(move || Shares::of_random(1 + i, 300))).collect();
    for thread in threads {
        let shares = thread.join().expect("a comparison panicked").unwrap_or_else(|e| panic!("{e}"));
        shares.demand().unwrap_or_else(|e| panic!("{e}"));
    }
}
