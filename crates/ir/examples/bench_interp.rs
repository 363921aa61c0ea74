//! How many steps per second the interpreter takes, on three loops: plain arithmetic, calls, and memory.
//! `cargo run --release -p ir --example bench_interp`
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark prints and looks at the clock")]

use ir::interp::{Limits, Unobserved, ZeroInputs, run};

const ARITHMETIC: &str = "\
model LP64
entry main
func external main() -> r {
  local r: i32
  local i: i32
  local s: u32
  locations 6 entry L0 exit L5
  e0: L0 -> L1: i := 0:i32
  e1: L1 -> L2: assume (i < 100000000:i32)
  e2: L1 -> L4: assume (i >= 100000000:i32)
  e3: L2 -> L3: [signed-overflow: !add_overflows(i, 1:i32)] s := ((s * 3:u32) ^ u32(i))
  e4: L3 -> L1: i := (i + 1:i32)
  e5: L4 -> L5: return i32(s)
}
";

const CALLS: &str = "\
model LP64
entry main
global @n: u32 internal = zero
func internal f(a: i32) -> r {
  local r: i32
  locations 3 entry L0 exit L2
  e0: L0 -> L1: @n := (@n + 1:u32)
  e1: L1 -> L2: return (a + 1:i32)
}
func external main() -> r {
  local r: i32
  local i: i32
  locations 5 entry L0 exit L4
  e0: L0 -> L1: i := 0:i32
  e1: L1 -> L2: assume (i < 100000000:i32)
  e2: L1 -> L3: assume (i >= 100000000:i32)
  e3: L2 -> L1: i := call f(i)
  e4: L3 -> L4: return i
}
";

const MEMORY: &str = "\
model LP64
entry main
global @a: object(4096, 4) internal = zero
func external main() -> r {
  local r: i32
  local i: i64
  local p: ptr
  locations 7 entry L0 exit L6
  e0: L0 -> L1: i := 0:i64
  e1: L1 -> L2: assume (i < 100000000:i64)
  e2: L1 -> L5: assume (i >= 100000000:i64)
  e3: L2 -> L3: p := &[&@a + 4*(i & 1023:i64)]
  e4: L3 -> L4: [null-deref: (p != null)] [out-of-bounds: inbounds(p, 4)] *[p]:i32 := (*[p]:i32 + 1:i32)
  e5: L4 -> L1: i := (i + 1:i64)
  e6: L5 -> L6: return *[&@a]:i32
}
";

fn main() {
    for (name, text) in [("arithmetic", ARITHMETIC), ("calls", CALLS), ("memory", MEMORY)] {
        let file = base::Id::from_index(0);
        let program = ir::text::parse(file, text).expect("the program parses");
        ir::validate::validate(&program).expect("the program is valid");
        let limits = Limits { steps: 30_000_000, ..Limits::default() };
        let start = std::time::Instant::now();
        let execution = run(&program, &mut ZeroInputs, &limits, &mut Unobserved);
        let seconds = start.elapsed().as_secs_f64();
        println!("{name}: {:.1} million steps/s ({:?})", execution.steps as f64 / seconds / 1e6, execution.end);
    }
}
