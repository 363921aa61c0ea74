//! Parses whole programs.
//!
//! Two passes over the words: first the declarations (globals, and functions with their locals), so that a body can
//! name what stands further down; then initialisers and bodies. Ids are positions: edges must be written `e0`, `e1`, …
//! and sites `site0`, `site1`, … in order, so that an id read in a proof means what it says.

use super::expr::{ExprParser, R, Scope, locals_of};
use super::lexer::{Tok, lex};
use crate::syntax::*;
use base::{Diagnostic, FileId, Id, IndexVec, Span};
use rustc_hash::FxHashMap;

/// Locations cost memory before any edge names them: a short text may not ask for more than this many beyond what its
/// length accounts for.
const FREE_LOCATIONS: usize = 1 << 20;

/// Parses a program. `file` is the file the text has in the caller's source map; all spans lie in it.
///
/// The program is well typed but not yet valid: [`crate::validate::validate`] checks the rest.
pub fn parse(file: FileId, text: &str) -> Result<Program, Diagnostic> {
    let at = Span::new(file, 0, 0);
    let tokens = lex(text, at)?;
    let mut scope = Scope {
        model: DataModel::Lp64,
        globals: FxHashMap::default(),
        locals: FxHashMap::default(),
        functions: FxHashMap::default(),
    };
    let decls = ProgramParser { p: ExprParser { tokens: &tokens, pos: 0, at, scope: &scope, depth: 0, height: 0 } }
        .declarations()
        .map_err(|d| *d)?;
    let Declarations { mut program, mut n_locations, inits, bodies } = decls;
    scope.model = program.model;
    scope.globals = program.globals.iter_enumerated().map(|(id, g)| (g.name.clone(), (id, g.shape))).collect();
    scope.functions = program.functions.iter_enumerated().map(|(id, f)| (f.name.clone(), id)).collect();
    for (global, pos) in inits {
        let p = ExprParser { tokens: &tokens, pos, at, scope: &scope, depth: 0, height: 0 };
        program.globals[global].init = ProgramParser { p }.init().map_err(|d| *d)?;
    }
    for (func, pos) in bodies {
        scope.locals = locals_of(&program.functions[func]);
        let p = ExprParser { tokens: &tokens, pos, at, scope: &scope, depth: 0, height: 0 };
        program.functions[func].body = Some(ProgramParser { p }.body(&mut n_locations).map_err(|d| *d)?);
    }
    Ok(program)
}

/// The result of the first pass, with the places where the second one goes on.
struct Declarations {
    program: Program,
    n_locations: usize,
    inits: Vec<(GlobalId, usize)>,
    bodies: Vec<(FuncId, usize)>,
}

struct ProgramParser<'a> {
    p: ExprParser<'a>,
}

impl ProgramParser<'_> {
    fn newline(&mut self) -> R<()> {
        match self.p.tok() {
            Tok::Newline => {
                self.p.pos += 1;
                Ok(())
            }
            Tok::Eof => Ok(()),
            _ => Err(self.p.unexpected("the end of the line")),
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.p.tok(), Tok::Newline | Tok::Eof) {
            self.p.pos += 1;
        }
        self.p.pos += usize::from(*self.p.tok() == Tok::Newline);
    }

    /// One of a few words with a `-` inside, such as `div-by-zero`.
    fn hyphenated(&mut self, what: &str) -> R<String> {
        let mut text = String::new();
        loop {
            match self.p.tok() {
                Tok::Name { text: part, quoted: false } => text.push_str(part),
                _ => return Err(self.p.unexpected(what)),
            }
            self.p.pos += 1;
            if !self.p.is("-") {
                return Ok(text);
            }
            self.p.pos += 1;
            text.push('-');
        }
    }

    fn ub(&mut self) -> R<Ub> {
        let start = self.p.pos;
        let name = self.hyphenated("a kind of undefined behaviour")?;
        match Ub::from_name(&name) {
            Some(ub) => Ok(ub),
            None => self.p.error(self.p.since(start), format!("there is no kind of undefined behaviour `{name}`")),
        }
    }

    /// `prefix` with a number, such as `L3`.
    fn id<T: Id>(&mut self, prefix: &str, what: &str) -> R<T> {
        if let Tok::Name { text, quoted: false } = self.p.tok()
            && let Some(digits) = text.strip_prefix(prefix)
            && !digits.starts_with('+')
            && (digits == "0" || !digits.starts_with('0'))
            && let Ok(n) = digits.parse::<u32>()
        {
            self.p.pos += 1;
            return Ok(T::from_index(n as usize));
        }
        Err(self.p.unexpected(what))
    }

    fn word_of<T: Copy>(&mut self, what: &str, choices: &[(&str, T)]) -> R<T> {
        for &(word, value) in choices {
            if self.p.take_word(word) {
                return Ok(value);
            }
        }
        Err(self.p.unexpected(what))
    }

    fn linkage(&mut self) -> R<Linkage> {
        self.word_of("`external` or `internal`", &[("external", Linkage::External), ("internal", Linkage::Internal)])
    }

    fn shape(&mut self) -> R<Shape> {
        if !self.p.take_word("object") {
            return self.p.ty().map(Shape::Scalar);
        }
        self.p.need("(")?;
        let size = self.p.number("a size in bytes")?;
        self.p.need(",")?;
        let align = self.p.number("an alignment")?;
        self.p.need(")")?;
        Ok(Shape::Object { size, align })
    }

    /// The first pass.
    fn declarations(mut self) -> R<Declarations> {
        let mut d = Declarations {
            program: Program {
                model: DataModel::Lp64,
                ub: UbTable::default(),
                externs: Externs::Args,
                addresses: Addresses::User,
                globals: IndexVec::new(),
                functions: IndexVec::new(),
                sites: IndexVec::new(),
                entry: FuncId::from_index(0),
                declared: crate::Declarations::default(),
            },
            n_locations: 0,
            inits: Vec::new(),
            bodies: Vec::new(),
        };
        let mut entry = None;
        let mut globals = FxHashMap::default();
        let mut functions = FxHashMap::default();
        if *self.p.tok() == Tok::Newline {
            self.p.pos += 1;
        }
        while *self.p.tok() != Tok::Eof {
            let start = self.p.pos;
            if self.p.take_word("model") {
                d.program.model =
                    self.word_of("`ILP32` or `LP64`", &[("ILP32", DataModel::Ilp32), ("LP64", DataModel::Lp64)])?;
            } else if self.p.take_word("externs") {
                d.program.externs = self.word_of(
                    "`pure`, `args` or `any`",
                    &[("pure", Externs::Pure), ("args", Externs::Args), ("any", Externs::Any)],
                )?;
            } else if self.p.take_word("addresses") {
                let names = Addresses::ALL.map(|a| (a.name(), a));
                d.program.addresses = self.word_of("`user`, `kernel` or `anywhere`", &names)?;
            } else if self.p.take_word("entry") {
                let span = self.p.span();
                entry = Some((self.p.name("the name of a function")?, span));
            } else if self.p.take_word("ub") {
                let ub = self.ub()?;
                let at = self.p.pos;
                let policy = self.hyphenated("a policy")?;
                match UbPolicy::from_name(&policy) {
                    Some(policy) => d.program.ub.set(ub, policy),
                    None => return self.p.error(self.p.since(at), format!("there is no policy `{policy}`")),
                }
            } else if self.p.take_word("site") {
                let at = self.p.span();
                let id: SiteId = self.id("site", "the id of a site")?;
                if id != d.program.sites.next_id() {
                    return self.p.error(at, format!("sites are numbered in order: {}", d.program.sites.next_id()));
                }
                let name = self.p.string("the name of the site")?;
                d.program.sites.push(Site { name, span: self.p.since(start) });
            } else if self.p.take_word("global") {
                let global = self.global(&mut d, start)?;
                self.unique(&mut globals, &global.name, global.span, "global")?;
                d.program.globals.push(global);
                continue;
            } else if self.p.take_word("func") {
                let func = self.function(&mut d, start)?;
                self.unique(&mut functions, &func.name, func.span, "function")?;
                d.program.functions.push(func);
            } else {
                return Err(self
                    .p
                    .unexpected("`model`, `externs`, `addresses`, `entry`, `ub`, `site`, `global` or `func`"));
            }
            self.newline()?;
        }
        let Some((name, span)) = entry else {
            return Err(Box::new(Diagnostic::global(
                "syntax",
                "the program does not say where it begins (`entry main`)",
            )));
        };
        match d.program.function(&name) {
            Some(f) => d.program.entry = f,
            None => return self.p.error(span, format!("there is no function `{name}`")),
        }
        Ok(d)
    }

    fn unique(&self, seen: &mut FxHashMap<String, Span>, name: &str, span: Span, what: &str) -> R<()> {
        match seen.insert(name.to_owned(), span) {
            None => Ok(()),
            Some(first) => Err(Box::new(
                Diagnostic::error("duplicate", span, format!("a second {what} `{name}`"))
                    .with_note("the first one is here", Some(first)),
            )),
        }
    }

    /// A global up to its initialiser, which the second pass reads.
    fn global(&mut self, d: &mut Declarations, start: usize) -> R<Global> {
        self.p.need("@")?;
        let name = self.p.name("the name of the global")?;
        self.p.need(":")?;
        let shape = self.shape()?;
        let linkage = self.linkage()?;
        let exposure = match (self.p.take_word("known"), self.p.take_word("read")) {
            (true, _) => Exposure::Known,
            (false, true) => Exposure::Read,
            (false, false) => Exposure::Hidden,
        };
        let constant = self.p.take_word("const");
        self.p.need("=")?;
        d.inits.push((d.program.globals.next_id(), self.p.pos));
        let span = self.p.since(start);
        self.skip_line();
        Ok(Global { name, shape, init: Init::Zero, linkage, exposure, constant, span })
    }

    fn local(&mut self, locals: &mut IndexVec<LocalId, Local>, seen: &mut FxHashMap<String, Span>) -> R<()> {
        let start = self.p.pos;
        let name = self.p.name("the name of a local")?;
        self.p.need(":")?;
        let shape = self.shape()?;
        let constant = self.p.take_word("const");
        let span = self.p.since(start);
        self.unique(seen, &name, span, "local")?;
        locals.push(Local { name, shape, constant, span });
        Ok(())
    }

    /// A function up to its body, which the second pass reads.
    fn function(&mut self, d: &mut Declarations, start: usize) -> R<Function> {
        let linkage = self.linkage()?;
        let name = self.p.name("the name of the function")?;
        let mut locals = IndexVec::new();
        let mut seen = FxHashMap::default();
        let mut variadic = false;
        self.p.need("(")?;
        while !self.p.is(")") {
            if self.p.take("...") {
                variadic = true;
                break;
            }
            self.local(&mut locals, &mut seen)?;
            if !self.p.take(",") {
                break;
            }
        }
        self.p.need(")")?;
        let n_params = locals.len();
        let ret = if self.p.take("->") {
            let span = self.p.span();
            Some((self.p.name("the local that holds the result")?, span))
        } else {
            None
        };
        self.p.need("{")?;
        let span = self.p.since(start);
        self.newline()?;
        while self.p.take_word("local") {
            self.local(&mut locals, &mut seen)?;
            self.newline()?;
        }
        if self.p.is_word("locations") {
            d.bodies.push((d.program.functions.next_id(), self.p.pos));
            while !self.p.is("}") && *self.p.tok() != Tok::Eof {
                self.skip_line();
            }
        }
        self.p.need("}")?;
        let ret = match ret {
            None => None,
            Some((name, span)) => match locals.iter_enumerated().find(|(_, l): &(_, &Local)| l.name == name) {
                Some((id, _)) => Some(id),
                None => return self.p.error(span, format!("there is no local `{name}` here")),
            },
        };
        Ok(Function { name, linkage, n_params, variadic, locals, ret, body: None, span })
    }

    fn init(mut self) -> R<Init> {
        let init = if self.p.take_word("zero") {
            Init::Zero
        } else if self.p.take_word("unknown") {
            Init::Unknown
        } else {
            if !self.p.take("{") {
                return Err(self.p.unexpected("`zero`, `unknown` or `{`"));
            }
            let mut items = Vec::new();
            while self.p.take("+") {
                let offset = self.p.number("a byte offset")?;
                let bits = self.p.bits()?;
                self.p.need("=")?;
                items.push(InitItem { offset, bits, value: self.p.expr(None)? });
                if !self.p.take(";") {
                    break;
                }
            }
            self.p.need("}")?;
            Init::Values(items)
        };
        self.newline()?;
        Ok(init)
    }

    /// A body, from `locations` to the closing brace.
    fn body(mut self, n_locations: &mut usize) -> R<Body> {
        self.p.need_word("locations")?;
        let span = self.p.span();
        let n: usize = self.p.number("a number of locations")?;
        *n_locations = n_locations.saturating_add(n);
        if *n_locations > FREE_LOCATIONS + self.p.tokens.len() {
            return self.p.error(span, "more locations than a text of this length can connect");
        }
        self.p.need_word("entry")?;
        let entry = self.loc(n)?;
        self.p.need_word("exit")?;
        let exit = self.loc(n)?;
        self.newline()?;
        let mut body = Body {
            entry,
            exit,
            locations: IndexVec::filled(Location { label: None, span }, n),
            edges: IndexVec::new(),
        };
        while self.p.take_word("label") {
            let loc = self.loc(n)?;
            body.locations[loc].label = Some(self.p.string("the text of the label")?);
            self.newline()?;
        }
        let mut started = vec![false; n];
        while !self.p.is("}") {
            let start = self.p.pos;
            let id: EdgeId = self.id("e", "an edge such as `e0: L0 -> L1: skip`, or `}`")?;
            if id != body.edges.next_id() {
                return self
                    .p
                    .error(self.p.since(start), format!("edges are numbered in order: {}", body.edges.next_id()));
            }
            self.p.need(":")?;
            let edge = self.edge(n, start)?;
            if !std::mem::replace(&mut started[edge.from.index()], true) {
                body.locations[edge.from].span = edge.span;
            }
            body.edges.push(edge);
            self.newline()?;
        }
        Ok(body)
    }

    fn loc(&mut self, n: usize) -> R<Loc> {
        let span = self.p.span();
        let loc: Loc = self.id("L", "a location such as `L0`")?;
        if loc.index() >= n { self.p.error(span, format!("there are only {n} locations")) } else { Ok(loc) }
    }

    fn edge(&mut self, n: usize, start: usize) -> R<Edge> {
        let from = self.loc(n)?;
        self.p.need("->")?;
        let to = if self.p.take_word("end") { None } else { Some(self.loc(n)?) };
        self.p.need(":")?;
        let mut guards = Vec::new();
        while self.p.take("[") {
            let ub = self.ub()?;
            self.p.need(":")?;
            let cond = self.p.expr(Some(Ty::Bool))?;
            self.p.need("]")?;
            guards.push(Guard { ub, cond });
        }
        let op = self.op()?;
        Ok(Edge { from, to, guards, op, span: self.p.since(start) })
    }

    fn op(&mut self) -> R<Op> {
        let size = self.p.scope.model.size_ty();
        // A name before `:=` is a variable even if it is spelled like a keyword below.
        if self.p.is_at(1, ":=") || !matches!(self.p.tok(), Tok::Name { quoted: false, .. }) {
            return self.assignment();
        }
        let Tok::Name { text, .. } = self.p.tok().clone() else { return Err(self.p.unexpected("an operation")) };
        let start = self.p.pos;
        self.p.pos += 1;
        Ok(match &*text {
            "skip" => Op::Skip,
            "halt" => Op::Halt,
            "assume" => Op::Assume(self.p.expr(Some(Ty::Bool))?),
            "free" => Op::Free(self.p.expr(Some(Ty::Ptr))?),
            "release" => Op::Release(self.p.expr(Some(Ty::Ptr))?),
            "begin" => Op::Begin(self.local_name()?),
            "end" => Op::End(self.local_name()?),
            "unsupported" => Op::Unsupported(self.p.string("the reason")?),
            "return" if *self.p.tok() == Tok::Newline => Op::Return(None),
            "return" => Op::Return(Some(self.p.expr(None)?)),
            "set" | "copy" => {
                let dst = self.p.expr(Some(Ty::Ptr))?;
                self.p.need(",")?;
                let second = self.p.expr(Some(if text == "set" { Ty::int(8, false) } else { Ty::Ptr }))?;
                self.p.need(",")?;
                let len = self.p.expr(Some(size))?;
                if text == "set" {
                    Op::SetRange { dst, value: second, len }
                } else {
                    Op::CopyRange { dst, src: second, len }
                }
            }
            "range" => {
                self.p.need("(")?;
                let dst = self.p.expr(Some(Ty::Ptr))?;
                self.p.need(",")?;
                let len = self.p.expr(Some(size))?;
                self.p.need(")")?;
                self.p.need(":=")?;
                self.p.need_word("havoc")?;
                Op::Havoc(HavocDst::Range { dst, len }, self.source()?)
            }
            "error" => Op::Error(self.error_kind()?),
            "call" => Op::Call(self.call(None)?),
            _ => {
                self.p.pos = start;
                return Err(self.p.unexpected("an operation"));
            }
        })
    }

    fn local_name(&mut self) -> R<LocalId> {
        let start = self.p.pos;
        match self.p.var()?.0 {
            Var::Local(l) => Ok(l),
            Var::Global(_) => {
                self.p.pos = start;
                Err(self.p.unexpected("a local"))
            }
        }
    }

    fn error_kind(&mut self) -> R<ErrorKind> {
        if self.p.take_word("reached") {
            Ok(ErrorKind::Reached(self.p.string("the name of the function")?))
        } else if self.p.take_word("assert") {
            Ok(ErrorKind::Assert(self.p.string("the text of the assertion")?))
        } else if self.p.take_word("rule") {
            Ok(ErrorKind::Rule(self.p.string("what the rule says")?))
        } else if self.p.take_word("ub") {
            Ok(ErrorKind::Ub(self.ub()?))
        } else {
            Err(self.p.unexpected("`reached`, `assert`, `rule` or `ub`"))
        }
    }

    fn source(&mut self) -> R<Source> {
        if self.p.take_word("nondet") {
            Ok(Source::Nondet(self.p.string("the name of the input function")?))
        } else if self.p.take_word("uninit") {
            Ok(Source::Uninit)
        } else if self.p.take_word("padding") {
            Ok(Source::Padding)
        } else if self.p.take_word("outside") {
            Ok(Source::Outside(self.p.string("the outside effect")?))
        } else {
            Err(self.p.unexpected("`nondet`, `uninit`, `padding` or `outside`"))
        }
    }

    /// `place := …`
    fn assignment(&mut self) -> R<Op> {
        let start = self.p.pos;
        let whole = !self.p.is("*");
        let dst = self.p.place()?;
        let span = self.p.since(start);
        self.p.need(":=")?;
        if self.p.take_word("havoc") {
            return Ok(Op::Havoc(HavocDst::Place(dst), self.source()?));
        }
        if self.p.take_word("alloc") {
            return self.alloc(dst).map(Op::Alloc);
        }
        if self.p.take_word("call") {
            return match dst.as_var() {
                Some(var) if whole => self.call(Some(var)).map(Op::Call),
                _ => self.p.error(span, "the result of a call goes to a whole variable"),
            };
        }
        let ty = dst.ty;
        Ok(Op::Assign(dst, self.p.expr(Some(ty))?))
    }

    fn alloc(&mut self, dst: Place) -> R<Alloc> {
        self.p.need("(")?;
        let size = self.p.expr(Some(self.p.scope.model.size_ty()))?;
        self.p.need(")")?;
        self.p.need_word("align")?;
        let align = self.p.number("an alignment")?;
        let zeroed = self.p.take_word("zeroed");
        let may_fail = self.p.take_word("fallible");
        let stack = self.p.take_word("stack");
        Ok(Alloc { dst, size, align, zeroed, may_fail, stack, site: self.id("site", "the id of a site")? })
    }

    fn call(&mut self, dst: Option<Var>) -> R<Call> {
        let callee = if self.p.take("[") {
            let e = self.p.expr(Some(Ty::Ptr))?;
            self.p.need("]")?;
            Callee::Indirect(e)
        } else {
            let span = self.p.span();
            let name = self.p.name("the name of a function")?;
            match self.p.scope.functions.get(&name) {
                Some(&f) => Callee::Direct(f),
                None => return self.p.error(span, format!("there is no function `{name}`")),
            }
        };
        self.p.need("(")?;
        let mut args = Vec::new();
        while !self.p.is(")") {
            args.push(self.p.expr(None)?);
            if !self.p.take(",") {
                break;
            }
        }
        self.p.need(")")?;
        Ok(Call { dst, callee, args })
    }
}
