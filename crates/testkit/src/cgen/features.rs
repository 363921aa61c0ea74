//! The constructs a generated program can contain, and the table of how many programs contain each.
//!
//! A generator that never makes a construct tests nothing of it, silently. Each place that makes one marks it, and the
//! tests hold every share against a lower bound.

use std::collections::BTreeSet;
use std::fmt;

macro_rules! features {
    ($($variant:ident = $name:literal),+ $(,)?) => {
        /// One construct of C.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the printed name beside each variant is its description")]
        pub enum Feature { $($variant),+ }

        /// All constructs, in the order of the table.
        pub const ALL_FEATURES: &[Feature] = &[$(Feature::$variant),+];

        impl fmt::Display for Feature {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Feature::$variant => $name),+ })
            }
        }
    };
}

features! {
    TypeBool = "type _Bool", TypeChar = "type char", TypeSChar = "type signed char", TypeUChar = "type unsigned char",
    TypeShort = "type short", TypeUShort = "type unsigned short", TypeInt = "type int", TypeUInt = "type unsigned",
    TypeLong = "type long", TypeULong = "type unsigned long", TypeLLong = "type long long",
    TypeULLong = "type unsigned long long", TypeEnum = "type enum", TypeTypedef = "type by typedef name",
    TypeOddSpelling = "type, unusual spelling",
    LiteralDecimal = "literal decimal", LiteralHex = "literal hex", LiteralOctal = "literal octal",
    LiteralSuffix = "literal suffix", LiteralChar = "literal char", LiteralWide = "literal beyond int",
    EnumConstant = "enum constant",
    Add = "a + b", Sub = "a - b", Mul = "a * b", Div = "a / b", Rem = "a % b", BitAnd = "a & b", BitOr = "a | b",
    BitXor = "a ^ b", Shl = "a << b", Shr = "a >> b", Relational = "a < b", Equality = "a == b", LogAnd = "a && b",
    LogOr = "a || b", LogNot = "!a", BitNot = "~a", Neg = "-a", Plus = "+a", Ternary = "a ? b : c", Comma = "a, b",
    Cast = "(T)a", SizeofType = "sizeof(T)", SizeofExpr = "sizeof a", MixedSign = "mixed-sign operands",
    AssignExpr = "assignment inside an expression", Compound = "a op= b", PreInc = "++a / --a", PostInc = "a++ / a--",
    EffectInOperand = "side effect in an operand", EffectBehindShortCircuit = "side effect behind && || ?:",
    CallExpr = "call in an expression", CallStmt = "call statement", CallVoid = "call of a void function",
    ArgConversion = "argument conversion", Recursion = "recursion", MutualRecursion = "mutual recursion",
    PureFunction = "function without global effect", If = "if", Else = "if else", DanglingElse = "if if else, no braces",
    While = "while", DoWhile = "do while", For = "for", ForDecl = "for with declaration", ForComma = "for with two counters",
    ForEver = "for (;;)", NestedLoop = "nested loop", Break = "break", Continue = "continue", Switch = "switch",
    Fallthrough = "switch fallthrough", DefaultInMiddle = "switch default in the middle", NoDefault = "switch without default",
    NegativeCase = "switch negative label", WideSwitch = "switch over 64 bits", SwitchIntoLoop = "switch into a loop",
    GotoForward = "goto forward", GotoBackward = "goto backward", GotoOutOfLoop = "goto out of loops",
    GotoIntoLoop = "goto into a loop", EmptyStmt = "empty statement", Block = "block", Shadow = "shadowing",
    Return = "early return", VoidReturn = "return without value", LateInit = "declaration without initialiser",
    MultiDecl = "several declarators", ConstLocal = "const local", VolatileVar = "volatile variable",
    StaticLocal = "static local", GlobalInit = "global with initialiser", GlobalConstExpr = "global constant expression",
    GlobalTentative = "global tentative definition", GlobalStatic = "static global", NoReturnInMain = "main without return",
    Exit = "exit", Abort = "abort", LocalTypedef = "local typedef", LocalEnum = "local enum",
    Nondet = "input", Assume = "assume", Check = "check",
}

/// How many of a set of programs contain each construct.
pub struct Coverage {
    counts: Vec<(Feature, usize)>,
    programs: usize,
}

impl Coverage {
    /// Counts over the features of each program.
    pub fn of<'a>(programs: impl IntoIterator<Item = &'a BTreeSet<Feature>>) -> Coverage {
        let mut counts: Vec<(Feature, usize)> = ALL_FEATURES.iter().map(|&f| (f, 0)).collect();
        let mut n = 0;
        for features in programs {
            n += 1;
            for (f, c) in &mut counts {
                *c += usize::from(features.contains(f));
            }
        }
        Coverage { counts, programs: n }
    }

    /// The share of programs with this construct, in percent.
    pub fn percent(&self, feature: Feature) -> f64 {
        let count = self.counts.iter().find(|(f, _)| *f == feature).map_or(0, |(_, c)| *c);
        100.0 * count as f64 / self.programs.max(1) as f64
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>7}  construct ({} programs)", "share", self.programs)?;
        for (feature, _) in &self.counts {
            writeln!(f, "{:>6.1}%  {feature}", self.percent(*feature))?;
        }
        Ok(())
    }
}
