//! Interrupts (`--interrupt`): a handler that may run before any statement of other functions.
//!
//! Which statements these are is chosen by the run, and whether interrupts are enabled is for the handler to ask: it is a
//! function of the harness, without parameters. It runs at most once before each statement and in each round of a loop, and is not
//! interrupted itself: a hidden variable says that it runs.

use crate::context::Context;
use crate::fold;
use crate::function::Fun;
use crate::link::{Entity, Link};
use base::{Diagnostic, Span};
use cfront::tree::{self, Unit};
use ir::{Call, Callee, Expr, Global, GlobalId, Init, Linkage, Op, Place, Shape, Ty, Var};

/// What the choices are called, whether the handler runs.
pub const CHOICE: &str = "interrupt";

/// The hidden variable that says that the handler runs.
const RUNNING: &str = ".interrupted";

/// The handler that the options name.
pub(crate) fn handler(
    units: &[Unit],
    options: &crate::Options,
    link: &Link,
) -> Result<Option<Entity<tree::FuncId>>, Vec<Diagnostic>> {
    let Some(name) = &options.interrupt else { return Ok(None) };
    let Some(entity) = link.entry(units, name) else {
        return Err(vec![Diagnostic::global("interrupt", format!("no function `{name}`, which --interrupt names"))]);
    };
    let unit = &units[entity.0 as usize];
    let f = &unit.funcs[entity.1];
    let why = match unit.types.signature(f.ty) {
        _ if f.body.is_none() => "is not defined",
        Some(signature) if signature.params.is_empty() => return Ok(Some(entity)),
        _ => "has parameters; write a function without, which calls it",
    };
    Err(vec![Diagnostic::error("interrupt", f.span, format!("the interrupt handler `{name}` {why}"))])
}

impl Context<'_> {
    fn running(&mut self, span: Span) -> GlobalId {
        let known = self.globals.iter_enumerated().find(|(_, g)| g.name == RUNNING).map(|(id, _)| id);
        known.unwrap_or_else(|| {
            self.globals.push(Global {
                name: RUNNING.to_owned(),
                shape: Shape::Scalar(Ty::Bool),
                init: Init::Zero,
                linkage: Linkage::Internal,
                exposure: ir::Exposure::Hidden,
                constant: false,
                span,
            })
        })
    }
}

impl Fun<'_, '_> {
    /// The handler may run here.
    pub(crate) fn interrupts(&mut self, span: Span) {
        let (Some(handler), Some(f)) = (self.cx.interrupt, self.func) else { return };
        let own = self.cx.link.func(self.cx.units, self.u, f) == handler;
        if own || self.unit.funcs[f].runtime {
            return;
        }
        let running = Place::var(Var::Global(self.cx.running(span)), Ty::Bool);
        let chosen = self.outside_value(Ty::Bool, CHOICE, span);
        let (run, on) = (self.graph.loc(), self.graph.loc());
        self.split(fold::and(chosen, Expr::read(running.clone()).negate()), run, on, span);
        self.at(run);
        self.emit(Op::Assign(running.clone(), Expr::bool(true)), span);
        let callee = Callee::Direct(self.cx.declare(handler));
        self.emit(Op::Call(Call { dst: None, callee, args: Vec::new() }), span);
        self.emit(Op::Assign(running, Expr::bool(false)), span);
        self.goto(on, span);
        self.at(on);
    }
}
