//! Tree to IR. Each statement is at least one edge, which starts at a location that has the statement's label.
//!
//! All variables start arbitrary (TR00 §2): globals are like C's undefined `extern` ones, locals are drawn when the
//! procedure begins. Variables of an enumeration start as one of its values. A failed `assert` is the error `err` of the
//! paper. A procedure that is called and not defined is a function without body, about which the options say what it may
//! do.

use crate::expr::{INT, Lowered, Scope, ir_ty, numbered};
use crate::print::show;
use crate::resolve::{Names, Type};
use crate::syntax::*;
use base::{Diagnostic, Id, IndexVec, Span};
use ir::assemble::Assembly;
use ir::declared::{Declarations, Declared, Type as DeclaredType};
use ir::{
    Addresses, BinOp, Call, Callee, DataModel, ErrorKind, Exposure, Expr as IrExpr, Externs, FuncId, Function, Global,
    GlobalId, Guard, HavocDst, Init, Linkage, Loc, Local, LocalId, Op as IrOp, Place, Program as IrProgram, Shape,
    Source, Ty, UbTable, Var,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is not in the text.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the run begins. `main` stands for the only procedure that no other calls, where there is no `main`: TR00's
    /// fig 1 has none.
    pub entry: String,
    /// Widths of what X does not have; only for the program's heading.
    pub model: DataModel,
    /// What undefined procedures may change.
    pub externs: Externs,
    /// What overflow and division by zero mean.
    pub ub: UbTable,
}

/// The program in IR, valid, its checked guards exposed.
pub fn lower(program: &Program, options: &Options) -> Result<IrProgram, Vec<Diagnostic>> {
    let names = Names::new(program)?;
    let mut context = Context::new(program, names);
    let mut errors = Vec::new();
    let entry = match entry(program, &options.entry) {
        Ok(entry) => Some(entry),
        Err(e) => {
            errors.push(e);
            None
        }
    };
    for (i, proc) in program.procs.iter().enumerate() {
        let is_entry = entry == Some(FuncId::from_index(i));
        match context.procedure(proc, is_entry) {
            Ok(function) => context.functions[FuncId::from_index(i)] = function,
            Err(e) => errors.push(e),
        }
    }
    let Some(entry) = entry.filter(|_| errors.is_empty()) else { return Err(errors) };
    let mut out = IrProgram {
        model: options.model,
        ub: options.ub.clone(),
        externs: options.externs,
        addresses: Addresses::default(),
        globals: context.globals,
        functions: context.functions,
        sites: IndexVec::new(),
        entry,
        declared: Declarations(Arc::new(context.declared)),
    };
    ir::checks::expose(&mut out);
    Ok(out)
}

fn entry(program: &Program, wanted: &str) -> Result<FuncId, Diagnostic> {
    let found = program.procs.iter().position(|p| p.name.text == wanted);
    if let Some(i) = found {
        return Ok(FuncId::from_index(i));
    }
    let mut called = Vec::new();
    program.procs.iter().for_each(|p| calls(&p.body, &mut called));
    let mut roots = program.procs.iter().enumerate().filter(|(_, p)| !called.contains(&p.name.text));
    match (wanted, roots.next(), roots.next()) {
        ("main", Some((i, _)), None) => Ok(FuncId::from_index(i)),
        _ => Err(Diagnostic::global("no-entry", format!("there is no procedure `{wanted}` to begin with"))),
    }
}

fn calls(body: &[Stmt], out: &mut Vec<String>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Call(name, _) => out.push(name.text.clone()),
            StmtKind::If(_, yes, no) => {
                calls(yes, out);
                calls(no, out);
            }
            StmtKind::While(_, body) => calls(body, out),
            _ => {}
        }
    }
}

struct Context<'a> {
    program: &'a Program,
    names: Names,
    ids: BTreeMap<String, GlobalId>,
    globals: IndexVec<GlobalId, Global>,
    functions: IndexVec<FuncId, Function>,
    declared: Declared,
}

type R<T> = Result<T, Diagnostic>;

impl<'a> Context<'a> {
    fn new(program: &'a Program, names: Names) -> Context<'a> {
        let mut context = Context {
            program,
            names,
            ids: BTreeMap::new(),
            globals: IndexVec::new(),
            functions: IndexVec::new(),
            declared: Declared::default(),
        };
        for g in &program.globals {
            let ty = context.names.globals[&g.name.text];
            let id = context.globals.push(Global {
                name: g.name.text.clone(),
                shape: Shape::Scalar(ir_ty(ty)),
                init: Init::Unknown,
                linkage: Linkage::External,
                exposure: Exposure::Hidden,
                constant: false,
                span: g.name.span,
            });
            context.ids.insert(g.name.text.clone(), id);
            let shown = context.declared.types.push(DeclaredType::Scalar(ir_ty(ty)));
            context.declared.globals.insert(g.name.text.clone(), shown);
        }
        for (name, &(_, n)) in &context.names.values {
            context.declared.constants.insert(name.clone(), (INT, u128::from(n)));
        }
        for proc in &program.procs {
            let header = undefined(&proc.name, &[]);
            context.functions.push(header);
        }
        context
    }

    fn procedure(&mut self, proc: &Proc, is_entry: bool) -> R<Function> {
        let named = self.names.locals(proc)?;
        let spans = proc.params.iter().chain(&proc.locals).map(|d| d.name.span);
        let mut locals: IndexVec<LocalId, Local> = IndexVec::new();
        for ((name, ty), span) in named.iter().zip(spans) {
            locals.push(Local { name: name.clone(), shape: Shape::Scalar(ir_ty(*ty)), constant: false, span });
            let shown = self.declared.types.push(DeclaredType::Scalar(ir_ty(*ty)));
            self.declared.locals.entry(proc.name.text.clone()).or_default().insert(name.clone(), shown);
        }
        let end = proc.body.last().map_or(proc.name.span, |s| s.span);
        let mut body = BodyOf { context: self, locals, scope: numbered(&named), graph: Assembly::new(end) };
        let mut at = body.begin(proc, &named, is_entry);
        at = body.statements(&proc.body, at)?;
        let exit = body.graph.exit();
        body.graph.edge(at, Some(exit), Vec::new(), IrOp::Return(None), end);
        let (locals, graph) = (body.locals, body.graph);
        let n_params = proc.params.len();
        let header = undefined(&proc.name, &[]);
        Ok(Function { linkage: Linkage::External, n_params, locals, body: Some(graph.finish()), ..header })
    }

    /// The function that a call calls; one without body if none is defined.
    fn callee(&mut self, name: &Name, args: &[Type]) -> R<(FuncId, Vec<Type>)> {
        if let Some(i) = self.program.procs.iter().position(|p| p.name.text == name.text) {
            let proc = &self.program.procs[i];
            let params = proc.params.iter().map(|d| self.names.type_of(d)).collect::<R<Vec<Type>>>()?;
            return Ok((FuncId::from_index(i), params));
        }
        let known = self.functions.iter_enumerated().find(|(_, f)| f.name == name.text).map(|(id, _)| id);
        if let Some(id) = known {
            if self.functions[id].n_params != args.len() {
                let message = format!("`{}` was called with {} before", name.text, self.functions[id].n_params);
                return Err(Diagnostic::error("arguments", name.span, message));
            }
            return Ok((id, args.to_vec()));
        }
        Ok((self.functions.push(undefined(name, args)), args.to_vec()))
    }
}

/// A function without body.
fn undefined(name: &Name, params: &[Type]) -> Function {
    let local = |(i, ty): (usize, &Type)| Local {
        name: format!("p{i}"),
        shape: Shape::Scalar(ir_ty(*ty)),
        constant: false,
        span: name.span,
    };
    Function {
        name: name.text.clone(),
        linkage: Linkage::External,
        n_params: params.len(),
        variadic: false,
        locals: params.iter().enumerate().map(local).collect(),
        ret: None,
        body: None,
        span: name.span,
    }
}

/// One procedure on its way.
struct BodyOf<'c, 'a> {
    context: &'c mut Context<'a>,
    locals: IndexVec<LocalId, Local>,
    scope: BTreeMap<String, (LocalId, Type)>,
    graph: Assembly,
}

impl BodyOf<'_, '_> {
    /// The steps before the first statement: locals are drawn, and what has an enumeration's type is one of its values.
    fn begin(&mut self, proc: &Proc, named: &[(String, Type)], is_entry: bool) -> Loc {
        let mut at = self.graph.entry();
        for (i, (_, ty)) in named.iter().enumerate() {
            let local = Var::Local(LocalId::from_index(i));
            let span = self.locals[LocalId::from_index(i)].span;
            let formal = i < proc.params.len();
            if !formal {
                let havoc = IrOp::Havoc(HavocDst::Place(Place::var(local, ir_ty(*ty))), Source::Uninit);
                at = self.step(at, havoc, span);
            }
            if !formal || is_entry {
                at = self.in_range(at, local, *ty, span);
            }
        }
        if is_entry {
            let globals: Vec<(GlobalId, Type, Span)> = self
                .context
                .globals
                .iter_enumerated()
                .map(|(id, g)| (id, self.context.names.globals[&g.name], g.span))
                .collect();
            for (id, ty, span) in globals {
                at = self.in_range(at, Var::Global(id), ty, span);
            }
        }
        at
    }

    fn in_range(&mut self, at: Loc, var: Var, ty: Type, span: Span) -> Loc {
        let Type::Enum(e) = ty else { return at };
        let n = self.context.program.enums[e].values.len();
        let value = || IrExpr::var(var, INT);
        let low = IrExpr::binary(BinOp::Ge, value(), IrExpr::int(INT, 0));
        let high = IrExpr::binary(BinOp::Lt, value(), IrExpr::int(INT, n as i128));
        self.step(at, IrOp::Assume(IrExpr::binary(BinOp::And, low, high)), span)
    }

    fn step(&mut self, from: Loc, op: IrOp, span: Span) -> Loc {
        let to = self.graph.loc(span);
        self.graph.edge(from, Some(to), Vec::new(), op, span);
        to
    }

    fn temporary(&mut self, ty: Ty, span: Span) -> LocalId {
        let name = format!("${}", self.locals.len());
        self.locals.push(Local { name, shape: Shape::Scalar(ty), constant: false, span })
    }

    /// Lowers one expression; each `?` in it has been drawn at the location that is given back.
    fn expr(&mut self, at: Loc, e: &Expr, want: Option<Type>) -> R<(Loc, IrExpr, Type, Lowered)> {
        let mut out = Lowered::default();
        let first = self.locals.len();
        let mut made = 0;
        let mut choice = || {
            made += 1;
            LocalId::from_index(first + made - 1)
        };
        let scope = Scope { names: &self.context.names, globals: &self.context.ids, locals: self.scope.clone() };
        let (value, ty) = match want {
            Some(ty) => (scope.typed(e, ty, &mut choice, &mut out)?, ty),
            None => scope.lower(e, &mut choice, &mut out)?,
        };
        let mut at = at;
        for &(local, span) in &out.choices {
            let made = self.temporary(Ty::Bool, span);
            assert_eq!(made, local, "choices are numbered as they are made");
            let place = Place::var(Var::Local(local), Ty::Bool);
            at = self.step(at, IrOp::Havoc(HavocDst::Place(place), Source::Nondet("?".to_owned())), span);
        }
        Ok((at, value, ty, out))
    }

    fn statements(&mut self, body: &[Stmt], mut at: Loc) -> R<Loc> {
        for stmt in body {
            at = self.statement(stmt, at)?;
        }
        Ok(at)
    }

    /// Lowers a statement that begins at `at`; what comes next begins where the result says.
    fn statement(&mut self, stmt: &Stmt, mut at: Loc) -> R<Loc> {
        if let Some(label) = &stmt.label {
            if at == self.graph.entry() {
                at = self.step(at, IrOp::Skip, stmt.span);
            }
            // A location has one label: a statement behind a join has one of its own.
            let here = self.graph.loc(stmt.span);
            self.graph.jump(at, here, stmt.span);
            self.graph.label(here, &label.text);
            at = here;
        }
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Skip => Ok(self.step(at, IrOp::Skip, span)),
            StmtKind::Return => {
                let exit = self.graph.exit();
                self.graph.edge(at, Some(exit), Vec::new(), IrOp::Return(None), span);
                Ok(self.graph.loc(span))
            }
            StmtKind::Assign(names, values) => self.assign(names, values, at, span),
            StmtKind::Assert(e) | StmtKind::Assume(e) => {
                let (at, cond, _, lowered) = self.expr(at, e, Some(Type::Bool))?;
                let (holds, fails) = (self.graph.loc(span), self.graph.loc(span));
                self.graph.edge(at, Some(holds), lowered.guards.clone(), IrOp::Assume(cond.clone()), span);
                if matches!(stmt.kind, StmtKind::Assert(_)) {
                    self.graph.edge(at, Some(fails), lowered.guards, IrOp::Assume(cond.negate()), span);
                    self.graph.edge(fails, None, Vec::new(), IrOp::Error(ErrorKind::Assert(show(e))), span);
                }
                Ok(holds)
            }
            StmtKind::If(cond, yes, no) => {
                let (on_true, on_false) = self.branch(at, cond)?;
                let after = self.graph.loc(span);
                for (start, body) in [(on_true, yes), (on_false, no)] {
                    let end = self.statements(body, start)?;
                    self.graph.jump(end, after, span);
                }
                Ok(after)
            }
            StmtKind::While(cond, body) => {
                let head = self.graph.loc(span);
                self.graph.jump(at, head, span);
                let (on_true, on_false) = self.branch(head, cond)?;
                let end = self.statements(body, on_true)?;
                self.graph.jump(end, head, span);
                Ok(on_false)
            }
            StmtKind::Call(name, args) => self.call(name, args, at, span),
        }
    }

    fn branch(&mut self, at: Loc, cond: &Expr) -> R<(Loc, Loc)> {
        let (at, value, _, lowered) = self.expr(at, cond, Some(Type::Bool))?;
        let (yes, no) = (self.graph.loc(cond.span), self.graph.loc(cond.span));
        self.graph.edge(at, Some(yes), lowered.guards.clone(), IrOp::Assume(value.clone()), cond.span);
        self.graph.edge(at, Some(no), lowered.guards, IrOp::Assume(value.negate()), cond.span);
        Ok((yes, no))
    }

    fn assign(&mut self, names: &[Name], values: &[Expr], mut at: Loc, span: Span) -> R<Loc> {
        if names.len() != values.len() {
            let message = format!("{} variables are given {} values", names.len(), values.len());
            return Err(Diagnostic::error("arguments", span, message));
        }
        let mut writes: Vec<(Var, Type, IrExpr, Vec<Guard>)> = Vec::new();
        for (name, value) in names.iter().zip(values) {
            let scope = Scope { names: &self.context.names, globals: &self.context.ids, locals: self.scope.clone() };
            let (var, ty) = scope.variable(&name.text).ok_or_else(|| {
                Diagnostic::error("undeclared", name.span, format!("there is no variable `{}`", name.text))
            })?;
            if writes.iter().any(|(other, ..)| *other == var) {
                let message = format!("`{}` is assigned twice", name.text);
                return Err(Diagnostic::error("assigned-twice", name.span, message));
            }
            let (next, value, _, lowered) = self.expr(at, value, Some(ty))?;
            at = next;
            writes.push((var, ty, value, lowered.guards));
        }
        // One assignment needs no temporaries; several are evaluated before any of them happens.
        if let [(var, ty, value, guards)] = &mut writes[..] {
            let to = self.graph.loc(span);
            let op = IrOp::Assign(Place::var(*var, ir_ty(*ty)), value.clone());
            self.graph.edge(at, Some(to), std::mem::take(guards), op, span);
            return Ok(to);
        }
        let mut later = Vec::new();
        for (var, ty, value, guards) in writes {
            let held = self.temporary(ir_ty(ty), span);
            let to = self.graph.loc(span);
            let op = IrOp::Assign(Place::var(Var::Local(held), ir_ty(ty)), value);
            self.graph.edge(at, Some(to), guards, op, span);
            at = to;
            later.push((var, ty, held));
        }
        for (var, ty, held) in later {
            let value = IrExpr::var(Var::Local(held), ir_ty(ty));
            at = self.step(at, IrOp::Assign(Place::var(var, ir_ty(ty)), value), span);
        }
        Ok(at)
    }

    fn call(&mut self, name: &Name, args: &[Expr], mut at: Loc, span: Span) -> R<Loc> {
        let mut lowered = Vec::new();
        let mut guards = Vec::new();
        for arg in args {
            let (next, value, ty, out) = self.expr(at, arg, None)?;
            at = next;
            guards.extend(out.guards);
            lowered.push((value, ty, arg.span));
        }
        let types: Vec<Type> = lowered.iter().map(|(_, ty, _)| *ty).collect();
        let (callee, params) = self.context.callee(name, &types)?;
        if params.len() != args.len() {
            let message = format!("`{}` has {} parameters, not {}", name.text, params.len(), args.len());
            return Err(Diagnostic::error("arguments", span, message));
        }
        if let Some(((_, _, place), _)) = lowered.iter().zip(&params).find(|((_, ty, _), want)| ty != *want) {
            return Err(Diagnostic::error("type", *place, "this is not of the parameter's type"));
        }
        let args = lowered.into_iter().map(|(value, ..)| value).collect();
        let to = self.graph.loc(span);
        let call = Call { dst: None, callee: Callee::Direct(callee), args };
        self.graph.edge(at, Some(to), guards, IrOp::Call(call), span);
        Ok(to)
    }
}
