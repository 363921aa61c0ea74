//! The function in which a run begins: packages get their values, parameters are drawn, then the entry is called.
//!
//! A variable of a package whose initial value is a constant needs no step: it is the global's own initial value.

use super::body::Body;
use super::names::{Entity, Home, Object};
use super::{Context, Globals, Options, R};
use crate::syntax::{Mode, Stmt};
use base::Id;
use ir::{Call, Callee, Expr as IrExpr, FuncId, Init, InitItem, Op, Var};

impl Context<'_> {
    /// The function where the run begins: the entry itself, if nothing needs to happen before it.
    pub(super) fn start(&mut self, entry: usize, options: &Options, statements: &[(String, &[Stmt])]) -> R<FuncId> {
        let s = &self.subprograms[entry];
        let (params, spec, result) = (s.params.clone(), s.spec, s.result);
        let in_package = s.package.is_some();
        let arbitrary = match options.globals {
            Globals::ByEntry => in_package,
            Globals::Initial => false,
            Globals::Arbitrary => true,
        };
        // What a subprogram declares it initialises itself.
        let state: Vec<usize> =
            (0..self.state.len()).filter(|&i| !self.in_subprogram(self.state[i].package.as_deref())).collect();
        let mut later = Vec::new();
        for i in state {
            if (arbitrary && !self.state[i].constant) || !self.static_initial(i) {
                later.push(i);
            }
        }
        let runs: Vec<_> = statements.iter().filter(|(_, s)| !s.is_empty()).collect();
        // Which of two packages' bodies gets its values first Ada leaves open: a value must not depend on what another's statements did.
        for &i in &later {
            let (state, other) = (&self.state[i], |q: &String| Some(q) != self.state[i].package.as_ref());
            if state.value.is_some() && !arbitrary && runs.iter().any(|(q, _)| other(q)) {
                let message = "initial values that are no constants, beside packages with statements of their own, are not in the \
                               subset of SPARK that is supported";
                return Err(base::Diagnostic::error("unsupported", state.span, message));
            }
        }
        let callee: FuncId = Id::from_index(entry);
        if later.is_empty() && runs.is_empty() && params.is_empty() && spec.pre.is_empty() && result.is_none() {
            return Ok(callee);
        }
        let func = self.functions.push(ir::Function {
            name: "$start".to_owned(),
            linkage: ir::Linkage::Internal,
            n_params: 0,
            variadic: false,
            locals: base::IndexVec::new(),
            ret: None,
            body: None,
            span: spec.name.span,
        });
        let mut b = Body::new(self, func, None, spec.name.span);
        for i in later {
            b.initialise(i, arbitrary)?;
        }
        for (package, statements) in runs.into_iter().filter(|_| !arbitrary) {
            b.package = Some(package.clone());
            b.statements(statements)?;
        }
        b.package = None;
        b.enter(callee, &params, spec, result)?;
        let exit = b.graph.exit();
        b.graph.edge(b.at, Some(exit), Vec::new(), Op::Return(None), spec.name.span);
        let function = b.finish("$start".to_owned(), 0, None, spec.name.span);
        self.functions[func] = function;
        Ok(func)
    }

    /// Makes a constant initial value the global's own. Whether there is one.
    fn static_initial(&mut self, i: usize) -> bool {
        let state = &self.state[i];
        let (sub, package) = (state.sub, state.package.as_deref());
        if self.types.is_composite(sub.ty) {
            return false;
        }
        let Some(value) = state.value else { return false };
        let Ok(n) = self.static_typed(value, Some(sub.ty), package, &[]) else { return false };
        if !(sub.low..=sub.high).contains(&n) {
            return false;
        }
        let value = match self.types.scalar(sub.ty) {
            ir::Ty::Bool => IrExpr::bool(n != 0),
            ty => IrExpr::int(ty, n),
        };
        let global = state.global;
        self.globals[global].init = Init::Values(vec![InitItem { offset: 0, bits: None, value }]);
        true
    }
}

impl Body<'_, '_> {
    /// Gives a variable of a package what it holds when the run begins.
    fn initialise(&mut self, i: usize, arbitrary: bool) -> R<()> {
        let state = &self.c.state[i];
        let (sub, span, constant, value) = (state.sub, state.span, state.constant, state.value);
        let name = self.c.globals[state.global].name.clone();
        self.package.clone_from(&state.package);
        let home = Home::Var(Var::Global(state.global));
        let object = Object { home, sub, variable: true, valid: false };
        if arbitrary && !constant {
            // A variable that nobody has initialised need not be valid.
            if value.is_some() || self.all_defaults(sub.ty) {
                return self.draw(&object, &name, span);
            }
            return self.anything(&object, span);
        }
        match value {
            Some(value) => {
                let path = self.path_of(&object);
                self.fill(&path, value)
            }
            None => {
                let path = self.path_of(&object);
                self.unset(&path, span)
            }
        }
    }

    /// Any bytes at all.
    fn anything(&mut self, object: &Object, span: base::Span) -> R<()> {
        let path = self.path_of(object);
        if self.c.types.is_composite(object.sub.ty) {
            let size = self.c.types.get(object.sub.ty).size;
            let len = IrExpr::int(super::types::Types::MODEL.size_ty(), i128::from(size));
            let dst = ir::HavocDst::Range { dst: IrExpr::addr(path.address()), len };
            self.step(Op::Havoc(dst, ir::Source::Uninit), span);
        } else {
            let place = self.place(&path);
            self.step(Op::Havoc(ir::HavocDst::Place(place), ir::Source::Uninit), span);
        }
        Ok(())
    }

    /// Draws the parameters of the entry within their subtypes and its precondition, and calls it.
    fn enter(
        &mut self,
        callee: FuncId,
        params: &[(String, Mode, super::types::Sub)],
        spec: &crate::syntax::Subprogram,
        result: Option<super::types::Sub>,
    ) -> R<()> {
        let index = callee.index();
        self.package.clone_from(&self.c.subprograms[index].package);
        let mut args = Vec::new();
        if let Some(sub) = result.filter(|r| self.c.types.is_composite(r.ty)) {
            let object = self.scratch(sub, spec.name.span);
            let path = self.path_of(&object);
            args.push(IrExpr::addr(path.address()));
        }
        for ((_, mode, sub), p) in params.iter().zip(&spec.params) {
            let composite = self.c.types.is_composite(sub.ty);
            if *mode == Mode::Out && !composite {
                continue;
            }
            let (_, object) = self.object(&p.name, *sub, true, true);
            let path = self.path_of(&object);
            if *mode == Mode::Out {
                self.anything(&object, p.name.span)?;
            } else {
                self.draw(&object, &p.name.text, p.name.span)?;
            }
            self.bind(&p.name, Entity::Object(object));
            args.push(if composite { IrExpr::addr(path.address()) } else { IrExpr::read(self.place(&path)) });
        }
        for pre in &spec.pre {
            let cond = self.condition(pre)?;
            self.assume(cond, pre.span);
        }
        let dst = result.filter(|r| !self.c.types.is_composite(r.ty)).map(|sub| {
            let ty = self.c.types.scalar(sub.ty);
            Var::Local(self.temporary(ty, spec.name.span))
        });
        self.step(Op::Call(Call { dst, callee: Callee::Direct(callee), args }), spec.name.span);
        Ok(())
    }
}
