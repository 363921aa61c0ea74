//! Structures that are volatile: under `--volatile nondet` every member of a copy of one is any value, however the copy is
//! made.

use super::text::Gen;
use super::types::Ty;
use super::{Fill, interpret};
use crate::compile::compile;
use crate::statistics::Statistics;
use ir::DataModel;

/// Copies volatile structures of random types, one for each seed in `first .. first + count`: no member of a copy may be
/// known.
pub fn volatile_copies(model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        let source = text(seed);
        let options = lower::Options { volatile_nondet: true, ..lower::Options::default() };
        let program = compile("volatile.c", &source, model, &options)?.program;
        let [low, high] = [Fill::Zeroes, Fill::Ones].map(|fill| interpret(&program, fill));
        let (low, high) = (low?.values, high?.values);
        let known = low.chunks(8).zip(high.chunks(8)).position(|(a, b)| a == b);
        if let Some(i) = known {
            return Err(format!("seed {seed} in {model:?}: value {i} of the copy is known\n{source}"));
        }
        stats.add("programs", 1);
        stats.add("members", low.len() as u64 / 8);
    }
    Ok(stats)
}

fn text(seed: u64) -> String {
    let mut g = Gen::new(seed);
    let ty = Ty::Record(g.types.any_tagged(&mut g.rng));
    let (object, copy) = (g.types.declare(&ty, "v"), g.types.declare(&ty, "x"));
    let result = g.types.declare(&ty, "get");
    let (param, pass) = (g.types.declare(&ty, "y"), g.types.declare(&ty, "pass"));
    let made = match g.rng.below(6) {
        0 => format!("{copy} = v;"),
        1 => format!("{copy}; x = v;"),
        2 => format!("{copy} = pass(v);"),
        3 => format!("{copy} = get();"),
        4 => format!("volatile {} = &v; {copy} = *p;", g.types.declare(&ty, "*p")),
        _ => format!("{copy} = effects ? v : *&v;"),
    };
    let mut leaves = Vec::new();
    g.types.leaves(&ty, "x", &mut leaves);
    // The first byte of a number will do; a bit-field has no address.
    let say = |(leaf, bits): &(String, bool)| match bits {
        true => format!("    say({leaf});\n"),
        false => format!("    say(*(unsigned char *)&{leaf});\n"),
    };
    let report: String = leaves.iter().map(say).collect();
    format!(
        "{}static volatile {object};\nstatic {result}(void) {{ return v; }}\nstatic {pass}({param}) {{ return y; }}\n\
         int main(void) {{\n    {made}\n    see(&x, 0);\n    say(*(volatile unsigned char *)&v);\n{report}    return 0;\n}}\n",
        g.text
    )
}
