//! Damaged texts: what the reader does with anything that looks like a boolean program.
//!
//! Texts of all dialects are cut, joined and sprinkled with tokens. Whatever comes of it, the reader does not panic; its
//! messages have places inside the text; and what it accepts is valid, prints as a text that reads back as the same program,
//! and can be written in every other form.

use super::random::random_programs;
use crate::{Dialect, Program, convert, parse, print, validate};
use base::rng::Rng;
use base::{Diagnostic, SourceMap, Span};

/// Texts in notations that no printer writes.
const NOTATIONS: &[&str] = &[
    "bool {g==0};\nbool<2> bar(bool {*q<=y}, {y>=0}) {\n  bool {y==l1};\n  {y==l1} = unknown();\n  return {*q<=y}, {y==l1};\n}\n\
     void main() {\n  bool {x==0}, t;\n  while (*) {\n    {x==0}, t = choose({x==0}, !t), T;\n    if ({x==0} == t) { {x==0} = F; } \
     else { goto L; }\n  }\n  {x==0}, t = bar({x==0}, *);\n  L: assume({g==0});\n}\n",
    "x, y : bool;\nvoid main()\nbegin\n  z : bool;\n[1] x := ?;\n[2] if (x) then [3] skip; else [4] skip; fi\n[5];\nend\n",
    "decl p1, p2;\nvoid main() begin p1, p2 := (p1 | p2) ? F : *, !p2 constrain (p1' => p2); end\n",
    "decl s := *, t := 1;\nvoid main() begin decl l := 0;\n0: goto 2, 1;\n1: skip;\n2: assert(t); end\n",
    "decl a, b;\ndfs bool<2> f(c)\nbegin\n  enforce a => b; abortif c;\n  print(a, b); dead a;\n  return (c, !c);\nend;\n\
     void main() begin\n  do a, b := f(T); while (a <> b)\n  if a -> b then skip; elsif a ^ b then L: M: skip else goto L fi;\n  \
     /* text */ a := H(0, b); // more\nend\n",
];

const TOKENS: &[&str] = &[
    "{",
    "}",
    "'",
    "\"",
    "begin",
    "end",
    "if",
    "then",
    "else",
    "elsif",
    "fi",
    "while",
    "do",
    "od",
    "(",
    ")",
    ";",
    ":=",
    ":",
    "?",
    "*",
    "[",
    "]",
    "<",
    ">",
    "=",
    "!=",
    "=>",
    "&",
    "|",
    "!",
    "^",
    "~",
    ",",
    "\u{e9}",
    "0",
    "1",
    "2",
    "T",
    "F",
    "_",
    "schoose[",
    "choose(",
    "decl ",
    "bool ",
    "void ",
    "bool<2> ",
    "goto ",
    "return ",
    "assume(",
    "assert(",
    "constrain ",
    "enforce ",
    "abortif ",
    "dead ",
    "print(",
    "skip",
    "main",
    "x",
    "g0",
    "//",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "$",
    "#",
    "-",
    "start_thread ",
    "sync ",
    "{x == 0}",
    "L:",
    "[7]",
    "ASYNC_1:",
    "\u{feff}",
    "\\",
];

/// Reads damaged texts made from `seed`; the error shows a text for which the reader broke its promises.
pub fn damaged_programs(seed: u64, n: usize) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let programs: Vec<Program> = random_programs(rng.below(u64::MAX), 4).collect();
    let mut seeds: Vec<String> = NOTATIONS.iter().map(|t| (*t).to_owned()).collect();
    for p in &programs {
        seeds.extend([print(p), convert::slam(p), convert::satabs(p), convert::moped(p)]);
    }
    for _ in 0..n {
        let text = damage(&mut rng, &seeds);
        for dialect in [Dialect::Bebop, Dialect::Boppo] {
            check(&text, dialect).map_err(|why| format!("{why}, {dialect:?}:\n{text}"))?;
        }
    }
    Ok(())
}

fn damage(rng: &mut Rng, seeds: &[String]) -> String {
    if rng.chance(5) {
        // Nothing but tokens.
        return (0..rng.index(80)).map(|_| format!("{} ", rng.pick(TOKENS))).collect();
    }
    let mut text: Vec<char> = rng.pick(seeds).chars().collect();
    for _ in 0..1 + rng.below(5) {
        if text.is_empty() {
            text.push('x');
        }
        let at = rng.index(text.len());
        let end = (at + 1 + rng.index(20)).min(text.len());
        match rng.below(5) {
            0 => drop(text.drain(at..end)),
            1 => drop(text.splice(at..at, rng.pick(TOKENS).chars())),
            2 => drop(text.splice(at..end, rng.pick(TOKENS).chars())),
            3 => {
                let other: Vec<char> = rng.pick(seeds).chars().collect();
                let from = rng.index(other.len());
                let piece = &other[from..(from + 1 + rng.index(60)).min(other.len())];
                text.splice(at..at, piece.iter().copied());
            }
            _ => text.swap(at, end - 1),
        }
    }
    text.into_iter().collect()
}

fn read(text: &str, dialect: Dialect) -> Result<Program, Vec<Diagnostic>> {
    let mut map = SourceMap::new();
    let file = map.add("text.bp", text);
    parse(&map, Span::new(file, 0, text.len() as u32), dialect)
}

/// Whether the reader keeps its promises about `text`.
fn check(text: &str, dialect: Dialect) -> Result<(), String> {
    let program = match read(text, dialect) {
        Ok(program) => program,
        Err(errors) if errors.is_empty() => return Err("refused without a message".to_owned()),
        Err(errors) => return errors.iter().try_for_each(|e| placed(text, e)),
    };
    if let Some(broken) = validate(&program).first() {
        return Err(format!("accepted, but not valid: {}", broken.message));
    }
    let printed = print(&program);
    match read(&printed, Dialect::Bebop) {
        Ok(again) if again == program => {}
        Ok(_) => return Err(format!("prints as another program:\n{printed}\nof")),
        Err(e) => return Err(format!("{} in what it prints as:\n{printed}\nof", e[0].message)),
    }
    let forms = [
        (convert::slam(&program), Dialect::Bebop),
        (convert::satabs(&program), Dialect::Boppo),
        (convert::moped(&program), Dialect::Bebop),
    ];
    for (form, dialect) in forms {
        if let Err(e) = read(&form, dialect) {
            return Err(format!("{} in another form of it:\n{form}\nof", e[0].message));
        }
    }
    Ok(())
}

/// Every message about a text has a place in it.
fn placed(text: &str, e: &Diagnostic) -> Result<(), String> {
    let spans = e.span.into_iter().chain(e.notes.iter().filter_map(|n| n.span));
    let inside = |s: Span| text.get(s.lo as usize..s.hi as usize).is_some();
    if e.span.is_none() || !spans.into_iter().all(inside) {
        return Err(format!("the message `{}` has no place in the text", e.message));
    }
    Ok(())
}
