//! Complex numbers and GNU's vectors. Products and quotients of complex floats are left out: some of their
//! results are not followed.

use super::Gen;

impl Gen {
    /// A block that computes with complex numbers.
    pub(super) fn complex_numbers(&mut self) {
        self.out.mark("complex");
        let part = *self.rng.pick(&["int", "short", "long long", "double", "float"]);
        let float = matches!(part, "double" | "float");
        let (z, w) = (self.out.local("z"), self.out.local("w"));
        self.out.open("{");
        for name in [&z, &w] {
            let (re, im) = (self.small(part), self.small(part));
            self.out.line(&format!("_Complex {part} {name} = {re}; __imag__ {name} = {im};"));
        }
        for _ in 0..2 + self.rng.below(3) {
            let value = self.small(part);
            let text = match self.rng.below(8) {
                0 => format!("{z} = {z} + {w} * 2;"),
                1 => format!("{z} -= ~{w};"),
                2 => format!("{z} = ({part})3 * {w} - {value};"),
                3 => format!("{w} = {z} == {w} ? -{w} : {w};"),
                4 => format!("__real__ {z} += __imag__ {w};"),
                5 => format!("{z}++; fold({z} != {w});"),
                6 if !float => format!("{w} = {z} * {w};"),
                7 if !float => format!("{z} = {z} / ({w} * 0 + 3);"),
                _ => format!("{{ _Complex {part} *parts = &{z}; *parts *= 1 + ({value} == 1); }}"),
            };
            self.out.line(&text);
        }
        self.out.line(&format!("if ({z}) fold(1);"));
        if float {
            self.out.line(&format!("fold_parts({z}); fold_parts({w});"));
        } else {
            self.out.line(&format!("fold(__real__ {z}); fold(__imag__ {z}); fold(__real__ {w}); fold(__imag__ {w});"));
        }
        self.out.close("}");
    }

    /// A small value of an arithmetic type.
    fn small(&mut self, ty: &str) -> String {
        let value = self.int_expr(1);
        format!("({ty})(({value}) & 15)")
    }

    /// A block that computes with vectors of 16 bytes.
    pub(super) fn vectors(&mut self) {
        self.out.mark("vector");
        let types = [("int", 4), ("unsigned", 4), ("short", 8), ("unsigned char", 16), ("long long", 2), ("double", 2)];
        let (elem, n) = *self.rng.pick(&types);
        let (ty, v, w) = (self.out.local("v16_"), self.out.local("v"), self.out.local("w"));
        self.out.open("{");
        self.out.line(&format!("typedef {elem} {ty} __attribute__((vector_size(16)));"));
        for name in [&v, &w] {
            let given = 1 + self.rng.index(n);
            let lanes: Vec<String> = (0..given).map(|_| self.lane(elem)).collect();
            self.out.line(&format!("{ty} {name} = {{ {} }};", lanes.join(", ")));
        }
        let fold = if elem == "double" { "fold(fold_float(" } else { "fold((u64)(" };
        for _ in 0..2 + self.rng.below(4) {
            let (value, at) = (self.lane(elem), self.int_expr(1));
            let op = *self.rng.pick(&["+", "-", "*"]);
            let bits = *self.rng.pick(&["&", "|", "^"]);
            let relation = *self.rng.pick(&["<", "<=", "==", "!=", ">"]);
            let integer = elem != "double";
            let text = match self.rng.below(8) {
                0 => format!("{v} = {v} {op} {w};"),
                1 => format!("{w} {op}= {value};"),
                2 => format!("{v}[({at}) & {}] = {value};", n - 1),
                3 => format!("{fold}{v}[({at}) & {}]));", n - 1),
                4 if integer => format!("{v} = ({ty})({v} {relation} {w}) {bits} {w};"),
                5 if integer => format!("{w} = ({v} {bits} {w}) >> (({elem})1);"),
                6 if integer => format!("{v} = {w} / (({v} & 7) + 2);"),
                7 if integer => format!("{w} = __builtin_shuffle({v}, {w}, {w} & {});", 2 * n - 1),
                _ => format!("{{ {ty} *lanes = &{w}; *lanes = -*lanes; (*lanes)[0] = {value}; }}"),
            };
            self.out.line(&text);
        }
        self.out.line(&format!("for (int i = 0; i < {n}; i++) {{ {fold}{v}[i])); {fold}{w}[i])); }}"));
        self.out.close("}");
    }

    fn lane(&mut self, elem: &str) -> String {
        let value = self.int_expr(1);
        if elem == "double" { format!("(double)(({value}) & 255)") } else { format!("({elem})({value})") }
    }
}
