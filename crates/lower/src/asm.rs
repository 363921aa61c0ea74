//! Inline assembly: its outputs become arbitrary. That it touches nothing else is an assumption.

use crate::function::Fun;
use base::Span;
use cfront::tree::AsmId;
use ir::Source;

impl Fun<'_, '_> {
    /// An `asm` statement.
    pub(crate) fn asm(&mut self, id: AsmId, span: Span) {
        let unit = self.unit;
        let asm = &unit.asms[id];
        if !asm.labels.is_empty() {
            return self.unsupported("asm goto", span);
        }
        for input in &asm.inputs {
            let ty = unit.exprs[input.expr].ty;
            if unit.is_place(input.expr) && (input.constraint.contains('m') || self.scalar(ty).is_none()) {
                self.address(input.expr);
            } else {
                self.effect(input.expr);
            }
        }
        self.flush(span);
        let source = Source::Outside("asm".to_owned());
        for output in &asm.outputs {
            let ty = unit.exprs[output.expr].ty;
            if self.scalar(ty).is_some() {
                let lv = self.lvalue(output.expr);
                self.havoc(&lv, &source, span);
            } else {
                let addr = self.address(output.expr);
                match unit.types.size(ty) {
                    Some(size) => {
                        self.access(&addr, size);
                        self.havoc_object(&addr, size, source.clone(), span);
                    }
                    None => self.unsupported("object of unknown size", span),
                }
            }
        }
    }
}
