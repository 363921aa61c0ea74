//! Places at which an operator may have no result. It is handed to a function as it is: gcc computes what is narrowed at once in
//! the narrow type, where it may fit.

use super::programs::Gen;

impl Gen {
    /// An `int` expression that may divide by zero, shift too far, overflow, not fit or come where nothing comes.
    pub(super) fn arithmetic(&mut self) -> String {
        match self.rng.below(12) {
            0..=2 => self.division(),
            3..=4 => self.shift(),
            5..=8 => self.overflow(),
            9..=10 => self.conversion(),
            _ => self.nowhere(),
        }
    }

    /// An integer type with its smallest and largest value.
    fn signed(&mut self) -> (&'static str, &'static str, &'static str) {
        match self.rng.below(3) {
            0 => ("long long", "-9223372036854775807ll - 1", "9223372036854775807ll"),
            _ => ("int", "-2147483647 - 1", "2147483647"),
        }
    }

    fn division(&mut self) -> String {
        let (ty, low, _) = self.signed();
        let small = ["1", "-7", "100", "0", low];
        let n = self.pick(&small);
        let x = self.variable(ty, n);
        // The divisor is what is left after the steps of the form.
        let form = self.rng.below(9);
        let target =
            if self.rng.chance(45) { if n == low { -1 } else { 0 } } else { *self.rng.pick(&[3, -2, 7, -1, 0]) };
        let by = match form {
            1 | 2 | 6 => target,
            3 => target + 1,
            4 => target - 1,
            _ => target,
        };
        let narrow = self.pick(&["int", "short", "signed char", "long long", ty]);
        let y = self.variable(narrow, &by.to_string());
        let op = self.pick(&["/", "%"]);
        let e = match form {
            0 => format!("{x} {op} {y}"),
            1 => format!("{x} {op} {y}++"),
            2 => format!("{x} {op} {y}--"),
            3 => format!("{x} {op} --{y}"),
            4 => format!("{x} {op} ++{y}"),
            5 => format!("({x} {op}= {y})"),
            6 => format!("({x} {op}= {y}++)"),
            7 => format!("({y} += 0, {x} {op} ({y}))"),
            _ => format!("{x}-- {op} {y}"),
        };
        handed(&e)
    }

    fn shift(&mut self) -> String {
        let ty = self.pick(&["int", "unsigned", "long long", "unsigned long long", "unsigned char"]);
        let x = self.variable(ty, "1");
        let width = if ty.contains("long") { 64 } else { 32 };
        let count = *self.rng.pick(&[0, 3, width - 1, width, width + 1, -1, 31, 40]);
        let kind = self.pick(&["int", "signed char", "long long", "short"]);
        let n = self.variable(kind, &count.to_string());
        let op = self.pick(&["<<", ">>"]);
        let e = match self.rng.below(6) {
            0 => format!("{x} {op} {n}"),
            1 => format!("{x} {op} {n}++"),
            2 => format!("{x} {op} {n}--"),
            3 => format!("({x} {op}= {n})"),
            4 => format!("({x} {op}= {n}++)"),
            _ => format!("{x} {op} ({n} + 0)"),
        };
        handed(&e)
    }

    fn overflow(&mut self) -> String {
        let (ty, low, high) = self.signed();
        let near = [low, high, "5", "-3", "1073741824", "-1073741825"];
        let value = self.pick(&near);
        let x = self.variable(ty, value);
        let step = *self.rng.pick(&[1, -1, 2, 1_073_741_823, -1_073_741_824]);
        let y = self.variable("int", &step.to_string());
        let e = match self.rng.below(15) {
            0 => format!("{x} + {y}"),
            1 => format!("{x} - {y}"),
            2 => format!("{x} * {y}"),
            3 => format!("{x}++"),
            4 => format!("{x}--"),
            5 => format!("++{x}"),
            6 => format!("--{x}"),
            7 => format!("-{x}"),
            8 => format!("({x} += {y})"),
            9 => format!("({x} -= {y})"),
            10 => format!("({x} *= 2)"),
            11 => return self.absolute(value, ty),
            12 => format!("({y} = 1, {x} + {y})"),
            13 => format!("{x} + {y}++"),
            _ => return self.narrow_overflow(),
        };
        handed(&e)
    }

    fn absolute(&mut self, value: &str, ty: &str) -> String {
        let x = self.variable(ty, value);
        let name = if ty == "int" { "__builtin_abs" } else { "__builtin_llabs" };
        handed(&format!("{name}({x})"))
    }

    /// Narrow types are computed with in `int`: storing what does not fit is no overflow.
    fn narrow_overflow(&mut self) -> String {
        let ty = self.pick(&["short", "signed char", "unsigned char", "unsigned short"]);
        let value = self.pick(&["127", "-128", "32767", "255", "65535"]);
        let x = self.variable(ty, value);
        match self.rng.below(5) {
            0 => format!("{x}++"),
            1 => format!("--{x}"),
            2 => format!("({x} += 77)"),
            _ => handed(&format!("{x} * {x} * {x}")),
        }
    }

    fn conversion(&mut self) -> String {
        let ty = self.pick(&["double", "float"]);
        let values = [
            "1.5",
            "-0.75",
            "300.0",
            "-1.0",
            "2147483648.0",
            "-2147483649.0",
            "1e20",
            "0.0 / zero",
            "1.0 / zero",
            "65536.0",
        ];
        let value = self.pick(&values);
        let x = self.variable(ty, value);
        let to =
            self.pick(&["int", "unsigned char", "short", "unsigned", "long long", "unsigned long long", "signed char"]);
        let y = self.variable(to, "1");
        let e = match self.rng.below(5) {
            0 => format!("({to}){x}"),
            1 => format!("({y} = {x})"),
            2 => format!("({y} += {x})"),
            3 => format!("({to})({x} += 1)"),
            _ => format!("({to}){x}++"),
        };
        handed(&e)
    }

    fn nowhere(&mut self) -> String {
        let x = self.rng.below(5);
        let v = self.variable("int", &x.to_string());
        match self.rng.below(3) {
            0 => format!("pick({v}++)"),
            1 => format!("(stop({v}), {v})"),
            _ => format!("({v}-- ? {v} : (__builtin_unreachable(), 1))"),
        }
    }
}

fn handed(e: &str) -> String {
    format!("(int)wide({e})")
}
