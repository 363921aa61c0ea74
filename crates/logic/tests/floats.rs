//! Floating-point operations: the circuits and the rewriter against the exact evaluator, that one against the hardware and
//! `rustc_apfloat`, and answers against z3.
#![expect(clippy::disallowed_methods, reason = "the second solver is a process")]
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::io::Write;
use std::process::{Command, Stdio};

use base::rng::Rng;
use logic::oracle;
use logic::rewrite::Rule;
use logic::{
    Answer, Bits, Config, Context, FloatKind, FloatOp, Format, Rounding, Sort, Store, Term, Value, float::exact, smtlib,
};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, StatusAnd};

#[test]
fn circuits_on_all_operands_of_small_formats() {
    let n = oracle::float_exhaustive().unwrap();
    assert!(n > 2_500_000, "only {n} cases");
}

#[test]
fn circuits_on_special_and_random_operands() {
    let n = oracle::float_circuits(1, 200).unwrap();
    assert!(n > 100_000, "only {n} cases");
}

#[test]
fn rewriting_keeps_patterns_and_every_rule_is_exercised() {
    let total = oracle::float_terms(2, 800).unwrap();
    let ours = [
        Rule::FloatSelf,
        Rule::FloatNeutral,
        Rule::FloatPower,
        Rule::FloatNarrow,
        Rule::FloatIntSum,
        Rule::FloatIntCompare,
        Rule::FloatExtended,
        Rule::FloatBack,
    ];
    let rare: Vec<&(Rule, u64)> = total.iter().filter(|(r, n)| ours.contains(r) && *n < 20).collect();
    assert!(rare.is_empty(), "rules that random terms hardly exercise: {rare:?}");
}

#[test]
fn ranges_refute_nothing_that_holds() {
    let [refuted, models, open] = oracle::float_ranges(4, 3_000).unwrap();
    assert!(refuted > 100 && models > 20, "{refuted} refuted, {models} with a model, {open} open");
}

fn round(mode: Rounding) -> Round {
    match mode {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::Positive => Round::TowardPositive,
        Rounding::Negative => Round::TowardNegative,
        Rounding::Zero => Round::TowardZero,
    }
}

fn value<F: Float>(x: StatusAnd<F>, format: Format) -> Bits {
    if x.value.is_nan() { format.nan() } else { Bits::from_u128(format.width(), x.value.to_bits()) }
}

/// What the library says, for operations that it has.
fn library<F>(op: FloatOp, args: &[u128]) -> Option<Value>
where
    F: Float
        + FloatConvert<Half>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>,
{
    let (f, mode) = (op.format, round(op.rounding));
    let x = |i: usize| F::from_bits(args[i]);
    let mut loses = false;
    Some(Value::Bits(match op.kind {
        FloatKind::Add => value(x(0).add_r(x(1), mode), f),
        FloatKind::Sub => value(x(0).sub_r(x(1), mode), f),
        FloatKind::Mul => value(x(0).mul_r(x(1), mode), f),
        FloatKind::Div => value(x(0).div_r(x(1), mode), f),
        FloatKind::Fma => value(x(0).mul_add_r(x(1), x(2), mode), f),
        FloatKind::Sqrt => return None,
        FloatKind::Integral => value(x(0).round_to_integral(mode), f),
        FloatKind::Convert { to } => match to {
            Format::HALF => value(FloatConvert::<Half>::convert_r(x(0), mode, &mut loses), to),
            Format::SINGLE => value(FloatConvert::<Single>::convert_r(x(0), mode, &mut loses), to),
            Format::DOUBLE => value(FloatConvert::<Double>::convert_r(x(0), mode, &mut loses), to),
            Format::EXTENDED => value(FloatConvert::<X87DoubleExtended>::convert_r(x(0), mode, &mut loses), to),
            Format::QUAD => value(FloatConvert::<Quad>::convert_r(x(0), mode, &mut loses), to),
            _ => return None,
        },
        FloatKind::FromInt { width, signed } => {
            let shift = 128 - width;
            let i = ((args[0] << shift) as i128) >> shift;
            value(if signed { F::from_i128_r(i, mode) } else { F::from_u128_r(args[0], mode) }, f)
        }
        FloatKind::ToInt { width, signed } => {
            let mut exact = false;
            // First to 128 bits (the library has trouble with one bit), then to the nearest value of the type.
            let v = if signed {
                let max = i128::MAX >> (128 - width);
                x(0).to_i128_r(128, mode, &mut exact).value.clamp(-max - 1, max) as u128
            } else {
                x(0).to_u128_r(128, mode, &mut exact).value.min(u128::MAX >> (128 - width))
            };
            Bits::from_u128(width, v)
        }
        FloatKind::Eq => return Some(Value::Bool(x(0) == x(1))),
        FloatKind::Lt => return Some(Value::Bool(x(0) < x(1))),
        FloatKind::Le => return Some(Value::Bool(x(0) <= x(1))),
    }))
}

fn by_library(op: FloatOp, args: &[u128]) -> Option<Value> {
    match op.format {
        Format::HALF => library::<Half>(op, args),
        Format::SINGLE => library::<Single>(op, args),
        Format::DOUBLE => library::<Double>(op, args),
        Format::EXTENDED => library::<X87DoubleExtended>(op, args),
        _ => library::<Quad>(op, args),
    }
}

#[test]
fn the_exact_evaluator_agrees_with_the_hardware_and_a_library() {
    let mut rng = Rng::new(5);
    let (mut hardware, mut libraries) = (0, 0);
    for format in oracle::MACHINE_FORMATS {
        for mode in Rounding::ALL {
            for op in oracle::float_operations(format, mode, &oracle::MACHINE_FORMATS) {
                for _ in 0..if mode == Rounding::NearestEven { 300 } else { 60 } {
                    let args: Vec<Bits> = match op.kind {
                        FloatKind::FromInt { width, .. } => {
                            let bits = u128::from(rng.bits()) << 64 | u128::from(rng.bits());
                            vec![Bits::from_u128(width, bits >> rng.below(128))]
                        }
                        _ => {
                            let first = oracle::random_number(&mut rng, format, None);
                            let more = (1..op.arity()).map(|_| oracle::random_number(&mut rng, format, Some(&first)));
                            let more: Vec<Bits> = more.collect();
                            [vec![first], more].concat()
                        }
                    };
                    let patterns: Vec<u128> = args.iter().map(|a| a.to_u128().unwrap()).collect();
                    let ours = exact::apply(op, &args);
                    if let Some(theirs) = by_library(op, &patterns) {
                        assert_eq!(ours, theirs, "{op:?} of {args:?} by the library");
                        libraries += 1;
                    }
                    if let Some(theirs) = oracle::by_hardware(op, &patterns) {
                        let ours = match &ours {
                            Value::Bool(b) => u128::from(*b),
                            other => other.as_bits().to_u128().unwrap(),
                        };
                        assert_eq!(ours, theirs, "{op:?} of {args:?} by the hardware");
                        hardware += 1;
                    }
                }
            }
        }
    }
    assert!(hardware > 4_000 && libraries > 50_000, "{hardware} by the hardware, {libraries} by the library");
}

#[test]
fn circuits_agree_with_the_hardware() {
    let compared = oracle::float_hardware(1, 2_000).unwrap();
    assert!(compared > 60_000, "only {compared} results");
}

/// Operands of each operation that the library is asked about; with a thousand times as many it takes some minutes.
const FOR_LIBRARY: u64 = 1_000;

/// Circuits against the library, in every format and rounding.
#[test]
fn circuits_agree_with_a_library() {
    for format in oracle::MACHINE_FORMATS {
        for mode in Rounding::ALL {
            for op in oracle::float_operations(format, mode, &oracle::MACHINE_FORMATS) {
                let number = |args: &[u128]| match by_library(op, args)? {
                    Value::Bool(b) => Some(u128::from(b)),
                    other => other.as_bits().to_u128(),
                };
                // The other modes differ in how they round alone.
                let n = if mode == Rounding::NearestEven { FOR_LIBRARY } else { FOR_LIBRARY / 10 };
                oracle::float_against(3, op, n, &number).unwrap();
            }
        }
    }
}

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

#[test]
fn answers_agree_with_z3() {
    let mut scripts = Vec::new();
    let mut ours = Vec::new();
    for (store, question) in oracle::float_queries(3, 60) {
        let mut context = Context::with_config(Config::Full);
        let lits: Vec<_> = question.iter().map(|&t| context.lit(&store, t)).collect();
        ours.push(match context.check(&store, &lits, 50_000) {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(logic::Undecided::Conflicts(_)) => continue,
            Answer::Unknown(why) => panic!("{why}"),
        });
        scripts.push(smtlib::query(&store, &question));
    }
    let Some(theirs) = z3(&scripts) else { return };
    assert_eq!(theirs.len(), ours.len(), "one answer per question, no error: {theirs:?}");
    for (i, (a, b)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(a, b, "question {i}:\n{}", scripts[i]);
    }
    let unsat = ours.iter().filter(|&&a| a == "unsat").count();
    assert!(unsat > 3 && unsat < ours.len(), "both answers occur: {unsat} of {}", ours.len());
}

/// `x + c <= d` of doubles that lie between the bounds.
fn bounded_sum(store: &mut Store, bounds: [f64; 2], c: f64, d: f64) -> (Term, [Term; 2]) {
    let x = store.symbol("x", Sort::Bv(64));
    let mut number = |x: f64| store.constant(&Bits::new(64, x.to_bits()));
    let [low, high, c, d] = [bounds[0], bounds[1], c, d].map(&mut number);
    let op = |kind| FloatOp::new(kind, Format::DOUBLE);
    let sum = store.float(op(FloatKind::Add), &[x, c]);
    let below = store.float(op(FloatKind::Le), &[sum, d]);
    let range = [store.float(op(FloatKind::Le), &[low, x]), store.float(op(FloatKind::Le), &[x, high])];
    (below, range)
}

#[test]
fn what_ranges_decide_builds_no_circuit() {
    let mut store = Store::new();
    let (below, range) = bounded_sum(&mut store, [-1.0, 1.0], 0.1, 1.5);
    let mut context = Context::new();
    let lits = [context.lit(&store, range[0]), context.lit(&store, range[1]), !context.lit(&store, below)];
    assert!(context.check(&store, &lits, 1_000).is_unsat());
    assert!(context.check(&store, &lits[..1], 1_000).is_sat());
    let variables = context.stats().variables;
    assert!(variables < 10, "{variables} variables");
}

#[test]
fn clauses_with_comparisons_count_when_a_circuit_is_needed() {
    let mut store = Store::new();
    let (below, range) = bounded_sum(&mut store, [-1.0, 1.0], 0.1, 0.5);
    let odd = {
        let x = store.symbol("x", Sort::Bv(64));
        let bit = store.extract(x, 0, 0);
        let one = store.bv(1, 1);
        store.eq(bit, one)
    };
    let mut context = Context::new();
    let goal = below;
    let [low, high, below, odd] = [range[0], range[1], goal, odd].map(|t| context.lit(&store, t));
    let act = context.activation();
    context.block(act, &[!below, !low]);
    context.block(act, &[!odd]);
    let Answer::Sat(model) = context.check(&store, &[act, low, high], 100_000) else {
        panic!("a sum above 0.5 is possible")
    };
    assert!(!model.holds(&store, goal), "the clause holds in the model");
    context.retire(act);
    let act = context.activation();
    context.block(act, &[!below]);
    context.block(act, &[below]);
    assert!(context.check(&store, &[act, low, high], 100_000).is_unsat());
    assert!(context.check(&store, &[low, high, below, odd], 100_000).is_sat());
}

#[test]
fn a_sum_of_many_inputs_reaches_its_corner() {
    let mut store = Store::new();
    let op = |kind| FloatOp::new(kind, Format::DOUBLE);
    let number = |store: &mut Store, x: f64| store.constant(&Bits::new(64, x.to_bits()));
    let (low, high) = (number(&mut store, -1.0), number(&mut store, 1.0));
    let mut sum = number(&mut store, 0.0);
    let mut lits = Vec::new();
    for i in 0..30 {
        let x = store.symbol(&format!("x{i}"), Sort::Bv(64));
        lits.push(store.float(op(FloatKind::Le), &[low, x]));
        lits.push(store.float(op(FloatKind::Le), &[x, high]));
        sum = store.float(op(FloatKind::Add), &[sum, x]);
    }
    let [near, beyond] = [29.9, 30.0].map(|b| number(&mut store, b));
    let most = store.float(op(FloatKind::Lt), &[near, sum]);
    let more = store.float(op(FloatKind::Lt), &[beyond, sum]);
    let mut context = Context::new();
    let all: Vec<_> = lits.iter().map(|&t| context.lit(&store, t)).collect();
    let (most, more) = (context.lit(&store, most), context.lit(&store, more));
    assert!(context.check(&store, &[&all[..], &[most]].concat(), 1_000).is_sat());
    assert!(context.check(&store, &[&all[..], &[more]].concat(), 1_000).is_unsat());
}
