//! Answers against z3, through the SMT-LIB printer. Skips aloud where z3 is not installed.
#![expect(clippy::disallowed_methods, reason = "the second solver is a process")]
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::io::Write;
use std::process::{Command, Stdio};

use base::rng::Rng;
use logic::oracle::{Case, Shape};
use logic::{Answer, Context, Lit, Term, smtlib};

/// z3's answers to these scripts, one each, or `None` without z3.
fn z3(scripts: &[String]) -> Option<Vec<String>> {
    let child = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        eprintln!("SKIPPED: z3 is not installed, its answers are not compared");
        return None;
    };
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    let text: String = scripts.iter().map(|s| format!("{s}(reset)\n")).collect();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    writer.join().expect("the writer ends").expect("z3 reads its input");
    Some(String::from_utf8(output.stdout).expect("z3 answers in ASCII").lines().map(str::to_owned).collect())
}

fn compare(seed: u64, graphs: usize, shape: impl Fn(&mut Rng) -> Shape) {
    let mut rng = Rng::new(seed);
    let mut scripts = Vec::new();
    let mut ours = Vec::new();
    for _ in 0..graphs {
        let shape = shape(&mut rng);
        let mut case = Case::generate(&mut rng, shape);
        let formulas: Vec<Term> = case.formulas().iter().map(|f| f.0).collect();
        let mut context = Context::new();
        for _ in 0..3 {
            let mut terms: Vec<Term> = Vec::new();
            for _ in 0..1 + rng.index(5) {
                let Some(&t) = (!formulas.is_empty()).then(|| rng.pick(&formulas)) else { continue };
                terms.push(if rng.chance(50) { case.store.not(t) } else { t });
            }
            let lits: Vec<Lit> = terms.iter().map(|&t| context.lit(&case.store, t)).collect();
            match context.check(&case.store, &lits, 20_000) {
                Answer::Sat(_) => ours.push("sat"),
                Answer::Unsat(_) => ours.push("unsat"),
                Answer::Unknown(logic::Undecided::Conflicts(_)) => continue,
                Answer::Unknown(why) => panic!("{why}"),
            }
            scripts.push(smtlib::query(&case.store, &terms));
        }
    }
    let Some(theirs) = z3(&scripts) else { return };
    assert_eq!(theirs.len(), ours.len(), "one answer per question, no error: {theirs:?}");
    for (i, (a, b)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(a, b, "question {i}:\n{}", scripts[i]);
    }
    let unsat = ours.iter().filter(|&&a| a == "unsat").count();
    assert!(unsat > ours.len() / 20 && unsat < ours.len(), "both answers occur: {unsat} of {}", ours.len());
}

#[test]
fn bit_vector_queries() {
    compare(11, 120, |rng| {
        let width = *rng.pick(&[3, 5, 8, 8, 11, 16]);
        Shape {
            symbols: vec![width, width, 1 + rng.below(u64::from(width)) as u32],
            bools: 1,
            maps: (0, 0, 0),
            steps: 20,
            max_width: 2 * width,
            assignments: Some(1),
        }
    });
}

#[test]
fn queries_about_maps() {
    compare(12, 120, |_| Shape {
        symbols: vec![6, 6, 6],
        bools: 1,
        maps: (2, 6, 6),
        steps: 25,
        max_width: 12,
        assignments: Some(1),
    });
}

#[test]
fn odd_names_are_quoted_or_changed() {
    let mut s = logic::Store::new();
    let mut terms = Vec::new();
    for name in ["and", "bvadd", "$1", "x y", "a|b", "a_b", "", "3x", "x@2", "x'"] {
        for sort in [logic::Sort::Bv(8), logic::Sort::Bv(9)] {
            let x = s.symbol(name, sort);
            let c = s.bv(sort.width(), 3);
            terms.push(s.ult(x, c));
        }
    }
    let Some(answers) = z3(&[smtlib::query(&s, &terms)]) else { return };
    assert_eq!(answers, ["sat"]);
}
