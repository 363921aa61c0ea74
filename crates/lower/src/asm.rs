//! Inline assembly. A template of a few plain instructions - moves, increments, sums, the test of a result - is what it
//! does, and an empty one does nothing. What reads the machine - its kind, its clocks, its random numbers - gives values from outside.
//! Of any other the outputs become arbitrary; if it says that it touches memory, it is a call of an unknown function with its
//! pointers as arguments. That it touches nothing else is an assumption. `asm goto` with such a template goes on at any of its labels or
//! behind it; one that is empty or understood has no jump.

use crate::fold;
use crate::function::Fun;
use base::Span;
use base::sabotage::{self, Fault};
use cfront::tree::{Asm, AsmId, ExprId};
use ir::{BinOp, Call, Callee, Expr, HavocDst, Op, Source, Ty, UnOp};

/// What one instruction does; operands are numbered as in the template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instruction {
    Move(Operand, usize),
    Binary(BinOp, Operand, usize),
    Unary(UnOp, usize),
    /// Sets the operand to whether the last result is zero (or is not).
    Test(bool, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    Number(usize),
    Constant(i64),
}

/// A line without a remark behind `#` that no operand can be: where `#` begins an immediate, there is no `::` in it. Those of the
/// kernel name the member that a word of data is for (`# bug_entry::line`).
fn without_comment(line: &str) -> &str {
    match line.split_once("# ") {
        Some((code, remark)) if remark.contains("::") => code,
        _ => line,
    }
}

impl Fun<'_, '_> {
    /// An `asm` statement.
    pub(crate) fn asm(&mut self, id: AsmId, span: Span) {
        let unit = self.unit;
        let asm = &unit.asms[id];
        if !asm.labels.is_empty() && !self.cleanups.is_empty() {
            return self.unsupported("asm goto in the scope of a cleanup attribute", span);
        }
        let nothing = asm.template.trim().is_empty();
        if !nothing
            && let Some(instructions) = understood(asm)
            && instructions.iter().all(|i| self.asm_fits(asm, i))
        {
            return self.asm_instructions(asm, &instructions, span);
        }
        if !nothing && self.names_symbols(&asm.template) {
            return self.unsupported("assembly that names variables or functions", span);
        }
        self.asm_effects(asm, nothing, span);
        if !nothing && !asm.labels.is_empty() {
            self.asm_jumps(asm, span);
        }
    }

    /// What instructions that are not understood, or none, do to variables and memory.
    fn asm_effects(&mut self, asm: &Asm, nothing: bool, span: Span) {
        let unit = self.unit;
        let mut tied = vec![None; asm.outputs.len()];
        for input in &asm.inputs {
            let ty = unit.exprs[input.expr].ty;
            let output = input.constraint.parse::<usize>().ok().filter(|&i| nothing && i < tied.len());
            if let (Some(i), Some(_)) = (output, self.scalar(ty)) {
                let value = self.value(input.expr);
                tied[i] = Some(self.keep_if_memory(value, span));
            } else if unit.is_place(input.expr) && (input.constraint.contains('m') || self.scalar(ty).is_none()) {
                self.address(input.expr);
            } else {
                self.effect(input.expr);
            }
        }
        self.flush(span);
        let machine = reads_machine(&asm.template);
        if !nothing && machine.is_none() {
            self.asm_gets_pointers(asm, span);
        }
        let touches = asm.clobbers.iter().any(|c| &**c == "memory") && !sabotage::active(Fault::AsmTouchesNoMemory);
        if !nothing && machine.is_none() && touches {
            self.asm_touches_memory(asm, span);
        }
        let source = Source::Outside(machine.unwrap_or("asm").to_owned());
        for (output, tied) in asm.outputs.iter().zip(tied) {
            let ty = unit.exprs[output.expr].ty;
            // An empty template leaves in place what it gets: in the register of an input, or in memory.
            let stays = nothing && is_kept(&output.constraint);
            if self.scalar(ty).is_some() {
                let lv = self.lvalue(output.expr);
                match tied {
                    Some(value) => {
                        let value = fold::convert(lv.ty, value, self.model());
                        self.write(&lv, value, span);
                    }
                    None if stays => self.flush(span),
                    None => self.havoc(&lv, &source, span),
                }
            } else {
                let addr = self.address(output.expr);
                match unit.types.size(ty) {
                    Some(_) if stays => self.flush(span),
                    Some(size) => {
                        self.access(&addr, size);
                        self.havoc_object(&addr, size, source.clone(), span);
                    }
                    None => self.unsupported("object of unknown size", span),
                }
            }
        }
    }

    /// Control goes on behind the statement or at one of the labels of `asm goto`, as the outside chooses.
    fn asm_jumps(&mut self, asm: &Asm, span: Span) {
        self.flush(span);
        let ty = Ty::int(32, false);
        let choice = ir::Place::var(self.temp(ty, span), ty);
        self.emit(Op::Havoc(HavocDst::Place(choice.clone()), Source::Outside("asm".to_owned())), span);
        let is = |n: usize| fold::binary(BinOp::Eq, Expr::read(choice.clone()), Expr::constant(ty, n as u128));
        let from = self.cur;
        for (i, &l) in asm.labels.iter().enumerate() {
            let to = self.label(l);
            self.cur = from;
            self.emit_to(Op::Assume(is(i)), to, span);
        }
        self.cur = from;
        let behind = self.graph.loc();
        let none = (0..asm.labels.len()).map(|i| is(i).negate()).collect();
        self.emit_to(Op::Assume(fold::all(none)), behind, span);
        self.at(behind);
    }

    /// Unknown instructions may put the pointers that they get, or find in their operands, into their outputs: so they have
    /// escaped. A pointer does not fit into outputs that are smaller.
    fn asm_gets_pointers(&mut self, asm: &Asm, span: Span) {
        let unit = self.unit;
        let pointer = Ty::Ptr.size(self.model());
        let fits = |o: &cfront::tree::AsmOperand| unit.types.size(unit.exprs[o.expr].ty).is_none_or(|n| n >= pointer);
        if !asm.outputs.iter().any(fits) {
            return;
        }
        let number = self.model().size_ty();
        for operand in asm.outputs.iter().chain(&asm.inputs) {
            let e = operand.expr;
            let value = match self.scalar(unit.exprs[e].ty) {
                Some(Ty::Ptr) if operand.constraint.starts_with('=') => continue,
                Some(Ty::Ptr) => self.value(e),
                Some(_) => continue,
                None if unit.is_place(e) => Expr::addr(self.address(e)),
                None => continue,
            };
            let known = self.temp(number, span);
            let place = ir::Place::var(known, number);
            self.emit(Op::Assign(place, Expr::convert(number, value)), span);
        }
    }

    /// Whether a template names something of the program: what it does to that is not known. The first word of a statement is an
    /// instruction, whatever else has that name (kernels have functions `inb` and `outb`), unless it is a label or is given a value.
    fn names_symbols(&self, template: &str) -> bool {
        let unit = self.unit;
        let symbols = self.cx.symbols[self.u as usize].get_or_init(|| {
            let variables = unit.vars.iter().filter(|v| v.owner.is_none()).filter_map(|v| v.name);
            let functions = unit.funcs.iter().filter(|f| f.body.is_some()).map(|f| f.name);
            variables.chain(functions).map(|n| unit.name(n)).collect()
        });
        template.lines().map(without_comment).flat_map(|line| line.split(';')).any(|statement| {
            let operands = behind_instruction(statement);
            let mut words = operands.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '%'));
            words.any(|w| !w.starts_with('%') && symbols.contains(w))
        })
    }

    /// What unknown instructions can do to memory is what an undefined function can do that gets the same pointers.
    fn asm_touches_memory(&mut self, asm: &Asm, span: Span) {
        let unit = self.unit;
        let read = asm.outputs.iter().filter(|o| o.constraint.starts_with('+')).chain(&asm.inputs);
        let pointers = read.map(|o| o.expr).filter(|&e| self.scalar(unit.exprs[e].ty) == Some(Ty::Ptr));
        let mut args = Vec::new();
        for e in pointers.collect::<Vec<_>>() {
            let value = self.value(e);
            args.push(self.keep_if_memory(value, span));
        }
        let callee = Callee::Direct(self.cx.unknown_instructions(span));
        self.emit(Op::Call(Call { dst: None, callee, args }), span);
    }

    /// Whether an instruction moves whole operands: one for bytes leaves the rest of a longer one as it is.
    fn asm_fits(&self, asm: &Asm, (instruction, width): &(Instruction, Option<u64>)) -> bool {
        let size = |n: usize| Some(self.scalar(self.unit.exprs[operand(asm, n)].ty)?.size(self.model()));
        let (from, to) = match *instruction {
            Instruction::Move(from, to) | Instruction::Binary(_, from, to) => (from, to),
            Instruction::Unary(_, to) | Instruction::Test(_, to) => (Operand::Constant(0), to),
        };
        let Some(whole) = size(to).filter(|&s| width.is_none_or(|w| w == s)) else { return false };
        match from {
            Operand::Constant(_) => true,
            Operand::Number(n) => size(n).is_some_and(|s| if width.is_some() { s >= whole } else { s == whole }),
        }
    }

    fn asm_instructions(&mut self, asm: &Asm, instructions: &[(Instruction, Option<u64>)], span: Span) {
        for (i, _) in asm.outputs.iter().enumerate() {
            if let Some(tied) = asm.inputs.iter().find(|input| &*input.constraint == i.to_string().as_str()) {
                let value = self.value(tied.expr);
                self.asm_write(operand(asm, i), value, span);
            }
        }
        let mut last = None;
        for (instruction, _) in instructions {
            match *instruction {
                Instruction::Move(from, to) => {
                    let value = self.asm_value(asm, from, to);
                    self.asm_write(operand(asm, to), value, span);
                }
                Instruction::Binary(op, from, to) => {
                    let (a, b) = (self.value(operand(asm, to)), self.asm_value(asm, from, to));
                    let b = fold::convert(a.ty, b, self.model());
                    self.asm_write(operand(asm, to), fold::binary(op, a, b), span);
                    last = Some(to);
                }
                Instruction::Unary(op, to) => {
                    let a = self.value(operand(asm, to));
                    self.asm_write(operand(asm, to), fold::unary(op, a), span);
                    last = Some(to);
                }
                Instruction::Test(zero, to) => {
                    let Some(last) = last else { continue };
                    let value = self.value(operand(asm, last));
                    let op = if zero { BinOp::Eq } else { BinOp::Ne };
                    let test = fold::binary(op, value.clone(), Expr::constant(value.ty, 0));
                    self.asm_write(operand(asm, to), test, span);
                }
            }
        }
        self.flush(span);
    }

    fn asm_value(&mut self, asm: &Asm, from: Operand, to: usize) -> Expr {
        match from {
            Operand::Number(n) => self.value(operand(asm, n)),
            Operand::Constant(c) => {
                let ty = self.scalar(self.unit.exprs[operand(asm, to)].ty).unwrap_or(Ty::int(32, true));
                Expr::int(ty, c.into())
            }
        }
    }

    fn asm_write(&mut self, place: ExprId, value: Expr, span: Span) {
        let lv = self.lvalue(place);
        let value = fold::convert(lv.ty, value, self.model());
        self.write(&lv, value, span);
    }
}

/// A statement of a template without its instruction and what stands before that and cannot be a symbol.
fn behind_instruction(statement: &str) -> &str {
    const PREFIXES: [&str; 6] = ["lock", "rep", "repe", "repz", "repne", "repnz"];
    let mut rest = statement.trim_start();
    loop {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        let (first, behind) = (&rest[..end], rest[end..].trim_start());
        if !first.is_empty() && first.bytes().all(|b| b.is_ascii_digit()) && behind.starts_with(':') {
            // A local label is a number.
            rest = behind[1..].trim_start();
            continue;
        }
        if behind.starts_with([':', '=']) {
            return rest;
        }
        rest = behind;
        if !PREFIXES.contains(&first) {
            return rest;
        }
    }
}

/// Whether an output holds its old value when the template begins: it is also an input, or stays in memory.
fn is_kept(constraint: &str) -> bool {
    constraint.starts_with('+') || constraint.chars().all(|c| matches!(c, '=' | '&' | 'm' | 'o' | 'V'))
}

/// The instruction of a template that does nothing but read the machine: no program determines what it gives.
fn reads_machine(template: &str) -> Option<&'static str> {
    const READ: [&str; 8] = ["cpuid", "rdtsc", "rdtscp", "rdpmc", "rdrand", "rdseed", "xgetbv", "rdpid"];
    const FENCES: [&str; 4] = ["lfence", "mfence", "sfence", "nop"];
    let mut found = None;
    for line in template.split(['\n', ';']).map(str::trim).filter(|l| !l.is_empty()) {
        let name = line.split_whitespace().next()?;
        match READ.into_iter().find(|r| *r == name) {
            Some(read) => found = Some(read),
            None if FENCES.contains(&name) => {}
            None => return None,
        }
    }
    found
}

/// The expression of an operand: outputs come first.
fn operand(asm: &Asm, n: usize) -> ExprId {
    if n < asm.outputs.len() { asm.outputs[n].expr } else { asm.inputs[n - asm.outputs.len()].expr }
}

/// The instructions of a template, each with the bytes that it moves if it says so, if all are understood, read only what has
/// a value, and set every output.
fn understood(asm: &Asm) -> Option<Vec<(Instruction, Option<u64>)>> {
    let tied = |i: usize| asm.inputs.iter().any(|input| &*input.constraint == i.to_string().as_str());
    let mut known: Vec<bool> =
        asm.outputs.iter().enumerate().map(|(i, o)| o.constraint.starts_with('+') || tied(i)).collect();
    known.resize(asm.outputs.len() + asm.inputs.len(), true);
    let mut instructions = Vec::new();
    let mut elsewhere = false;
    for line in asm.template.split(['\n', ';']) {
        let line = line.trim().trim_start_matches(|c: char| c.is_ascii_digit() || c == ':').trim();
        if line.is_empty() || line == "lock" {
            continue;
        }
        if line.starts_with('.') {
            elsewhere = section(line, elsewhere)?;
            continue;
        }
        let line = line.strip_prefix("lock").unwrap_or(line).trim();
        let width = line.split_whitespace().next().and_then(width);
        let instruction = instruction(line).filter(|_| !elsewhere)?;
        let (reads, to) = match instruction {
            Instruction::Move(from, to) => (vec![from], to),
            Instruction::Binary(_, from, to) => (vec![from, Operand::Number(to)], to),
            Instruction::Unary(_, to) => (vec![Operand::Number(to)], to),
            Instruction::Test(_, to) => (Vec::new(), to),
        };
        let fine = |o: &Operand| {
            matches!(*o, Operand::Constant(_)) || matches!(*o, Operand::Number(n) if known.get(n) == Some(&true))
        };
        // Inputs are written only where they are memory.
        let writable = to < asm.outputs.len() || asm.inputs.get(to - asm.outputs.len())?.constraint.contains('m');
        if !reads.iter().all(fine) || !writable {
            return None;
        }
        known[to] = true;
        instructions.push((instruction, width));
    }
    known.iter().all(|k| *k).then_some(instructions)
}

/// Whether the lines behind a directive go to another section, such as a table for the linker; none where a directive may make
/// instructions, as `.byte` does.
fn section(line: &str, elsewhere: bool) -> Option<bool> {
    match line.split_whitespace().next()? {
        ".section" | ".pushsection" => Some(true),
        ".previous" | ".popsection" => Some(false),
        ".align" | ".balign" | ".p2align" => Some(elsewhere),
        _ => elsewhere.then_some(true),
    }
}

/// The bytes that an instruction of this name moves, if its name says so.
fn width(name: &str) -> Option<u64> {
    const STEMS: [&str; 10] = ["mov", "add", "sub", "and", "or", "xor", "inc", "dec", "neg", "not"];
    let suffix = STEMS.iter().find_map(|stem| name.strip_prefix(stem));
    match suffix {
        Some("b") => Some(1),
        Some("w") => Some(2),
        Some("l") => Some(4),
        Some("q") => Some(8),
        Some(_) => None,
        // `sete` and its kin set a byte.
        None => name.starts_with("set").then_some(1),
    }
}

fn instruction(line: &str) -> Option<Instruction> {
    let (name, operands) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let operands: Vec<Operand> =
        operands.split(',').map(str::trim).filter(|o| !o.is_empty()).map(read_operand).collect::<Option<_>>()?;
    let plain = |stem: &str| name.strip_prefix(stem).is_some_and(|s| matches!(s, "" | "b" | "w" | "l" | "q"));
    match (name, &operands[..]) {
        ("sete" | "setz", &[Operand::Number(to)]) => Some(Instruction::Test(true, to)),
        ("setne" | "setnz", &[Operand::Number(to)]) => Some(Instruction::Test(false, to)),
        (_, &[from, Operand::Number(to)]) if plain("mov") => Some(Instruction::Move(from, to)),
        (_, &[from, Operand::Number(to)]) => {
            let ops =
                [("add", BinOp::Add), ("sub", BinOp::Sub), ("and", BinOp::And), ("or", BinOp::Or), ("xor", BinOp::Xor)];
            let op = ops.into_iter().find(|(stem, _)| plain(stem))?.1;
            Some(Instruction::Binary(op, from, to))
        }
        (_, &[Operand::Number(to)]) if plain("inc") => Some(Instruction::Binary(BinOp::Add, Operand::Constant(1), to)),
        (_, &[Operand::Number(to)]) if plain("dec") => Some(Instruction::Binary(BinOp::Sub, Operand::Constant(1), to)),
        (_, &[Operand::Number(to)]) if plain("neg") => Some(Instruction::Unary(UnOp::Neg, to)),
        (_, &[Operand::Number(to)]) if plain("not") => Some(Instruction::Unary(UnOp::Not, to)),
        _ => None,
    }
}

/// `%0`, `%b1` or `$5`.
fn read_operand(text: &str) -> Option<Operand> {
    if let Some(n) = text.strip_prefix('$') {
        return n.parse().ok().map(Operand::Constant);
    }
    let n = text.strip_prefix('%')?.trim_start_matches(['b', 'w', 'k', 'q']);
    n.parse().ok().filter(|n| *n < 30).map(Operand::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_instructions_are_read() {
        assert_eq!(instruction("movb %1,%0"), Some(Instruction::Move(Operand::Number(1), 0)));
        assert_eq!(instruction("incl %0"), Some(Instruction::Binary(BinOp::Add, Operand::Constant(1), 0)));
        assert_eq!(instruction("addl %b1, %0"), Some(Instruction::Binary(BinOp::Add, Operand::Number(1), 0)));
        assert_eq!(instruction("sete %1"), Some(Instruction::Test(true, 1)));
        assert_eq!(instruction("movq %%gs:%P1,%0"), None);
        assert_eq!(instruction("cpuid"), None);
    }

    #[test]
    fn directives_are_no_instructions() {
        assert_eq!(section(".section .smp_locks,\"a\"", false), Some(true));
        assert_eq!(section(".long 661b", true), Some(true));
        assert_eq!(section(".previous", true), Some(false));
        assert_eq!(section(".byte 0x0f, 0xa2", false), None);
        assert_eq!((width("movb"), width("addl"), width("xor"), width("setz")), (Some(1), Some(4), None, Some(1)));
    }

    #[test]
    fn reading_the_machine_is_input() {
        assert_eq!(reads_machine("cpuid\n\t"), Some("cpuid"));
        assert_eq!(reads_machine("lfence; rdtsc"), Some("rdtsc"));
        assert_eq!(reads_machine("rdtsc\n addl $1, %0"), None);
        assert_eq!(reads_machine("nop"), None);
    }
}
