//! Memory in the interpreter: events by name, provenance, symbols for bytes that were never written, layout.

use base::Id;
use ir::interp::*;
use ir::*;

/// A program whose `main` has the variables below and does these steps one after the other; without `return` at the end
/// one is added. Its result is `i32`.
fn program(head: &str, steps: &[&str]) -> Program {
    let mut text = format!("entry main\n{head}\nfunc external main() -> r {{\n");
    for local in
        ["r: i32", "x: i32", "y: i32", "c: u8", "n: u64", "p: ptr", "q: ptr", "a: object(8, 4)", "b: object(16, 8)"]
    {
        text += &format!("  local {local}\n");
    }
    let mut steps = steps.to_vec();
    if !steps.last().is_some_and(|s| s.starts_with("return")) {
        steps.push("return 0:i32");
    }
    let n = steps.len();
    text += &format!("  locations {} entry L0 exit L{n}\n", n + 1);
    for (i, step) in steps.iter().enumerate() {
        text += &format!("  e{i}: L{i} -> L{}: {step}\n", i + 1);
    }
    text += "}\n";
    let program = text::parse(base::FileId::from_index(0), &text).unwrap_or_else(|d| panic!("{d:?}\n{text}"));
    assert_eq!(validate::validate(&program), Ok(()), "{text}");
    program
}

fn run_with(program: &Program, inputs: &mut dyn Inputs) -> Execution {
    run(program, inputs, &Limits::default(), &mut Unobserved)
}

const LP64: &str = "model LP64\nsite site0 \"malloc\"\nsite site1 \"alloca\"";

/// The event that the steps end in.
fn event(steps: &[&str]) -> Ub {
    match run_with(&program(LP64, steps), &mut ZeroInputs).end {
        End::Ub { ub, policy: UbPolicy::AssumedAway, .. } => ub,
        end => panic!("{end:?}"),
    }
}

/// The result of a run that goes well, and whether it drew nothing.
fn result(head: &str, steps: &[&str]) -> (i128, bool) {
    let execution = run_with(&program(head, steps), &mut ZeroInputs);
    match execution.end {
        End::Exited(Some(v)) => (IntTy { width: 32, signed: true }.extend(v.bits), execution.drew_nothing),
        end => panic!("{end:?}"),
    }
}

fn closed(steps: &[&str]) -> i128 {
    let (value, drew_nothing) = result(LP64, steps);
    assert!(drew_nothing, "this run depends on nothing");
    value
}

const MALLOC: &str = "p := alloc(8:u64) align 8 site0";

#[test]
fn every_kind_of_bad_access_is_named() {
    assert_eq!(event(&["p := null", "x := *[p]:i32"]), Ub::NullDeref);
    assert_eq!(event(&["p := null", "*[p + 8]:i32 := 1:i32"]), Ub::NullDeref);
    assert_eq!(event(&["x := *[&a + 8]:i32"]), Ub::OutOfBounds);
    assert_eq!(event(&["x := *[&a + 5]:i32"]), Ub::OutOfBounds);
    assert_eq!(event(&["x := *[&a + -1]:i32"]), Ub::OutOfBounds);
    assert_eq!(event(&["n := 2:u64", "*[&a + 4*i64(n)]:i32 := 0:i32"]), Ub::OutOfBounds);
    assert_eq!(event(&[MALLOC, "x := *[p + 8]:i32"]), Ub::OutOfBounds);
    assert_eq!(event(&["p := &fn main", "x := *[p]:i32"]), Ub::OutOfBounds);
    assert_eq!(event(&[MALLOC, "free p", "x := *[p]:i32"]), Ub::UseAfterFree);
    assert_eq!(event(&[MALLOC, "free p", "free p"]), Ub::BadFree);
    assert_eq!(event(&[MALLOC, "free &[p + 4]"]), Ub::BadFree);
    assert_eq!(event(&["free &a"]), Ub::BadFree);
    assert_eq!(event(&["p := alloc(8:u64) align 8 stack site1", "free p"]), Ub::BadFree);
    assert_eq!(event(&["p := null", "call [p]()"]), Ub::BadCall);
    assert_eq!(event(&["p := &a", "call [p]()"]), Ub::BadCall);
    assert_eq!(event(&["call [&fn main](1:i32)"]), Ub::BadCall);
    assert_eq!(event(&["p := call [&fn main]()"]), Ub::BadCall);
    assert_eq!(event(&["set &a, 0:u8, 9:u64"]), Ub::OutOfBounds);
    assert_eq!(event(&["copy &b, &a, 9:u64"]), Ub::OutOfBounds);
    assert_eq!(event(&["copy &a, &b, 9:u64"]), Ub::OutOfBounds);
    assert_eq!(event(&["range(&a, 9:u64) := havoc uninit"]), Ub::OutOfBounds);
    assert_eq!(event(&["p := ptr(4:u64)", "x := *[p]:i32"]), Ub::NullDeref);
    for ub in Ub::ALL {
        let guard = format!("[{}: (x == 1:i32)] y := 2:i32", ub.name());
        let expected = if ub == Ub::SignedOverflow { None } else { Some(ub) };
        let end = run_with(&program(LP64, &["x := 0:i32", &guard]), &mut ZeroInputs).end;
        match expected {
            Some(ub) => assert!(matches!(end, End::Ub { ub: u, .. } if u == ub), "{end:?}"),
            None => assert!(matches!(end, End::Exited(_)), "{end:?}"),
        }
    }
}

#[test]
fn writing_a_constant_is_an_event() {
    for global in ["global @k: i32 internal const = { +0 = 1:i32 }", "global @k: object(4, 4) internal const = zero"] {
        let head = format!("{LP64}\n{global}");
        let place = if global.contains("object") { "*[&@k]:i32" } else { "@k" };
        let write = format!("{place} := 2:i32");
        let end = run_with(&program(&head, &[&write]), &mut ZeroInputs).end;
        assert!(matches!(end, End::Ub { ub: Ub::ConstWrite, .. }), "{end:?}");
        let read = format!("return {place}");
        let ignored = format!("{head}\nub const-write ignored");
        let value = result(&ignored, &[&write, &read]).0;
        assert_eq!(value, 2);
    }
}

#[test]
fn a_local_dies_with_its_activation() {
    let text = "\
model LP64
entry main
func internal f() -> r {
  local r: ptr
  local v: i32
  locations 3 entry L0 exit L2
  e0: L0 -> L1: v := 5:i32
  e1: L1 -> L2: return &v
}
func external main() {
  local p: ptr
  local x: i32
  locations 4 entry L0 exit L3
  e0: L0 -> L1: p := call f()
  e1: L1 -> L2: x := *[p]:i32
  e2: L2 -> L3: return
}
";
    let p = text::parse(base::FileId::from_index(0), text).unwrap();
    let end = run_with(&p, &mut ZeroInputs).end;
    assert!(matches!(end, End::Ub { ub: Ub::UseAfterFree, .. }), "{end:?}");
}

#[test]
fn the_lifetime_of_a_local_is_from_its_begin_to_its_end() {
    // `b` is begun by the first operation that begins it: it has no lifetime before.
    assert_eq!(event(&["begin b", "p := &b", "end b", "x := *[p]:i32"]), Ub::UseAfterFree);
    assert_eq!(event(&["begin b", "p := &b", "end b", "begin b", "*[p]:i32 := 1:i32"]), Ub::UseAfterFree);
    assert_eq!(closed(&["begin b", "p := &b", "*[p]:i32 := 7:i32", "x := *[&b]:i32", "end b", "return x"]), 7);
    // each lifetime is a new object at a new address.
    assert_eq!(closed(&["begin b", "p := &b", "end b", "begin b", "return i32((p == &b))"]), 0);
    // What was written in an earlier lifetime is gone.
    let again = ["begin b", "*[&b]:i32 := 7:i32", "end b", "begin b", "return *[&b]:i32"];
    assert!(!result("", &again).1, "the new contents are arbitrary");
    // A pointer that ends does not take along what it points to.
    assert_eq!(closed(&["*[&a]:i32 := 7:i32", "begin q", "q := &a", "end q", "return *[&a]:i32"]), 7);
    // A stack allocation ends by its release.
    let alloc = "p := alloc(4:u64) align 4 stack site0";
    assert_eq!(event(&[alloc, "release p", "x := *[p]:i32"]), Ub::UseAfterFree);
    assert_eq!(event(&[alloc, "release p", "release p"]), Ub::BadFree);
    assert_eq!(event(&["p := &a", "release p"]), Ub::BadFree);
    assert_eq!(closed(&["p := null", "release p", "return 3:i32"]), 3);
}

#[test]
fn ignored_events_go_by_address() {
    // The object behind `a` is not adjacent: the byte one past its end belongs to the outside, and is drawn.
    let head = format!("{LP64}\nub out-of-bounds ignored");
    let (value, drew_nothing) = result(&head, &["x := *[&a + 8]:i32", "return x"]);
    assert_eq!((value, drew_nothing), (0, false));
    // What was written outside is read back.
    let (value, _) = result(&head, &["*[&a + 8]:i32 := 7:i32", "return *[&a + 8]:i32"]);
    assert_eq!(value, 7);
    // A jump from one object into another, by the distance of their addresses.
    let steps = ["*[&b]:i32 := 9:i32", "n := (u64(&b) - u64(&a))", "return *[&a + 1*i64(n)]:i32"];
    assert_eq!(result(&head, &steps).0, 9);
    assert_eq!(event(&steps), Ub::OutOfBounds, "the address is right, the provenance is not");
}

#[test]
fn little_endian_bytes_and_bit_fields() {
    assert_eq!(closed(&["*[&a]:u32 := 0x11223344:u32", "return i32(*[&a + 1]:u8)"]), 0x33);
    assert_eq!(closed(&["*[&a]:u32 := 0xffffffff:u32", "return i32(*[&a]:i16)"]), -1);
    let field = ["*[&a]:u32 := 0xffffffff:u32", "*[&a]:u32#4+8 := 0x1ab:u32", "return i32(*[&a]:u32)"];
    assert_eq!(closed(&field), 0xffff_fabf_u32 as i32 as i128);
    assert_eq!(closed(&["*[&a]:i32 := 0x70:i32", "return *[&a]:i32#4+3"]), -1, "a signed field extends its sign");
    assert_eq!(closed(&["*[&a]:u32 := 0x70:u32", "return i32(*[&a]:u32#4+3)"]), 7);
    assert_eq!(closed(&["*[&a]:u8 := 2:u8", "return i32(*[&a]:bool)"]), 1, "any byte but 0 is true");
    assert_eq!(closed(&["*[&a]:bool := true", "return i32(*[&a]:u8)"]), 1);
    // A scalar variable read in part lives in memory and stays the same variable.
    assert_eq!(closed(&["x := 0x01020304:i32", "*[&x + 3]:u8 := 0:u8", "return x"]), 0x0002_0304);
    assert_eq!(closed(&["set &a, 1:u8, 4:u64", "return *[&a]:i32"]), 0x0101_0101);
}

#[test]
fn ranges_copy_as_if_through_a_buffer() {
    let steps = ["*[&b]:u32 := 0x04030201:u32", "copy &[&b + 1], &b, 4:u64", "return *[&b + 1]:i32"];
    assert_eq!(closed(&steps), 0x0403_0201);
    assert_eq!(closed(&["copy null, null, 0:u64", "set null, 0:u8, 0:u64", "return 3:i32"]), 3, "nothing is accessed");
}

#[test]
fn pointers_keep_their_provenance_in_memory() {
    let stored = ["*[&a]:i32 := 42:i32", "*[&b]:ptr := &a"];
    let plain = [&stored[..], &["return *[*[&b]:ptr]:i32"]].concat();
    assert_eq!(closed(&plain), 42);
    let copied = [&stored[..], &["copy &[&b + 8], &b, 8:u64", "return *[*[&b + 8]:ptr]:i32"]].concat();
    assert_eq!(closed(&copied), 42);
    // Byte by byte through integers: the address is exposed, the pointer finds its object again.
    let mut bytewise: Vec<String> = stored.iter().map(ToString::to_string).collect();
    for i in 0..8 {
        bytewise.push(format!("c := *[&b + {i}]:u8"));
        bytewise.push(format!("*[&b + {}]:u8 := c", 8 + i));
    }
    bytewise.push("return *[*[&b + 8]:ptr]:i32".into());
    let steps: Vec<&str> = bytewise.iter().map(String::as_str).collect();
    assert_eq!(result(LP64, &steps), (42, false), "numbers made of addresses depend on the layout");
    // Through an integer and back.
    let cast = ["*[&a + 4]:i32 := 6:i32", "n := u64(&a)", "p := ptr((n + 4:u64))", "return *[p]:i32"];
    assert_eq!(result(LP64, &cast), (6, false));
    // A number that was never an address gives no right to an object.
    let guessed = ["n := 0x555555550000:u64", "n := (n + 65536:u64)", "p := ptr(n)", "x := *[p]:i32"];
    assert_eq!(event(&guessed), Ub::OutOfBounds, "the first object lies there, but nobody asked for its address");
}

#[test]
fn comparisons_of_pointers_and_the_layout() {
    assert_eq!(closed(&["return i32((&a == &b))"]), 0);
    assert_eq!(closed(&["return i32((&a == null))"]), 0);
    assert_eq!(closed(&["return i32((&[&a + 4] < &[&a + 8]))"]), 1);
    assert_eq!(closed(&["return i32((&fn main == &a))"]), 0);
    assert_eq!(closed(&["p := &a", "return i32(bool(p))"]), 1);
    for depends in ["(&a < &b)", "(&[&a + 8] == &b)", "(&a == ptr(77:u64))", "(u64(&a) == 0:u64)"] {
        let ret = format!("return i32({depends})");
        assert!(!result(LP64, &[&ret]).1, "{depends} depends on where objects lie");
    }
}

#[test]
fn object_predicates() {
    let holds = |before: &[&str], q: &str| {
        let ret = format!("return i32({q})");
        let mut steps = before.to_vec();
        steps.push(&ret);
        result(LP64, &steps).0 == 1
    };
    assert!(holds(&[], "inbounds(&[&a + 4], 4)") && !holds(&[], "inbounds(&[&a + 5], 4)"));
    assert!(holds(&[], "inbounds(&[&a + 8], 0)") && !holds(&[], "inbounds(&[&a + 9], 0)"));
    assert!(!holds(&[], "inbounds(&[&a + -1], 1)") && !holds(&[], "inbounds(null, 1)"));
    assert!(holds(&[MALLOC], "alive(p)") && !holds(&[MALLOC, "free p"], "alive(p)") && !holds(&[], "alive(null)"));
    assert!(holds(&[MALLOC, "free p"], "inbounds(p, 8)"), "bounds outlive the object");
    assert!(holds(&[MALLOC], "freeable(p)") && holds(&[], "freeable(null)") && !holds(&[], "freeable(&a)"));
    assert!(!holds(&[MALLOC], "freeable(&[p + 1])") && !holds(&[MALLOC, "free p"], "freeable(p)"));
    assert!(
        holds(&[], "callable(&fn main, 0)") && !holds(&[], "callable(&fn main, 1)") && !holds(&[], "callable(&a, 0)")
    );
}

/// Counts requests and answers each value with the next number.
#[derive(Default)]
struct Counting {
    asked: Vec<String>,
}

impl Inputs for Counting {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        if !matches!(request.what, What::Base { .. }) {
            self.asked.push(format!("{:?}", request.what));
        }
        let n = self.asked.len() as u128;
        match request.what {
            What::Value { ty: Ty::Ptr, .. } => Ok(Answer::Value(Input::Pointer(Pointer::Ext(16)))),
            What::Value { .. } => Ok(Answer::Value(Input::Bits(n))),
            What::Bytes { len, .. } => Ok(Answer::Bytes(vec![n as u8; len as usize])),
            _ => ZeroInputs.answer(request),
        }
    }
}

fn counted(steps: &[&str]) -> (i128, usize) {
    let mut inputs = Counting::default();
    match run_with(&program(LP64, steps), &mut inputs).end {
        End::Exited(Some(v)) => (IntTy { width: 32, signed: true }.extend(v.bits), inputs.asked.len()),
        end => panic!("{end:?}"),
    }
}

/// Answers every question for a pointer with this one.
struct Given(Pointer);

impl Inputs for Given {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        match request.what {
            What::Value { ty: Ty::Ptr, .. } => Ok(Answer::Value(Input::Pointer(self.0))),
            _ => ZeroInputs.answer(request),
        }
    }
}

#[test]
fn functions_of_the_outside() {
    let main = program(LP64, &[]);
    let function = function_address(&main, main.entry);
    let foreign = |pointer, before: &[&str]| {
        let mut steps = vec!["p := havoc nondet \"in\""];
        steps.extend(before);
        steps.push("return i32(foreign(p))");
        match run_with(&program(LP64, &steps), &mut Given(pointer)).end {
            End::Exited(Some(v)) => v.bits == 1,
            end => panic!("{end:?}"),
        }
    };
    assert!(foreign(Pointer::Ext(16), &[]) && foreign(Pointer::Raw(0x10_0000), &[]));
    assert!(foreign(Pointer::Ext(16), &["*[&b]:ptr := p", "p := *[&b]:ptr"]), "through memory");
    assert!(!foreign(Pointer::Null, &[]) && !foreign(Pointer::Raw(8), &[]));
    assert!(!foreign(Pointer::Raw(function), &[]), "a function of the program");
    assert!(!foreign(Pointer::Ext(16), &["p := &a"]) && !foreign(Pointer::Ext(16), &["p := &fn main"]));
    assert!(!foreign(Pointer::Ext(16), &["p := ptr(1048576:u64)"]), "a number");
    assert!(!foreign(Pointer::Ext(16), &["n := u64(p)", "p := ptr(n)"]), "what became a number stays one");
    assert!(!foreign(Pointer::Ext(16), &["p := &[null + 1048576]"]), "null, moved");
    // A call through a pointer that is left in a program runs none.
    let call = program(LP64, &["p := havoc nondet \"in\"", "call [p]()"]);
    let end = run_with(&call, &mut Given(Pointer::Ext(16))).end;
    assert!(matches!(end, End::Ub { ub: Ub::BadCall, .. }), "{end:?}");
}

#[test]
fn arbitrary_bytes_are_drawn_once_and_stay() {
    assert_eq!(counted(&["x := havoc uninit", "x := 5:i32", "return x"]), (5, 0), "nobody looked");
    assert_eq!(counted(&["return (x - x)"]), (0, 1), "one value, twice read");
    assert_eq!(counted(&["x := havoc uninit", "y := x", "x := havoc uninit", "return ((y * 16:i32) + x)"]), (18, 2));
    assert_eq!(counted(&["return (*[&a]:i32 - *[&a]:i32)"]), (0, 1));
    // Copies of bytes that were never written are equal to the original, whichever is looked at first.
    let copy = ["copy &b, &a, 8:u64", "return (*[&b + 4]:i32 - *[&a + 4]:i32)"];
    assert_eq!(counted(&copy), (0, 1));
    // A value that is only partly unwritten: the missing bytes are drawn.
    let part = ["*[&a]:u8 := 0x7f:u8", "return i32(*[&a]:u16)"];
    assert_eq!(counted(&part), (0x017f, 1));
    assert_eq!(counted(&[MALLOC, "return *[p]:i32"]), (1, 1));
    assert_eq!(counted(&["p := alloc(8:u64) align 8 zeroed site0", "return *[p]:i32"]), (0, 0));
    assert_eq!(counted(&["range(&a, 4:u64) := havoc nondet \"in\"", "return *[&a]:i32"]), (0x0101_0101, 1));
    assert_eq!(counted(&["p := alloc(8:u64) align 8 fallible site0", "return 0:i32"]).1, 1);
}

#[test]
fn the_outside_has_contents() {
    let steps = ["p := havoc nondet \"in\"", "*[p + 4]:i32 := 9:i32", "return (*[p + 4]:i32 + *[p]:i32)"];
    assert_eq!(counted(&steps), (11, 2), "the pointer and one word are drawn");
    assert_eq!(counted(&["p := havoc nondet \"in\"", "free p", "return 1:i32"]), (1, 1), "free of the outside");
}

#[test]
fn layout_is_aligned_and_fits_the_data_model() {
    for (model, limit) in [("ILP32", u128::from(u32::MAX)), ("LP64", 1 << 47)] {
        let head = format!("model {model}\nsite site0 \"m\"");
        let size = if model == "ILP32" { "u32" } else { "u64" };
        let alloc = format!("p := alloc(100:{size}) align 64 site0");
        let program = program(&head, &[&alloc, "x := i32(u64(p))", "return x"]);
        let execution = run_with(&program, &mut ZeroInputs);
        let End::Exited(Some(v)) = execution.end else { panic!("{:?}", execution.end) };
        assert!(v.bits % 64 == 0 && v.bits < limit && v.bits > 0x1000);
    }
}

/// Chooses the base of every object.
struct Bases(u64, u64);

impl Inputs for Bases {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        match request.what {
            What::Base { .. } => {
                self.0 += self.1;
                Ok(Answer::Base(Some(self.0)))
            }
            _ => ZeroInputs.answer(request),
        }
    }
}

#[test]
fn inputs_may_choose_where_objects_lie() {
    let p = program(LP64, &["return i32(u64(&a))"]);
    let execution = run_with(&p, &mut Bases(0x7000, 0x1000));
    assert!(matches!(execution.end, End::Exited(Some(v)) if v.bits == 0x8000), "{:?}", execution.end);
    assert_eq!(execution.tape.entries.len(), 2, "`a` and `b` are objects: {:?}", execution.tape);
    let replayed = run_with(&p, &mut execution.tape.inputs());
    assert_eq!(replayed, execution);
    for (start, step) in [(0, 0), (0x8001, 0), (u64::MAX - 3, 0)] {
        let end = run_with(&p, &mut Bases(start, step)).end;
        assert!(matches!(end, End::BadInput { why: InputError::Invalid(_), .. }), "{start:#x}: {end:?}");
    }
}
