//! Runs of random programs: a tape replays its run and no other, paths can be followed, and the evaluator of predicates
//! agrees with the machine.

use base::Id;
use base::rng::Rng;
use ir::interp::*;
use ir::random::{self, Knobs};
use ir::*;

fn file() -> base::FileId {
    base::FileId::from_index(0)
}

const LIMITS: Limits = Limits { steps: 3000, memory_bytes: 1 << 22, call_depth: 200 };

/// Random programs of both kinds, with the seed that made them.
fn programs(n: u64) -> impl Iterator<Item = (u64, Program)> {
    (0..n).map(|seed| {
        let knobs = if seed % 2 == 0 { Knobs::default() } else { Knobs::all() };
        (seed, random::program(&mut Rng::new(seed), &knobs))
    })
}

fn recorded(program: &Program, inputs: &mut dyn Inputs) -> (Execution, Path) {
    let mut recorder = PathRecorder::default();
    let execution = run(program, inputs, &LIMITS, &mut recorder);
    (execution, recorder.path)
}

#[test]
fn a_tape_replays_its_run_and_survives_its_text() {
    let mut with_entries = 0;
    for (seed, program) in programs(600) {
        let (execution, path) = recorded(&program, &mut RandomInputs::new(seed));
        assert_eq!(execution.steps as usize, path.edges.len(), "seed {seed}");
        let text = execution.tape.print(&program);
        let tape = Tape::parse(&program, file(), &text).unwrap_or_else(|d| panic!("seed {seed}: {d:?}\n{text}"));
        assert_eq!(tape, execution.tape, "seed {seed}\n{text}");
        let (again, same_path) = recorded(&program, &mut tape.inputs());
        assert_eq!(again, execution, "seed {seed}");
        assert_eq!(same_path, path, "seed {seed}");
        assert_eq!(execution.drew_nothing, execution.drew_nothing && execution.tape.entries.is_empty());
        with_entries += usize::from(!execution.tape.entries.is_empty());
    }
    assert!(with_entries > 200, "only {with_entries} runs drew anything");
}

#[test]
fn following_the_path_of_a_run_is_the_same_run() {
    let mut ends = std::collections::BTreeMap::new();
    for (seed, program) in programs(600) {
        let (execution, path) = recorded(&program, &mut RandomInputs::new(seed));
        let text = path.print(&program);
        assert_eq!(Path::parse(&program, file(), &text).as_ref(), Ok(&path), "seed {seed}");
        let followed = follow(&program, &path, &mut execution.tape.inputs(), &LIMITS, &mut Unobserved);
        let kind = format!("{:?}", execution.end).split([' ', '(']).next().unwrap_or_default().to_owned();
        *ends.entry(kind).or_insert(0) += 1;
        match execution.end {
            // These runs end at a location where no edge is taken: the path ends before. Looking at the edges there
            // may have drawn inputs, which are then left over.
            End::Blocked { .. } | End::Ub { .. } | End::Limit(_) | End::BadInput { .. } => {
                let fits = matches!(
                    followed.end,
                    End::PathEnd | End::Ub { .. } | End::Limit(_) | End::BadInput { why: InputError::Surplus(_), .. }
                );
                assert!(fits, "seed {seed}: {:?}", followed.end);
            }
            _ => assert_eq!(followed, execution, "seed {seed}"),
        }
    }
    assert!(ends.len() >= 6, "not all ends occur: {ends:?}");
}

#[test]
fn a_path_that_cannot_be_taken_is_named() {
    let text = "\
model LP64
entry main
func internal f() {
  locations 2 entry L0 exit L1
  e0: L0 -> L1: return
}
func external main() {
  local x: i32
  locations 5 entry L0 exit L4
  e0: L0 -> L1: x := havoc nondet \"in\"
  e1: L1 -> L2: assume (x == 0:i32)
  e2: L1 -> L3: assume (x != 0:i32)
  e3: L2 -> L4: return
  e4: L3 -> end: error reached \"bad\"
}
";
    let program = text::parse(file(), text).unwrap();
    let end = |path: &str| {
        let path = Path::parse(&program, file(), path).unwrap();
        follow(&program, &path, &mut ZeroInputs, &LIMITS, &mut Unobserved).end
    };
    assert!(matches!(end("main e0\nmain e1\nmain e3"), End::Exited(None)));
    assert_eq!(end("main e0\nmain e1"), End::PathEnd);
    assert_eq!(end("main e0\nmain e2\nmain e4"), End::Diverged { index: 1, why: Divergence::ConditionFalse });
    assert_eq!(end("main e0\nmain e4"), End::Diverged { index: 1, why: Divergence::OtherLocation });
    assert_eq!(end("main e0\nf e0"), End::Diverged { index: 1, why: Divergence::OtherFunction });
    assert_eq!(end(""), End::PathEnd);
    assert!(Path::parse(&program, file(), "main e9").is_err() && Path::parse(&program, file(), "g e0").is_err());
    let path = Path::parse(&program, file(), "main e0\nmain e2\nmain e4 // bad").unwrap();
    let tape = Tape::parse(&program, file(), "main e0: nondet i32 = -7\n").unwrap();
    let end = follow(&program, &path, &mut tape.inputs(), &LIMITS, &mut Unobserved).end;
    assert!(matches!(end, End::Error { kind: ErrorKind::Reached(_), .. }), "{end:?}");
}

/// Damaged tapes: an entry missing, one too many, one of another kind or place, or a changed value that leads elsewhere.
#[test]
fn damaged_tapes_are_rejected() {
    let mut rng = Rng::new(9);
    let (mut missing, mut surplus, mut elsewhere) = (0, 0, 0);
    for (seed, program) in programs(400) {
        let (execution, path) = recorded(&program, &mut RandomInputs::new(seed));
        if execution.tape.entries.is_empty() || matches!(execution.end, End::Limit(_)) {
            continue;
        }
        let replay = |tape: &Tape| recorded(&program, &mut tape.inputs());
        let i = rng.index(execution.tape.entries.len());

        // Cut the last entry that was taken.
        let mut tape = execution.tape.clone();
        tape.entries.pop();
        let end = replay(&tape).0.end;
        let base_only = matches!(execution.tape.entries.last(), Some(Entry { kind: Kind::Base(_), .. }));
        assert!(base_only || matches!(end, End::BadInput { .. }), "seed {seed}: {end:?}");
        missing += 1;

        // One entry too many, at the end.
        let mut tape = execution.tape.clone();
        tape.entries.push(tape.entries[i].clone());
        let end = replay(&tape).0.end;
        assert!(matches!(end, End::BadInput { why: InputError::Surplus(_), .. }), "seed {seed}: {end:?}");
        surplus += 1;

        // Another place or type.
        let mut tape = execution.tape.clone();
        tape.entries[i].at = match tape.entries[i].at {
            At::Start => At::Edge(program.entry, EdgeId::from_index(0)),
            At::Edge(..) => At::Start,
        };
        let end = replay(&tape).0.end;
        assert!(matches!(end, End::BadInput { why: InputError::Mismatch(_), .. }), "seed {seed}: {end:?}");
        let mut tape = execution.tape.clone();
        tape.entries[i].data = Data::Value(Ty::int(77, true), Input::Bits(0));
        let end = replay(&tape).0.end;
        assert!(matches!(end, End::BadInput { why: InputError::Mismatch(_), .. }), "seed {seed}: {end:?}");

        // Another value: the same path to the same end, or no success when the old path is followed.
        for i in 0..execution.tape.entries.len().min(8) {
            let mut tape = execution.tape.clone();
            let Data::Value(Ty::Int(int), Input::Bits(bits)) = &mut tape.entries[i].data else { continue };
            *bits = !*bits & int.mask();
            let (changed, other_path) = replay(&tape);
            if (other_path != path || changed.end != execution.end)
                && !matches!(execution.end, End::Blocked { .. } | End::Ub { .. })
            {
                let end = follow(&program, &path, &mut tape.inputs(), &LIMITS, &mut Unobserved).end;
                assert_ne!(end, execution.end, "seed {seed}");
                elsewhere += 1;
            }
        }
    }
    assert!(missing > 100 && surplus > 100 && elsewhere > 10, "{missing} {surplus} {elsewhere}");
}

/// Evaluates what each step computes with the evaluator of predicates, before it happens.
struct Compare<'a> {
    program: &'a Program,
    pending: Option<(Var, Option<Value>)>,
    compared: u64,
    seed: u64,
}

impl Compare<'_> {
    fn op(&self, step: Step) -> &Edge {
        &self.program.functions[step.func].body.as_ref().unwrap().edges[step.edge]
    }
}

impl Observer for Compare<'_> {
    const ENTRY_VALUES: bool = true;

    fn before(&mut self, state: &StateView<'_>, step: Step) {
        self.pending = None;
        assert_eq!((state.func(), state.depth()), (step.func, step.depth));
        let edge = self.op(step).clone();
        for guard in edge.guards.iter().filter(|g| self.program.ub.get(g.ub) != UbPolicy::Ignored) {
            // Reading freed or foreign memory is an event for the machine and a plain read here; both can be true.
            assert_ne!(state.eval(&guard.cond).map(Value::is_true), Some(false), "seed {}", self.seed);
        }
        match &edge.op {
            Op::Assume(cond) => {
                assert_ne!(state.eval(cond).map(Value::is_true), Some(false), "seed {} {step:?}", self.seed);
                self.compared += 1;
            }
            Op::Assign(place, e) => self.pending = place.as_var().map(|v| (v, state.eval(e))),
            _ => {}
        }
        for param in self.program.functions[step.func].params() {
            if state.read_entry(Var::Local(param)).is_none() {
                // Only what was never looked at has no value at entry.
                continue;
            }
            self.compared += 1;
        }
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        if let (Some((var, Some(expected))), Op::Assign(place, _)) = (self.pending.take(), &self.op(step).op)
            && self.program.shape(step.func, var) == Shape::Scalar(place.ty)
        {
            let found = state.read(var).expect("just written");
            assert_eq!(found.bits, expected.bits, "seed {} {step:?}", self.seed);
            self.compared += 1;
        }
    }
}

#[test]
fn predicates_are_evaluated_as_the_machine_computes() {
    let mut compared = 0;
    for (seed, program) in programs(600) {
        let mut observer = Compare { program: &program, pending: None, compared: 0, seed };
        run(&program, &mut RandomInputs::new(seed), &LIMITS, &mut observer);
        compared += observer.compared;
    }
    assert!(compared > 50_000, "only {compared} comparisons");
}

#[test]
fn entry_values_stay_what_they_were() {
    let text = "\
model LP64
externs any
entry main
global @g: i32 internal = { +0 = 3:i32 }
global @o: object(8, 4) internal = { +4 = 4:i32 }
func internal f(a: i32, b: i32) -> r {
  local r: i32
  locations 5 entry L0 exit L4
  e0: L0 -> L1: a := (a + 1:i32)
  e1: L1 -> L2: @g := (@g * 10:i32)
  e2: L2 -> L3: *[&@o + 4]:i32 := *[&b]:i32
  e3: L3 -> L4: return a
}
func external main() -> r {
  local r: i32
  locations 3 entry L0 exit L2
  e0: L0 -> L1: r := call f(7:i32, 8:i32)
  e1: L1 -> L2: return (r + @g)
}
";
    struct AtReturn<'a>(&'a Program, bool);
    impl Observer for AtReturn<'_> {
        const ENTRY_VALUES: bool = true;
        fn after(&mut self, state: &StateView<'_>, step: Step) {
            if step.edge.index() == 3 {
                let f = step.func;
                let holds = |text: &str| {
                    let at = base::Span::new(base::FileId::from_index(0), 0, 0);
                    let e = text::parse_expr(self.0, f, text, at).unwrap();
                    assert_eq!(validate::validate_predicate(self.0, f, &e), Ok(()));
                    state.eval(&e).map(Value::is_true)
                };
                assert_eq!(holds("a == 'a + 1 && @g == '(10:i32 * @g) && r == a"), Some(true));
                assert_eq!(holds("'*[&@o + 4]:i32 == 4 && *[&@o + 4]:i32 == 'b && 'b == 8"), Some(true));
                assert_eq!(holds("'@g == @g"), Some(false));
                self.1 = true;
            }
        }
        fn returned(&mut self, state: &StateView<'_>, step: Step) {
            assert_eq!((step.index, step.depth), (0, 0));
            assert_eq!(state.read(Var::Local(LocalId::from_index(0))).map(|v| v.bits), Some(8));
        }
    }
    let program = text::parse(file(), text).unwrap();
    let mut observer = AtReturn(&program, false);
    let execution = run(&program, &mut ZeroInputs, &LIMITS, &mut observer);
    assert!(matches!(execution.end, End::Exited(Some(v)) if v.bits == 38) && observer.1 && execution.drew_nothing);
}

#[test]
fn deep_recursion_is_limited_by_the_budget_only() {
    let text = "\
model LP64
entry main
func internal down(n: u64) -> r {
  local r: u64
  locations 5 entry L0 exit L4
  e0: L0 -> L1: skip
  e1: L1 -> L2: assume (n == 0:u64)
  e2: L1 -> L3: assume (n != 0:u64)
  e3: L2 -> L4: return 0:u64
  e4: L3 -> L2: r := call down((n - 1:u64))
}
func external main() {
  local r: u64
  locations 3 entry L0 exit L2
  e0: L0 -> L1: r := call down(N:u64)
  e1: L1 -> L2: return
}
";
    let end = |n: u64, limits: Limits| {
        let program = text::parse(file(), &text.replace('N', &n.to_string())).unwrap();
        run(&program, &mut ZeroInputs, &limits, &mut Unobserved).end
    };
    let limits = Limits { steps: 100_000_000, memory_bytes: 1 << 30, call_depth: 2_000_000 };
    assert_eq!(end(1_000_000, limits), End::Exited(None));
    let what = |end| match end {
        End::Limit(e) => e.what,
        end => panic!("{end:?}"),
    };
    assert_eq!(what(end(1_000_000, Limits { call_depth: 1000, ..limits })), "nested calls");
    assert_eq!(what(end(1_000_000, Limits { memory_bytes: 1 << 20, ..limits })), "bytes of memory");
    assert_eq!(what(end(1_000_000, Limits { steps: 1000, ..limits })), "interpreter steps");
}

/// What the depth limit lets through, all stages must survive on a thread with an ordinary stack.
#[test]
fn the_deepest_expressions_run() {
    let mut sum = Expr::int(Ty::int(32, true), 1);
    let mut not = Expr::bool(true);
    for _ in 1..text::MAX_EXPR_DEPTH {
        sum = Expr::binary(BinOp::Add, Expr::int(Ty::int(32, true), 1), sum);
        not = Expr::unary(UnOp::Not, not);
    }
    let frame = "model LP64\nentry main\nfunc external main() -> r {\n  local r: i32\n  locations 3 entry L0 exit L2\n  \
                 e0: L0 -> L1: skip\n  e1: L1 -> L2: return 0:i32\n}\n";
    let mut program = text::parse(file(), frame).unwrap();
    let main = program.entry;
    let body = program.functions[main].body.as_mut().unwrap();
    body.edges[EdgeId::from_index(0)].op = Op::Assume(not.negate());
    body.edges[EdgeId::from_index(1)].op = Op::Return(Some(sum));
    assert_eq!(validate::validate(&program), Ok(()));
    let program = text::parse(file(), &text::print(&program)).unwrap();
    let end = run(&program, &mut ZeroInputs, &LIMITS, &mut Unobserved).end;
    assert!(matches!(end, End::Exited(Some(v)) if v.bits == text::MAX_EXPR_DEPTH as u128), "{end:?}");
}

const OUTSIDE: &str = "\
model LP64
externs MODE
entry main
global @ext: i32 external = { +0 = 1:i32 }
global @int: i32 internal = { +0 = 2:i32 }
global @mem: object(4, 4) external = zero
func external g(p: ptr) -> r {
  local r: i32
}
func external main() -> r {
  local r: i32
  local a: i32
  local b: i32
  local hold: ptr
  locations 6 entry L0 exit L5
  e0: L0 -> L1: a := 5:i32
  e1: L1 -> L2: b := 6:i32
  e2: L2 -> L3: hold := &b
  e3: L3 -> L4: r := call g(&hold)
  e4: L4 -> L5: return (a + b)
}
";

/// Answers as told and lists what was asked.
struct Told(Vec<(&'static str, Answer)>, Vec<String>);

impl Inputs for Told {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let what = match &request.what {
            What::Writes { object, .. } => format!("writes {object}"),
            What::Value { from: InputCause::Global(_, g), .. } => {
                format!("global {}", request.program.globals[*g].name)
            }
            What::Value { from: InputCause::Result(_), .. } => "result".into(),
            What::Base { .. } => return Ok(Answer::Base(None)),
            other => format!("{other:?}"),
        };
        self.1.push(what.clone());
        match self.0.iter().find(|(w, _)| *w == what) {
            Some((_, answer)) => Ok(answer.clone()),
            None => ZeroInputs.answer(request),
        }
    }
}

#[test]
fn functions_without_body_do_what_the_mode_allows() {
    let asked = |mode: &str| {
        let program = text::parse(file(), &OUTSIDE.replace("MODE", mode)).unwrap();
        assert_eq!(validate::validate(&program), Ok(()));
        let mut inputs = Told(Vec::new(), Vec::new());
        let end = run(&program, &mut inputs, &LIMITS, &mut Unobserved).end;
        assert!(matches!(end, End::Exited(Some(v)) if v.bits == 11), "{end:?}");
        inputs.1
    };
    // Objects: 0 is @mem, then the locals in memory: 1 is `b`, 2 is `hold`. `a` is no object and out of reach.
    assert_eq!(asked("pure"), ["result"]);
    assert_eq!(asked("args"), ["writes 1", "writes 2", "result"]);
    assert_eq!(asked("any"), ["writes 0", "writes 1", "writes 2", "global ext", "result"]);

    let program = text::parse(file(), &OUTSIDE.replace("MODE", "args")).unwrap();
    let run_told = |told| run(&program, &mut Told(told, Vec::new()), &LIMITS, &mut Unobserved);
    let patch = Answer::Writes(vec![Patch { offset: 0, data: PatchData::Bytes(vec![100, 0]) }]);
    let execution = run_told(vec![("writes 1", patch)]);
    assert!(matches!(execution.end, End::Exited(Some(v)) if v.bits == 105), "{:?}", execution.end);
    let text = execution.tape.print(&program);
    assert_eq!(
        text,
        "main e3: writes object#1 = { +0 = bytes x6400 }\nmain e3: writes object#2 = unchanged\nmain e3: result i32 = 0\n"
    );
    assert_eq!(Tape::parse(&program, file(), &text), Ok(execution.tape));
    for bad in [
        Answer::Writes(vec![Patch { offset: 6, data: PatchData::Bytes(vec![0; 3]) }]),
        Answer::Writes(vec![Patch { offset: 0, data: PatchData::Pointer(Pointer::Object { object: 0, offset: 0 }) }]),
        Answer::Fails(true),
    ] {
        let end = run_told(vec![("writes 2", bad)]).end;
        assert!(matches!(end, End::BadInput { why: InputError::Invalid(_), .. }), "{end:?}");
    }
}

#[test]
fn bad_tape_text_is_a_message() {
    let program = text::parse(file(), &OUTSIDE.replace("MODE", "any")).unwrap();
    let good = "start: uninit bool = true // a comment\nmain e3: global @ext i32 = -1\nmain e3: global @ext = unchanged\n\
                main e0: malloc = fails\nmain e0: nondet ptr = object#3+-8\nmain e0: outside ptr = ext+16\n\
                main e0: nondet ptr = raw 0x10\nmain e0: nondet ptr = NULL\nmain e0: base object#1 = 0x2000\n\
                main e0: nondet f64 = 0x3ff0000000000000\nmain e0: uninit bytes = x00ff\n\
                main e0: writes object#2 = { +0 = bytes x; +8 = ext+0 }\nmain e0: nondet u128 = 340282366920938463463374607431768211455\n";
    let tape = Tape::parse(&program, file(), good).unwrap_or_else(|d| panic!("{d:?}"));
    assert_eq!(tape.print(&program), good.replace(" // a comment", ""));
    for bad in [
        "main: nondet i32 = 1",
        "nobody e0: nondet i32 = 1",
        "main e99: nondet i32 = 1",
        "main e0: nondet i32 = 2147483648",
        "main e0: nondet u8 = -1",
        "main e0: nondet i8 = --1",
        "main e0: nondet i32 = 1 2",
        "main e0: nondet ptr = 5",
        "main e0: nondet bytes = x0",
        "main e0: malloc = maybe",
        "main e0: writes object#1 = { +0 = 5 }",
        "main e0: global @nope i32 = 1",
        "main e0: sometimes i32 = 1",
        "main e0 nondet",
        "\"",
    ] {
        assert!(Tape::parse(&program, file(), bad).is_err(), "{bad}");
    }
    let mut rng = Rng::new(4);
    for _ in 0..3000 {
        let mut bytes: Vec<char> = good.chars().collect();
        let at = rng.index(bytes.len());
        match rng.below(3) {
            0 => drop(bytes.remove(at)),
            1 => bytes.insert(at, *rng.pick(&['#', '+', '-', '9', 'x', '\n', ':', '{', 'é'])),
            _ => {
                let other = rng.index(bytes.len());
                bytes.swap(at, other);
            }
        }
        let text: String = bytes.into_iter().collect();
        if let Ok(tape) = Tape::parse(&program, file(), &text) {
            let printed = tape.print(&program);
            assert_eq!(Tape::parse(&program, file(), &printed).as_ref(), Ok(&tape), "{printed}");
        }
    }
}
