//! Functions that have no body in the program but are known by name: which they are.
//!
//! A function with a body is never replaced. A known function whose address is taken gets a body made from its model, so
//! that calls through pointers mean the same as direct ones. What the models do is in [`crate::libc`].

use crate::context::{Context, Convention, Passing};
use crate::conversion;
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::known;
use crate::libc::checking;
use crate::link::Entity;
use base::Span;
use cfront::tree::{self, CastKind, ExprId, ExprKind, UnOp, Unit};
use cfront::types::TypeId;
use ir::library::Library;
use ir::library::c::{self, Errno, Gives, Read, Row};
use ir::library::recipe::{self, Recipe};
use ir::{ErrorKind, Expr, Externs, Op, Source, Ty, Ub, UbPolicy, Var};

/// What is known about a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    /// An arbitrary value of the declared type.
    Nondet,
    /// Arbitrary bytes: `(ptr, size)`.
    NondetMemory,
    /// A block of memory, or null: `(elements, size of each, whether it is zero)`. What contracts call that promise one.
    Block,
    /// What its row of the library's table says.
    Row(&'static Row),
    /// What a recipe does.
    By(Recipe),
    /// It accesses memory through its arguments, which has to be asked for, and nobody knows how.
    Unchecked,
}

/// Prefixes and suffixes that make a built-in of a plain function.
pub(crate) fn plain_name(name: &str) -> &str {
    if let Some(rest) = name.strip_prefix("__builtin___") {
        return rest.strip_suffix("_chk").unwrap_or(rest);
    }
    // glibc's own checking versions.
    if let Some(rest) = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
        return rest;
    }
    // Names that headers give to functions which are another one in another version of C.
    let name = name.strip_prefix("__builtin_").or(name.strip_prefix("__isoc99_")).unwrap_or(name);
    let name = name.strip_prefix("__isoc23_").filter(|n| n.ends_with("scanf")).unwrap_or(name);
    let is_math = |other: &&str| {
        let takes = c::row(other).map(|row| row.signature).or_else(|| recipe::refused(other).map(|(_, takes)| takes));
        takes.is_some_and(|takes| takes.contains('d'))
    };
    of_other_type(name).filter(is_math).unwrap_or(name)
}

/// Functions of `math.h` are also named after the types that are `float` and `double` here: the usual name.
fn of_other_type(name: &str) -> Option<&str> {
    let double = || name.strip_suffix("f64").or_else(|| name.strip_suffix("f32x"));
    if name.ends_with("f32") { Some(&name[..name.len() - 2]) } else { double() }
}

/// The model of a function without body, by its name and its type: another function that happens to have the name of one of the
/// library is an undefined one.
pub(crate) fn named(unit: &Unit, f: tree::FuncId) -> Option<Model> {
    let abi = unit.types.target.abi();
    of_this_library(unit, f).filter(|model| abi.long == abi.pointer || !counts_longs(*model))
}

/// Whether a model takes `long` to be as wide as a pointer. Where it is not, the function is one that is not known.
fn counts_longs(model: Model) -> bool {
    match model {
        Model::By(recipe) => {
            use Recipe::*;
            matches!(recipe, Format(_) | FormatList(_) | PrintTo(..) | Scan(..) | Atoi | Strtol)
        }
        Model::Row(row) => {
            let longs = |r: &Read| matches!(r, Read::Longs(..) | Read::Printed(_));
            row.reads.iter().any(longs) || row.writes.iter().any(|w| matches!(w.most, c::Most::Longs(_)))
        }
        Model::Nondet | Model::NondetMemory | Model::Block | Model::Unchecked => false,
    }
}

fn of_this_library(unit: &Unit, f: tree::FuncId) -> Option<Model> {
    let name = unit.name(unit.funcs[f].name);
    match name {
        "__VERIFIER_nondet_memory" => return Some(Model::NondetMemory),
        "__hardbop_block" => return Some(Model::Block),
        // Their buffers are other ones, and what they restore is less.
        "__builtin_setjmp" | "__builtin_longjmp" => return Some(Model::By(Recipe::Refused("setjmp or longjmp"))),
        _ if name.starts_with("__VERIFIER_nondet_") => return Some(Model::Nondet),
        _ => {}
    }
    let built_in = |rest| recipe::builtin(rest).or_else(|| recipe::builtin(of_other_type(rest)?));
    if let Some(recipe) = name.strip_prefix("__builtin_").and_then(built_in) {
        return Some(Model::By(recipe));
    }
    let (plain, ty) = (plain_name(name), unit.funcs[f].ty);
    let is_meant = |signature| known::is_meant(signature, &unit.types, ty);
    // Names that begin so are nobody else's, and a function whose parameters are not declared is the one that its name says.
    let theirs = name.starts_with("__") || unit.types.signature(ty).is_some_and(|s| !s.prototype);
    match c::row(plain) {
        Some(row @ Row { gives: Gives::By(recipe), .. }) => {
            (theirs || is_meant(row.signature)).then_some(Model::By(*recipe))
        }
        Some(row) => (is_meant(row.signature) && reads_strings(row, unit, ty)).then_some(Model::Row(row)),
        None => {
            let (why, takes) = recipe::refused(plain)?;
            (theirs || is_meant(takes)).then_some(Model::By(Recipe::Refused(why)))
        }
    }
}

/// Whether the texts that a row reads are texts to a function of this type.
fn reads_strings(row: &Row, unit: &Unit, ty: TypeId) -> bool {
    let params = unit.types.signature(ty).map_or(&[][..], |s| &s.params);
    let is_text = |i: usize| {
        let to = params.get(i).and_then(|&p| unit.types.pointee(p));
        to.is_some_and(|to| unit.types.is_void(to) || unit.types.size(to) == Some(1))
    };
    row.reads.iter().all(|read| !matches!(read, Read::Text(_) | Read::Printed(_)) || is_text(read.from()))
}

impl Context<'_> {
    /// The model of a function without body.
    pub(crate) fn model_of(&self, entity: Entity<tree::FuncId>) -> Option<Model> {
        let unit = &self.units[entity.0 as usize];
        let f = &unit.funcs[entity.1];
        if f.attrs.returns_twice {
            return Some(Model::By(Recipe::Refused("function that returns twice")));
        }
        let plain = plain_name(unit.name(f.name));
        let row = c::row(plain);
        let open = self.streams == Streams::Open && row.is_some_and(Row::has_stream);
        let model = if open { None } else { named(unit, entity.1) };
        // A stream that is closed is one no more, which nobody remembers.
        let closes = row.is_some_and(|r| r.closes) && self.checks(&[Ub::UseAfterFree, Ub::BadFree]);
        match model {
            Some(Model::By(Recipe::Refused("threads"))) if self.is_watched_lock(self.func_name(entity)) => None,
            _ if closes => Some(Model::Unchecked),
            // A function of another form than the one that the row is about: nobody knows what it accesses.
            None if self.checks_memory() && c::accesses_memory(plain) => Some(Model::Unchecked),
            None if open && self.opts.externs == Externs::Pure => {
                Some(Model::By(Recipe::Refused("streams that lie in memory")))
            }
            model => model,
        }
    }

    /// Whether an access that is not fine is a defect.
    pub(crate) fn checks_memory(&self) -> bool {
        self.checks(&[Ub::NullDeref, Ub::UseAfterFree, Ub::OutOfBounds, Ub::BadFree])
    }

    fn checks(&self, kinds: &[Ub]) -> bool {
        kinds.iter().any(|ub| self.opts.ub.get(*ub) == UbPolicy::Checked)
    }
}

/// Whether the program can see what streams do: it looks into the objects that `FILE *` points to, or has streams that lie in its own
/// memory or call its functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Streams {
    /// It cannot.
    Closed,
    /// It can: the functions that change them are undefined functions.
    Open,
}

/// Functions that write through their arguments: not what `--externs pure` means by an undefined function.
fn writes_arguments(name: &str) -> bool {
    matches!(
        plain_name(name),
        "scanf" | "sscanf" | "fscanf" | "fgets" | "gets" | "fread" | "read" | "getline" | "getcwd" | "gettimeofday"
    ) || name.starts_with("__isoc99_")
        || name.starts_with("__isoc23_")
}

impl Context<'_> {
    /// Whether the function gets a body made from its model when its address is taken.
    pub(crate) fn has_wrapper(&self, entity: Entity<tree::FuncId>) -> bool {
        let convention = self.convention(entity);
        let kept = |m: Model| {
            !matches!(m, Model::By(Recipe::Alloca | Recipe::SetJmp)) && !matches!(m, Model::By(Recipe::FormatList(_)))
        };
        !convention.variadic && convention.trouble.is_none() && self.model_of(entity).is_some_and(kept)
    }
}

impl Fun<'_, '_> {
    /// A call of a known function; `None` if it is not known.
    pub(crate) fn model_call(
        &mut self,
        name: &str,
        entity: Entity<tree::FuncId>,
        e: ExprId,
        args: &[ExprId],
        want: Want,
    ) -> Option<Option<Expr>> {
        let unit = self.unit;
        let span = unit.exprs[e].span;
        let Some(model) = self.cx.model_of(entity) else {
            if self.cx.opts.externs == Externs::Pure && writes_arguments(name) {
                return Some(Some(self.refuse(e, "input function")));
            }
            return None;
        };
        let watched = self.cx.is_watched(name);
        if watched && !has_plain_call(model) {
            return Some(Some(self.refuse(e, &format!("event at a call of `{name}`"))));
        }
        match (model, args) {
            (Model::By(Recipe::Assume), &[c]) => {
                self.assume(c, span);
                return Some(self.deliver_zero(entity, want, span));
            }
            (Model::By(Recipe::Assert), &[c]) => {
                self.assert(c, span);
                return Some(self.deliver_zero(entity, want, span));
            }
            (Model::By(Recipe::AssertFail(text)), _) => {
                let text = args.get(text).and_then(|&a| self.literal(a)).unwrap_or_default();
                for &a in args {
                    self.effect(a);
                }
                self.assertion_failed(text, span);
                return Some(Some(self.dummy(e)));
            }
            (Model::By(Recipe::Format(at)), _) => {
                let format = args.get(at + checking(name)).and_then(|&a| self.literal(a));
                // `%n` writes; a format that is not known may contain it. Where a run is shown, the run will know.
                let known = format.is_some_and(|f| conversion::all(f.as_bytes(), self.model()).is_some());
                if !known && !self.cx.opts.output {
                    if self.cx.checks_memory() {
                        let format = args.get(at + checking(name)).copied();
                        return Some(self.unknown_format(e, format, args, span));
                    }
                    return None;
                }
            }
            (Model::By(Recipe::Scan(at)), _) => {
                let format = args.get(at).and_then(|&a| self.literal(a));
                return self.scan(name, e, entity, format.as_deref(), at, args, want);
            }
            (Model::By(Recipe::ComplexPart(i)), &[z]) => return Some(self.complex_part(z, i, want, span)),
            (Model::By(Recipe::Conjugate), &[z]) => return Some(self.conjugate(z, want, span)),
            (Model::By(Recipe::FormatList(at)), _) => {
                let format = args.get(at + checking(name)).and_then(|&a| self.literal(a));
                if format.is_none_or(|f| writes_count(&f)) && !self.cx.opts.output && !self.cx.checks_memory() {
                    return None;
                }
                return Some(self.print_list_out(at, at + checking(name), entity, args, want, span));
            }
            (Model::By(Recipe::PrintTo(bounded, list)), _) => {
                let at = 1 + usize::from(bounded) + if name.ends_with("_chk") { 2 } else { 0 };
                if list {
                    let format = args.get(at).and_then(|&a| self.literal(a));
                    if format.is_some_and(|f| writes_count(&f)) {
                        return Some(Some(self.refuse(e, "format that writes a count")));
                    }
                    return Some(self.print_list(bounded, at, entity, args, want, span));
                }
            }
            _ => {}
        }
        let convention = self.cx.convention(entity);
        let exprs = args;
        let args = self.arguments(args, crate::call::Copies::Needless, span);
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            match arg {
                crate::call::Arg::Scalar(value) => values.push(value),
                crate::call::Arg::Record(..) => {
                    return Some(Some(self.refuse(e, "structure passed to a library function")));
                }
            }
        }
        let ret = match convention.ret {
            Passing::Scalar(ty) => Some(ty),
            Passing::Void => None,
            Passing::Record(size, align) => {
                let var = match want {
                    Want::Into(var) => var,
                    Want::Value | Want::Nothing => self.temp_object(size, align, span),
                };
                let addr = ir::Address::var(var);
                if model != Model::Nondet {
                    // No other model gives a structure.
                    self.refuse_model(model, name, span);
                }
                self.havoc_object(&addr, size, Source::Nondet(name.to_owned()), span);
                return Some(Some(Expr::addr(addr)));
            }
        };
        if watched {
            let ty = unit.exprs[e].ty;
            return Some(self.apply_watched(model, name, (exprs, &values), (ret, Some(ty)), want, span));
        }
        Some(self.apply(model, name, &values, ret, want, span))
    }

    /// Whether a list stands behind argument `at`; a call without one is not followed.
    fn has_list(&mut self, at: usize, args: &[ExprId], span: Span) -> bool {
        let there = args.len() >= at + 2;
        if !there {
            self.unsupported("call of a printing function with too few arguments", span);
        }
        there
    }

    /// `vsprintf` and `vsnprintf`: the list is a place that holds the address of the next argument.
    fn print_list(
        &mut self,
        bounded: bool,
        at: usize,
        entity: Entity<tree::FuncId>,
        args: &[ExprId],
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let ret = self.cx.convention(entity).ret.scalar();
        if !self.has_list(at, args, span) {
            return ret.map(|ty| Expr::constant(ty, 0));
        }
        let mut values = Vec::new();
        for &a in &args[..=at] {
            let value = self.value(a);
            values.push(self.keep_if_memory(value, span));
        }
        values.drain(1 + usize::from(bounded)..at);
        let list = self.list_place(args[at + 1], span);
        let next = self.read(list, span);
        let format = values.pop()?;
        self.list_leaves(&format, &next, span);
        match self.listed(&format, &next, span) {
            Some(arguments) => {
                values.extend(arguments);
                self.print_to_memory(bounded, false, &values, ret, want, span)
            }
            None => {
                self.list_readable(&format, span);
                values.extend([format, next]);
                self.print_to_memory(bounded, true, &values, ret, want, span)
            }
        }
    }

    /// `vprintf` and `vfprintf`: the length of the text. The format is argument `at`, behind a stream if `stream` is 1.
    fn print_list_out(
        &mut self,
        stream: usize,
        at: usize,
        entity: Entity<tree::FuncId>,
        args: &[ExprId],
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let ret = self.cx.convention(entity).ret.scalar();
        if !self.has_list(at, args, span) {
            return ret.map(|ty| Expr::constant(ty, 0));
        }
        let mut values = Vec::new();
        let mut shown = stream == 0;
        for (i, &a) in args[..=at].iter().enumerate() {
            let value = self.value(a);
            shown |= i == 0 && self.is_standard_output(&value);
            if i < stream {
                self.streams_there(self.cx.func_name(entity), std::slice::from_ref(&value), span);
            }
            values.push(self.keep_if_memory(value, span));
        }
        let list = self.list_place(args[at + 1], span);
        let next = self.read(list, span);
        self.list_leaves(&values[at], &next, span);
        let call = [values[at].clone(), next];
        if self.cx.opts.output && shown {
            self.print_formatted(Library::VformatLength, &call, span);
        }
        if want == Want::Nothing && !self.checks_memory() {
            self.flush(span);
            self.errno_after(Errno::May, Expr::bool(true), None, span);
            return None;
        }
        let [format, next] = &call;
        let exact = self.listed(format, next, span).and_then(|all| self.printed_length(&all, span));
        if exact.is_none() {
            self.list_readable(format, span);
        }
        let n = exact.unwrap_or_else(|| self.library_call(Library::VformatLength, &call, span));
        let n = self.or_failed(n, span);
        let result = self.finish_pure(n, ret, want, span);
        self.errno_after(Errno::May, Expr::bool(true), None, span);
        result
    }

    /// The body of a known function whose address is taken.
    pub(crate) fn wrapper(&mut self, name: &str, entity: Entity<tree::FuncId>, convention: &Convention, span: Span) {
        let exit = self.graph.exit;
        let Some(model) = self.cx.model_of(entity) else {
            return self.unsupported("function without a body", span);
        };
        let params: Vec<Expr> = self
            .locals
            .iter_enumerated()
            .take(convention.params.len())
            .map(|(id, l)| Expr::var(Var::Local(id), l.shape.scalar().unwrap_or(Ty::Ptr)))
            .collect();
        match (model, convention.ret, &params[..]) {
            (_, Passing::Record(..), _) => self.unsupported("library function that returns a structure", span),
            (Model::By(Recipe::Assume), _, [c]) => {
                let c = fold::truth(c.clone());
                self.emit(Op::Assume(c), span);
                self.return_result(None, exit, span);
            }
            (Model::By(Recipe::Assert), _, [c]) => {
                let (good, bad) = (self.graph.loc(), self.graph.loc());
                let c = fold::truth(c.clone());
                self.split(c, good, bad, span);
                self.at(bad);
                self.assertion_failed(String::new(), span);
                self.at(good);
                self.return_result(None, exit, span);
            }
            (Model::By(Recipe::AssertFail(_)), ..) => self.assertion_failed(String::new(), span),
            (Model::By(Recipe::Format(_)) | Model::By(Recipe::FormatList(_)) | Model::By(Recipe::PrintTo(..)), ..) => {
                self.unsupported("printing function called through a pointer", span);
            }
            (_, ret, _) => {
                let ret = ret.scalar();
                let want = self.ret.map_or(Want::Nothing, |r| Want::Into(Var::Local(r)));
                let value = self.apply(model, name, &params, ret, want, span);
                self.return_result(value, exit, span);
            }
        }
    }

    fn return_result(&mut self, value: Option<Expr>, exit: ir::Loc, span: Span) {
        let value = self.ret.map(|r| {
            let ty = self.scalar_of(Var::Local(r));
            value.map_or(Expr::constant(ty, 0), |v| fold::convert(ty, v, self.model()))
        });
        self.emit_to(Op::Return(value), exit, span);
    }

    fn deliver_zero(&mut self, entity: Entity<tree::FuncId>, want: Want, span: Span) -> Option<Expr> {
        let ty = self.cx.convention(entity).ret.scalar()?;
        self.deliver(Expr::constant(ty, 0), want, span)
    }

    fn assume(&mut self, cond: ExprId, span: Span) {
        if !self.effects(cond).edges {
            let cond = fold::truth(self.value(cond));
            return self.emit(Op::Assume(cond), span);
        }
        let (go_on, stop) = (self.graph.loc(), self.graph.loc());
        self.branch(cond, go_on, stop);
        self.at(stop);
        self.finish_with(Op::Halt, span);
        self.at(go_on);
    }

    fn assert(&mut self, cond: ExprId, span: Span) {
        let (good, bad) = (self.graph.loc(), self.graph.loc());
        self.branch(cond, good, bad);
        self.at(bad);
        self.assertion_failed(String::new(), span);
        self.at(good);
    }

    fn assertion_failed(&mut self, text: String, span: Span) {
        let error = self.cx.opts.targets.assertions;
        self.finish_with(if error { Op::Error(ErrorKind::Assert(text)) } else { Op::Halt }, span);
    }

    /// The text of a string literal.
    fn literal(&self, mut e: ExprId) -> Option<String> {
        loop {
            match self.unit.exprs[e].kind {
                ExprKind::Cast(CastKind::ArrayDecay | CastKind::Ptr | CastKind::Same, a, _)
                | ExprKind::Unary(UnOp::Plus, a) => e = a,
                ExprKind::Str(s) => return Some(String::from_utf8_lossy(&self.unit.strings[s].bytes).into_owned()),
                _ => return None,
            }
        }
    }
}

/// Whether a call is lowered by its evaluated arguments alone, so that events can stand around that.
fn has_plain_call(model: Model) -> bool {
    let Model::By(recipe) = model else { return true };
    !matches!(
        recipe,
        Recipe::Assume
            | Recipe::Assert
            | Recipe::AssertFail(_)
            | Recipe::Scan(_)
            | Recipe::FormatList(_)
            | Recipe::PrintTo(_, true)
            | Recipe::ComplexPart(_)
            | Recipe::Conjugate
    )
}

/// Whether a format has a `%n`, possibly with a length modifier.
fn writes_count(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        let conversion = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #.*hlqjzt$'L".contains(c));
        if conversion.starts_with('n') {
            return true;
        }
        // Also steps over `%%`.
        let mut chars = conversion.chars();
        chars.next();
        rest = chars.as_str();
    }
    false
}
