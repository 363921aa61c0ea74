//! Goldens of the typed tree: what small inputs become.

use base::SourceMap;
use cfront::{Target, parse, print::print};
use expect_test::{Expect, expect};

fn check(target: Target, text: &str, expected: &Expect) {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let got = match parse(&mut sources, file, target) {
        Ok(unit) => print(&unit),
        Err(messages) => panic!("{text}: {messages:?}"),
    };
    expected.assert_eq(&got);
}

#[test]
fn conversions_are_explicit() {
    check(
        Target::Lp64,
        "int f(char c, unsigned u, long l, float x) { c = c + u; if (l && !c) return x; return c < l ? u : -c; }",
        &expect![[r#"
            define f(c, u, l, x): int (char, unsigned int, long, float)
              {
                c = Int<char>(Add(Int<unsigned int>(c), u):unsigned int)
                if test((test(l) && test(Not(test(c)):int)))
                  return FloatToInt<int>(x)
                return Int<int>((test(Lt(Int<long>(c), l):int) ? u : Int<unsigned int>(Neg(Int<int>(c)):int)):unsigned int)
              }
        "#]],
    );
}

/// Results are narrowed where they are stored, passed, returned or cast, and taken as they were computed where they are operands.
#[test]
fn halves_are_computed_in_float() {
    check(
        Target::Lp64,
        "_Float16 g(_Float16);
         double f(_Float16 a, _Float16 b) { a += b * 2; b++; g(a + b); if (a + b == 0.1f16 || a < b) return a * b;
           return __builtin_isgreater(a + b, a) ? (_Float16)(a - b) / 3 : -(a, a + b); }",
        &expect![[r#"
            declare g(): _Float16 (_Float16)
            define f(a, b): double (_Float16, _Float16)
              {
                a Add= Mul(Float<float>(b), IntToFloat<float>(2:int)):float in float
                PostInc(b) in float
                g(Float<_Float16>(Add(Float<float>(a), Float<float>(b)):float)):_Float16
                if test((test(Eq(Add(Float<float>(a), Float<float>(b)):float, 0.1:float):int) || test(Lt(Float<float>(a), Float<float>(b)):int)))
                  return Float<double>(Mul(Float<float>(a), Float<float>(b)):float)
                return Float<double>((test(__builtin_isgreater(Float<double>(Add(Float<float>(a), Float<float>(b)):float), a):int) ? Div(Float<float>(Float!<_Float16>(Sub(Float<float>(a), Float<float>(b)):float)), IntToFloat<float>(3:int)):float : Neg((a, Add(Float<float>(a), Float<float>(b)):float)):float):float)
              }
            implicit __builtin_isgreater(): int (...)
        "#]],
    );
}

#[test]
fn pointers_arrays_and_members() {
    check(
        Target::Lp64,
        "struct s { int a; union { char b[4]; struct s *next; }; unsigned f : 3; } v[2];
         int g(struct s *p, int i) { p->next->b[i] = v[i].f; return &v[1] - p + sizeof v + *(2 + p->b); }",
        &expect![[r#"
            Tentative v: struct s [2]
            define g(p, i): int (struct s *, int)
              {
                *PtrAdd(ArrayDecay<char *>(**p.#1.next.#1.b), Int<long>(i)):char * = Int<char>(*PtrAdd(ArrayDecay<struct s *>(v), Int<long>(i)):struct s *.f)
                return Int<int>(Add(Add(Int<unsigned long>(PtrDiff(&*PtrAdd(ArrayDecay<struct s *>(v), Int<long>(1:int)):struct s *, p):long), 48:unsigned long):unsigned long, Int<unsigned long>(*PtrAdd(ArrayDecay<char *>(*p.#1.b), Int<long>(2:int)):char *)):unsigned long)
              }
        "#]],
    );
}

#[test]
fn initialisers_are_flat() {
    check(
        Target::Ilp32,
        "struct p { short x; int y[3]; }; struct p a[3] = { 1, 2, 3, 4, { .y = { [1] = 5 } }, [2].y[0] = 6, 7 };
         char s[] = \"hi\", t[5] = { \"no\" }; int r[10] = { [2 ... 4] = 7, 8 }; struct { int b : 3, c : 5; } q = { c: 2 };
         const char *m[] = { \"x\", [2] = \"y\" };
         void f(int n) { struct p l = { n }; struct p k = l; int *z = (int[]){ n, 2 }; }",
        &expect![[r#"
            Defined a: struct p [3] = {zero; @0 short Int<short>(1:int); @4 int 2:int; @8 int 3:int; @12 int 4:int; @24 int 5:int; @36 int 6:int; @40 int 7:int}
            Defined s: char [3] = {zero; @0 char [3] "hi"}
            Defined t: char [5] = {zero; @0 char [5] "no"}
            Defined r: int [10] = {zero; @8 x3 every 4 int 7:int; @20 int 8:int}
            Defined q: struct <anonymous> = {zero; @0 bits 3+5 int 2:int}
            Defined m: const char *[3] = {zero; @0 const char * Ptr<const char *>(ArrayDecay<char *>("x")); @8 const char * Ptr<const char *>(ArrayDecay<char *>("y"))}
            define f(n): void (int)
              {
                decl l: struct p = {zero; @0 short Int<short>(n)}
                decl k: struct p = {@0 struct p l}
                decl z: int * = {@0 int * ArrayDecay<int *>((int [2]){zero; @0 int n; @4 int 2:int})}
              }
        "#]],
    );
}

#[test]
fn control_flow() {
    check(
        Target::Lp64,
        "int f(int n) {
           int i, s = 0;
           for (i = 0; i < n; i++) { if (i == 3) continue; else if (i == 7) break; else s += i; }
           do s--; while (s > 10);
           switch (n) { case 1: case 3 ... 5: s = 1; break; default: s = 2; }
           goto out; out: return s;
         }",
        &expect![[r#"
            define f(n): int (int)
              {
                decl i: int
                decl s: int = {@0 int 0:int}
                for cond test(Lt(i, n):int) step PostInc(i) in int
                  i = 0:int
                  {
                    if test(Eq(i, 3:int):int)
                      continue
                    else if test(Eq(i, 7:int):int)
                      break
                    else
                      s Add= i in int
                  }
                do
                  PostDec(s) in int
                while test(Gt(s, 10:int):int)
                switch n
                  {
                    case 1..=1
                    case 3..=5
                    s = 1:int
                    break
                    default
                    s = 2:int
                  }
                goto out
                label out
                return s
              }
        "#]],
    );
}

#[test]
fn gnu_extensions() {
    check(
        Target::Lp64,
        "typedef __builtin_va_list va_list; int g(); extern int printf(const char *, ...);
         int f(int n, ...) {
           __label__ l; va_list ap; __builtin_va_start(ap, n);
           int a[n]; int k = ({ int t = g(1, 2.0f); t ? : 3; });
           __auto_type q = sizeof a + sizeof(int[k]); void *p = &&l;
           k = __builtin_va_arg(ap, int) + __builtin_choose_expr(1, 2, 3L) + _Generic(n, long: 1, int: 2, default: 3);
           if (__builtin_expect(k > 2, 0)) __builtin_unreachable();
           __asm__ volatile (\"nop\" : \"=r\"(k) : \"r\"(n), \"m\"(a) : \"memory\"); goto *p; l: __builtin_va_end(ap);
           return printf(\"%d\", (char)k) + undeclared(1);
         }",
        &expect![[r#"
            declare g(): int ()
            declare printf(): int (const char *, ...)
            define f(n): int (int, ...)
              {
                decl ap: struct __va_list_tag [1]
                VaStart(*ArrayDecay<struct __va_list_tag *>(ap)):void
                decl v2: unsigned long = {@0 unsigned long Int<unsigned long>(n)}
                decl a: int [v2]
                decl k: int = {@0 int ({ decl t: int = {@0 int g(1:int, Float<double>(2.0:float)):int} } -> let v6 = t in (test(v6) ? v6 : 3:int):int)}
                decl q: unsigned long = {@0 unsigned long Add(Mul(4:unsigned long, v2):unsigned long, let v8 = Int<unsigned long>(k) in Mul(4:unsigned long, v8):unsigned long):unsigned long}
                decl p: void * = {@0 void * &&l}
                k = Add(Add(VaArg(*ArrayDecay<struct __va_list_tag *>(ap)):int, 2:int):int, 2:int):int
                if test(Expect(Int<long>(Gt(k, 2:int):int), Int<long>(0:int)):long)
                  Unreachable():void
                asm "nop" : =r k : r n, m a : ["memory"]
                goto *p
                label l
                VaEnd(*ArrayDecay<struct __va_list_tag *>(ap)):void
                return Add(printf(Ptr<const char *>(ArrayDecay<char *>("%d")), Int<int>(Int!<char>(k))):int, undeclared(1:int):int):int
              }
            implicit undeclared(): int ()
        "#]],
    );
}

#[test]
fn linkage_and_definitions() {
    check(
        Target::Lp64,
        "extern int a; int a; int b[]; static int c = 1; extern int c; int d[] ; int d[4]; int e(void), e();
         int old(x, y) short x; { extern int a; static int n = 2; return x + y + a + n; } register_me() { return 0; }",
        &expect![[r#"
            Tentative a: int
            Tentative b: int [1]
            Defined c: int = {zero; @0 int 1:int}
            Tentative d: int [4]
            declare e(): int (void)
            define old(x, y): int ()
              {
                return Add(Add(Add(Int<int>(x), y):int, a):int, n):int
              }
            define register_me(): int ()
              {
                return 0:int
              }
        "#]],
    );
}

#[test]
fn what_the_tree_cannot_express_is_marked() {
    check(
        Target::Lp64,
        "struct { unsigned long w : 40, n : 20; } s; _Complex double z; typedef int v4 __attribute__((vector_size(16))); v4 a, b;
         int f(void) { s.w = 5; s.w++; if (s.w) return s.w + 1; s.w += 1; z = z * 2; a = a + b; return s.n + 1; }
         int outer(int n) { int inner(int m) { return m + n; } return inner(1); }",
        &expect![[r#"
            Tentative s: struct <anonymous>
            Tentative z: _Complex double
            Tentative a: vector of 4 int
            Tentative b: vector of 4 int
            define f(): int (void)
              {
                s.w = Int<unsigned long>(5:int)
                PostInc(s.w) in unsigned long
                if test(s.w)
                  return Int<int>(Shr(Shl(Add(s.w, Int<unsigned long>(1:int)):unsigned long, 24:int):unsigned long, 24:int):unsigned long)
                s.w Add= Int<unsigned long>(1:int) in unsigned long
                z = let v4 = z in Same<_Complex double>((_Complex double){zero; @0 double Mul(v4.#0, IntToFloat<double>(2:int)):double; @8 double Mul(v4.#1, IntToFloat<double>(2:int)):double})
                a = let v6 = a in let v7 = b in Same<vector of 4 int>((vector of 4 int){zero; @0 int Add(v6.#0, v7.#0):int; @4 int Add(v6.#1, v7.#1):int; @8 int Add(v6.#2, v7.#2):int; @12 int Add(v6.#3, v7.#3):int})
                return Add(Int<int>(s.n), 1:int):int
              }
            define outer(n): int (int)
              {
                return inner(1:int):int
              }
            define static inner(m): int (int)
              {
                return Add(m, n):int
              }
        "#]],
    );
}

/// What stands outside of functions and changes what a unit means is remembered, and nothing else is.
#[test]
fn what_changes_a_whole_unit_is_named() {
    let unsupported = |text: &str| {
        let mut sources = SourceMap::new();
        let file = sources.add("t.c", text);
        parse(&mut sources, file, Target::Lp64).unwrap_or_else(|e| panic!("{text}: {e:?}")).unsupported
    };
    assert_eq!(unsupported("#pragma redefine_extname f g\nint f(void);"), ["#pragma redefine_extname"]);
    assert_eq!(unsupported("#pragma scalar_storage_order big-endian\nint x;"), ["#pragma scalar_storage_order"]);
    assert_eq!(unsupported("__asm__(\".globl f\\n.set f, g\");"), ["assembly outside of functions"]);
    let table = "__asm__(\".section \\\"tab\\\",\\\"a\\\"\\n.long f\\n.previous\");";
    assert!(unsupported(&format!("int f(void); {table}")).is_empty());
    assert_eq!(unsupported(&format!("{table} static int f(void) {{ return 1; }}")), ["assembly outside of functions"]);
    assert!(
        unsupported("#pragma GCC diagnostic push\n#pragma pack(1)\n__asm__(\"\"); __asm__(\".ident \\\"x\\\"\");")
            .is_empty()
    );
}
