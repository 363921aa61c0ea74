//! The IR of small inputs, one per decision of lowering. `UPDATE_EXPECT=1 cargo test -p lower` rewrites the texts.

use expect_test::{Expect, expect};

#[expect(clippy::needless_pass_by_value, reason = "the macro makes values")]
fn check(source: &str, expected: Expect) {
    expected.assert_eq(&crate::support::text(source));
}

#[test]
fn conditions_are_truth_values_and_not_integers() {
    check(
        "int main(int a) { int b = a < 3; if (b && a != 2) return !a; return (a == 1) != 0; }",
        expect![[r#"
        func external main(a: i32) -> $result {
          local $result: i32
          local b: i32
          locations 5 entry L0 exit L4
          e0: L0 -> L1: b := i32((a < 3:i32))
          e1: L1 -> L2: assume ((b != 0:i32) && (a != 2:i32))
          e2: L1 -> L3: assume !((b != 0:i32) && (a != 2:i32))
          e3: L2 -> L4: return i32((a == 0:i32))
          e4: L3 -> L4: return i32((a == 1:i32))
        }
    "#]],
    );
}

#[test]
fn operands_with_guards_become_branches() {
    check(
        "int main(int a, int b) { if (b && a / b > 2) return 1; return b ? a % b : 0; }",
        expect![[r#"
        func external main(a: i32, b: i32) -> $result {
          local $result: i32
          locations 8 entry L0 exit L7
          e0: L0 -> L1: assume (b != 0:i32)
          e1: L0 -> L3: assume (b == 0:i32)
          e2: L1 -> L2: [div-by-zero: (b != 0:i32)] [div-overflow: ((a != -2147483648:i32) || (b != -1:i32))] assume ((a / b) > 2:i32)
          e3: L1 -> L3: [div-by-zero: (b != 0:i32)] [div-overflow: ((a != -2147483648:i32) || (b != -1:i32))] assume ((a / b) <= 2:i32)
          e4: L2 -> L7: return 1:i32
          e5: L3 -> L4: assume (b != 0:i32)
          e6: L3 -> L5: assume (b == 0:i32)
          e7: L4 -> L6: [div-by-zero: (b != 0:i32)] [div-overflow: ((a != -2147483648:i32) || (b != -1:i32))] $result := (a % b)
          e8: L5 -> L6: $result := 0:i32
          e9: L6 -> L7: return $result
        }
    "#]],
    );
}

#[test]
fn ignored_guards_do_not_split_but_stay_exact() {
    check(
        "int main(int a) { return a > 0 && a + 1 > 5; }",
        expect![[r#"
        func external main(a: i32) -> $result {
          local $result: i32
          locations 2 entry L0 exit L1
          e0: L0 -> L1: [signed-overflow: ((a <= 0:i32) || !add_overflows(a, 1:i32))] return i32(((a > 0:i32) && ((a + 1:i32) > 5:i32)))
        }
    "#]],
    );
}

#[test]
fn a_call_writes_its_destination_itself() {
    check(
        "int f(int x) { return x; } int main(void) { int x = f(1); x = f(x); return f(x) + f(2); }",
        expect![[r#"
        func external main() -> $result {
          local $result: i32
          local x: i32
          local $t1: i32
          local $t2: i32
          locations 6 entry L0 exit L5
          e0: L0 -> L1: x := call f(1:i32)
          e1: L1 -> L2: x := call f(x)
          e2: L2 -> L3: $t1 := call f(x)
          e3: L3 -> L4: $t2 := call f(2:i32)
          e4: L4 -> L5: [signed-overflow: !add_overflows($t1, $t2)] return ($t1 + $t2)
        }

        func external f(x: i32) -> $result {
          local $result: i32
          locations 2 entry L0 exit L1
          e0: L0 -> L1: return x
        }
    "#]],
    );
}

#[test]
fn temporaries_only_where_something_later_writes() {
    check(
        "int g; int f(void) { return g++; } int main(int a) { a = a + f(); a = g + f(); return a + (a = 3); }",
        expect![[r#"
            global @g: i32 external = zero

            func external main(a: i32) -> $result {
              local $result: i32
              local $t1: i32
              local $t2: i32
              local $t3: i32
              local $t4: i32
              locations 9 entry L0 exit L8
              e0: L0 -> L1: $t1 := call f()
              e1: L1 -> L2: [signed-overflow: !add_overflows(a, $t1)] a := (a + $t1)
              e2: L2 -> L3: $t2 := @g
              e3: L3 -> L4: $t3 := call f()
              e4: L4 -> L5: [signed-overflow: !add_overflows($t2, $t3)] a := ($t2 + $t3)
              e5: L5 -> L6: $t4 := a
              e6: L6 -> L7: a := 3:i32
              e7: L7 -> L8: [signed-overflow: !add_overflows($t4, a)] return ($t4 + a)
            }

            func external f() -> $result {
              local $result: i32
              locations 3 entry L0 exit L2
              e0: L0 -> L1: [signed-overflow: !add_overflows(@g, 1:i32)] @g := (@g + 1:i32)
              e1: L1 -> L2: return (@g - 1:i32)
            }
        "#]],
    );
}

#[test]
fn compound_assignment_computes_wide_and_narrows() {
    check(
        "int main(void) { unsigned char c = 1; c += 300; c <<= 2; return c++; }",
        expect![[r#"
        func external main() -> $result {
          local $result: i32
          local c: u8
          locations 6 entry L0 exit L5
          e0: L0 -> L1: c := 1:u8
          e1: L1 -> L2: [signed-overflow: !add_overflows(i32(c), 300:i32)] c := u8((i32(c) + 300:i32))
          e2: L2 -> L3: c := u8((i32(c) << 2:i32))
          e3: L3 -> L4: [signed-overflow: !add_overflows(i32(c), 1:i32)] c := u8((i32(c) + 1:i32))
          e4: L4 -> L5: return i32((c - 1:u8))
        }
    "#]],
    );
}

#[test]
fn shift_guards_are_about_the_count_as_written() {
    check(
        "int main(unsigned a, long n) { a = a << n; return a >> 3; }",
        expect![[r#"
        func external main(a: u32, n: i64) -> $result {
          local $result: i32
          locations 3 entry L0 exit L2
          e0: L0 -> L1: [shift-count: ((n >= 0:i64) && (n < 32:i64))] a := (a << u32(n))
          e1: L1 -> L2: return i32((a >> 3:u32))
        }
    "#]],
    );
}

#[test]
fn switch_is_one_location() {
    check(
        "int main(int x) { switch (x) { case 1: x = 5; case 2 ... 4: x++; break; default: x = 0; } return x; }",
        expect![[r#"
            func external main(x: i32) -> $result {
              local $result: i32
              locations 6 entry L0 exit L5
              e0: L0 -> L1: assume (x == 1:i32)
              e1: L0 -> L2: assume ((x >= 2:i32) && (x <= 4:i32))
              e2: L0 -> L3: assume ((x != 1:i32) && !((x >= 2:i32) && (x <= 4:i32)))
              e3: L1 -> L2: x := 5:i32
              e4: L2 -> L4: [signed-overflow: !add_overflows(x, 1:i32)] x := (x + 1:i32)
              e5: L3 -> L4: x := 0:i32
              e6: L4 -> L5: return x
            }
        "#]],
    );
}

#[test]
fn loops_have_one_head() {
    check(
        "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { if (i == 1) continue; s += i; } return s; }",
        expect![[r#"
        func external main() -> $result {
          local $result: i32
          local s: i32
          local i: i32
          locations 8 entry L0 exit L7
          e0: L0 -> L1: s := 0:i32
          e1: L1 -> L2: i := 0:i32
          e2: L2 -> L3: assume (i < 3:i32)
          e3: L2 -> L6: assume (i >= 3:i32)
          e4: L3 -> L5: assume (i == 1:i32)
          e5: L3 -> L4: assume (i != 1:i32)
          e6: L4 -> L5: [signed-overflow: !add_overflows(s, i)] s := (s + i)
          e7: L5 -> L2: [signed-overflow: !add_overflows(i, 1:i32)] i := (i + 1:i32)
          e8: L6 -> L7: return s
        }
    "#]],
    );
}

#[test]
fn declarations_draw_only_what_can_be_read() {
    check(
        "int main(int c) { int a; a = 1; int b; if (c) b = 2; goto in; { int d = 3; in: a += d; } return a + b; }",
        expect![[r#"
            func external main(c: i32) -> $result {
              local $result: i32
              local a: i32
              local b: i32
              local d: i32
              locations 8 entry L0 exit L7
              label L5 "in"
              e0: L0 -> L1: d := havoc uninit
              e1: L1 -> L2: a := 1:i32
              e2: L2 -> L3: b := havoc uninit
              e3: L3 -> L4: assume (c != 0:i32)
              e4: L3 -> L5: assume (c == 0:i32)
              e5: L4 -> L5: b := 2:i32
              e6: L5 -> L6: [signed-overflow: !add_overflows(a, d)] a := (a + d)
              e7: L6 -> L7: [signed-overflow: !add_overflows(a, b)] return (a + b)
            }
        "#]],
    );
}

#[test]
fn falling_off_the_end() {
    check(
        "int f(int x) { if (x) return 1; } int main(void) { f(0); }",
        expect![[r#"
        func external main() -> $result {
          local $result: i32
          locations 3 entry L0 exit L2
          e0: L0 -> L1: call f(0:i32)
          e1: L1 -> L2: return 0:i32
        }

        func external f(x: i32) -> $result {
          local $result: i32
          locations 5 entry L0 exit L4
          e0: L0 -> L1: assume (x != 0:i32)
          e1: L0 -> L2: assume (x == 0:i32)
          e2: L1 -> L4: return 1:i32
          e3: L2 -> L3: $result := havoc uninit
          e4: L3 -> L4: return $result
        }
    "#]],
    );
}

#[test]
fn names_are_unique() {
    check(
        "int main(int x) { { int x = 1; { static int x = 2; x++; } { int x = 3; x++; } } return x; }",
        expect![[r#"
        global @main.x: i32 internal = { +0 = 2:i32 }

        func external main(x: i32) -> $result {
          local $result: i32
          local x.2: i32
          local x.3: i32
          locations 6 entry L0 exit L5
          e0: L0 -> L1: x.2 := 1:i32
          e1: L1 -> L2: [signed-overflow: !add_overflows(@main.x, 1:i32)] @main.x := (@main.x + 1:i32)
          e2: L2 -> L3: x.3 := 3:i32
          e3: L3 -> L4: [signed-overflow: !add_overflows(x.3, 1:i32)] x.3 := (x.3 + 1:i32)
          e4: L4 -> L5: return x
        }
    "#]],
    );
}

#[test]
fn places() {
    check(
        "struct s { int a; struct { char b; } in; struct s *next; unsigned f : 3; } v;
         int arr[4]; int main(struct s *p, int i) { arr[2] = 1; arr[i] = v.in.b; p->next->a = i; v.f = i; return p[i].a; }",
        expect![[r#"
            global @arr: object(16, 4) external known = zero
            global @v: object(24, 8) external known = zero

            func external main(p: ptr, i: i32) -> $result {
              local $result: i32
              locations 6 entry L0 exit L5
              e0: L0 -> L1: *[&@arr + 8]:i32 "arr[2]" := 1:i32
              e1: L1 -> L2: [out-of-bounds: inbounds(&[&@arr + 4*i64(i)], 4)] *[&@arr + 4*i64(i)]:i32 "arr[i]" := i32(*[&@v + 4]:i8 "v.in.b")
              e2: L2 -> L3: [null-deref: (p != null)] [use-after-free: alive(p)] [out-of-bounds: inbounds(&[p + 8], 8)] [null-deref: (*[p + 8]:ptr "p->next" != null)] [use-after-free: alive(*[p + 8]:ptr "p->next")] [out-of-bounds: inbounds(*[p + 8]:ptr "p->next", 4)] *[*[p + 8]:ptr "p->next"]:i32 "p->next->a" := i
              e3: L3 -> L4: *[&@v + 16]:u32#0+3 "v.f" := u32(i)
              e4: L4 -> L5: [null-deref: (p != null)] [use-after-free: alive(p)] [out-of-bounds: inbounds(&[p + 24*i64(i)], 4)] return *[p + 24*i64(i)]:i32 "p[i].a"
            }
        "#]],
    );
}

#[test]
fn structures_are_passed_by_address() {
    check(
        "struct s { long a, b; }; struct s f(struct s x) { x.a = 1; return x; }
         int main(void) { struct s v = {0}; v = f(v); return f(v).b; }",
        expect![[r#"
            func external main() -> $result {
              local $result: i32
              local v: object(16, 8)
              local $t1: object(16, 8)
              local $t2: object(16, 8)
              locations 7 entry L0 exit L6
              e0: L0 -> L1: set &v, 0:u8, 16:u64
              e1: L1 -> L2: *[&v]:i64 := 0:i64
              e2: L2 -> L3: call f(&$t1, &v)
              e3: L3 -> L4: copy &v, &$t1, 16:u64
              e4: L4 -> L5: call f(&$t2, &v)
              e5: L5 -> L6: return i32(*[&$t2 + 8]:i64)
            }

            func external f($dst: ptr, $x: ptr) {
              local x: object(16, 8)
              locations 5 entry L0 exit L4
              e0: L0 -> L1: copy &x, $x, 16:u64
              e1: L1 -> L2: *[&x]:i64 "x.a" := 1:i64
              e2: L2 -> L3: copy $dst, &x, 16:u64
              e3: L3 -> L4: return
            }
        "#]],
    );
}

#[test]
fn further_arguments_are_an_object() {
    check(
        "int f(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); return __builtin_va_arg(ap, int); }
         int main(void) { return f(1, 2, 3.0); }",
        expect![[r#"
            func external main() -> $result {
              local $result: i32
              local $t1: object(16, 16)
              locations 5 entry L0 exit L4
              e0: L0 -> L1: *[&$t1]:i32 := 2:i32
              e1: L1 -> L2: *[&$t1 + 8]:f64 := 0x4008000000000000:f64
              e2: L2 -> L3: $result := call f(1:i32, &$t1)
              e3: L3 -> L4: return $result
            }

            func external f(n: i32, $va: ptr) -> $result {
              local $result: i32
              local ap: object(24, 8)
              local $t1: ptr
              locations 6 entry L0 exit L5
              e0: L0 -> L1: range(&ap, 24:u64) := havoc uninit
              e1: L1 -> L2: *[&ap]:ptr := $va
              e2: L2 -> L3: $t1 := *[&ap]:ptr
              e3: L3 -> L4: *[&ap]:ptr := &[$t1 + 8]
              e4: L4 -> L5: [null-deref: ($t1 != null)] [use-after-free: alive($t1)] [out-of-bounds: inbounds($t1, 4)] return *[$t1]:i32
            }
        "#]],
    );
}

#[test]
fn inputs_assumptions_and_assertions() {
    check(
        "extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void);
         extern void __VERIFIER_assume(int); extern void __assert_fail(const char *, const char *, unsigned, const char *);
         int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3 && __VERIFIER_nondet_bool());
         if (!(x > 2)) __assert_fail(\"x > 2\", \"f.c\", 3, \"main\"); }",
        expect![[r#"
            func external main() -> $result {
              local $result: i32
              local x: i32
              local $t1: bool
              locations 9 entry L0 exit L8
              e0: L0 -> L1: x := havoc nondet "__VERIFIER_nondet_int"
              e1: L1 -> L2: assume (x > 3:i32)
              e2: L1 -> L7: assume (x <= 3:i32)
              e3: L2 -> L3: $t1 := havoc nondet "__VERIFIER_nondet_bool"
              e4: L3 -> L4: assume $t1
              e5: L3 -> L7: assume !$t1
              e6: L4 -> L5: assume (x > 2:i32)
              e7: L4 -> L6: assume (x <= 2:i32)
              e8: L5 -> L8: return 0:i32
              e9: L6 -> end: error assert "x > 2"
              e10: L7 -> end: halt
            }
        "#]],
    );
}

#[test]
fn memory_functions() {
    check(
        "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
         void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
         int main(unsigned long n) { char *p = malloc(n), *q = calloc(n, 4); memset(p, 0, n); memcpy(p, q, 8); free(q); }",
        expect![[r#"
            site site0 "main.malloc"
            site site1 "main.calloc"

            func external main(n: u64) -> $result {
              local $result: i32
              local p: ptr
              local q: ptr
              locations 9 entry L0 exit L8
              e0: L0 -> L1: p := alloc(n) align 16 fallible site0
              e1: L1 -> L2: assume (n > 4611686018427387903:u64)
              e2: L1 -> L3: assume (n <= 4611686018427387903:u64)
              e3: L2 -> L4: q := null
              e4: L3 -> L4: q := alloc((n * 4:u64)) align 16 zeroed fallible site1
              e5: L4 -> L5: [null-deref: ((n == 0:u64) || (p != null))] [use-after-free: ((n == 0:u64) || alive(p))] [out-of-bounds: ((n == 0:u64) || ((inbounds(p, 1) && inbounds(&[p + -1 + 1*i64(n)], 1)) && (p <= &[p + -1 + 1*i64(n)])))] set p, 0:u8, n
              e6: L5 -> L6: [null-deref: (p != null)] [use-after-free: alive(p)] [out-of-bounds: inbounds(p, 8)] [null-deref: (q != null)] [use-after-free: alive(q)] [out-of-bounds: inbounds(q, 8)] [overlap: ((&[p + 8] <= q) || (&[q + 8] <= p))] copy p, q, 8:u64
              e7: L6 -> L7: [bad-free: freeable(q)] free q
              e8: L7 -> L8: return 0:i32
            }
        "#]],
    );
}

#[test]
fn calls_through_pointers() {
    check(
        "int f(int x) { return x; } int main(int (*p)(int)) { int (*q)(int) = f; return p(1) + q(2); }",
        expect![[r#"
            func external main(p: ptr) -> $result {
              local $result: i32
              local q: ptr
              local $t1: i32
              local $t2: i32
              locations 11 entry L0 exit L4
              e0: L0 -> L1: q := &fn f
              e1: L1 -> L5: [null-deref: (p != null)] [bad-call: (callable(p, 1) || foreign(p))] assume (p == &fn f)
              e2: L2 -> L8: [null-deref: (q != null)] [bad-call: (callable(q, 1) || foreign(q))] assume (q == &fn f)
              e3: L3 -> L4: [signed-overflow: !add_overflows($t1, $t2)] return ($t1 + $t2)
              e4: L5 -> L2: $t1 := call f(1:i32)
              e5: L1 -> L6: [null-deref: (p != null)] [bad-call: (callable(p, 1) || foreign(p))] assume (p == null)
              e6: L6 -> end: halt
              e7: L1 -> L7: [null-deref: (p != null)] [bad-call: foreign(p)] assume ((p != &fn f) && (p != null))
              e8: L7 -> L2: $t1 := call `.foreign(i32) -> i32`(1:i32)
              e9: L8 -> L3: $t2 := call f(2:i32)
              e10: L2 -> L9: [null-deref: (q != null)] [bad-call: (callable(q, 1) || foreign(q))] assume (q == null)
              e11: L9 -> end: halt
              e12: L2 -> L10: [null-deref: (q != null)] [bad-call: (callable(q, 1) || foreign(q))] assume ((q != &fn f) && (q != null))
              e13: L10 -> end: unsupported "a call through a pointer to a function that is not known"
            }

            func external f(x: i32) -> $result {
              local $result: i32
              locations 2 entry L0 exit L1
              e0: L0 -> L1: return x
            }

            func external `.foreign(i32) -> i32`($p0: i32) -> $result {
              local $result: i32
            }
        "#]],
    );
}

#[test]
fn globals() {
    check(
        "extern int e; int t; static const int c = 3; int *p = &t; char s[4] = \"ab\"; const char *l = \"xy\";
         struct { int a : 4; int b : 4; long x; } r = {-1, 2, (long)&c}; int f(void) { return 1; } int (*fp)(void) = f;
         int main(void) { return e + *p + s[0] + l[0] + r.a + fp(); }",
        expect![[r#"
            global @e: i32 external known = unknown
            global @p: ptr external = { +0 = &@t }
            global @s: object(4, 1) external = { +0 = 97:i8; +1 = 98:i8 }
            global @l: ptr external = { +0 = &@.str.0 }
            global @r: object(16, 8) external = { +0#0+4 = -1:i32; +0#4+4 = 2:i32; +8 = &@c }
            global @fp: ptr external = { +0 = &fn f }
            global @t: i32 external = zero
            global @.str.0: object(3, 1) internal const = { +0 = 120:i8; +1 = 121:i8 }
            global @c: i32 internal const = { +0 = 3:i32 }

            func external main() -> $result {
              local $result: i32
              local $t1: i32
              local $t2: i32
              locations 7 entry L0 exit L3
              e0: L0 -> L1: [null-deref: (@p != null)] [use-after-free: alive(@p)] [out-of-bounds: inbounds(@p, 4)] [signed-overflow: !add_overflows(@e, *[@p]:i32 "*p")] [signed-overflow: !add_overflows((@e + *[@p]:i32 "*p"), i32(*[&@s]:i8 "s[0]"))] [null-deref: (@l != null)] [use-after-free: alive(@l)] [out-of-bounds: inbounds(@l, 1)] [signed-overflow: !add_overflows(((@e + *[@p]:i32 "*p") + i32(*[&@s]:i8 "s[0]")), i32(*[@l]:i8 "l[0]"))] [signed-overflow: !add_overflows((((@e + *[@p]:i32 "*p") + i32(*[&@s]:i8 "s[0]")) + i32(*[@l]:i8 "l[0]")), *[&@r]:i32#0+4 "r.a")] $t1 := ((((@e + *[@p]:i32 "*p") + i32(*[&@s]:i8 "s[0]")) + i32(*[@l]:i8 "l[0]")) + *[&@r]:i32#0+4 "r.a")
              e1: L1 -> L4: [null-deref: (@fp != null)] [bad-call: (callable(@fp, 0) || foreign(@fp))] assume (@fp == &fn f)
              e2: L2 -> L3: [signed-overflow: !add_overflows($t1, $t2)] return ($t1 + $t2)
              e3: L4 -> L2: $t2 := call f()
              e4: L1 -> L5: [null-deref: (@fp != null)] [bad-call: (callable(@fp, 0) || foreign(@fp))] assume (@fp == null)
              e5: L5 -> end: halt
              e6: L1 -> L6: [null-deref: (@fp != null)] [bad-call: (callable(@fp, 0) || foreign(@fp))] assume ((@fp != &fn f) && (@fp != null))
              e7: L6 -> end: unsupported "a call through a pointer to a function that is not known"
            }

            func external f() -> $result {
              local $result: i32
              locations 2 entry L0 exit L1
              e0: L0 -> L1: return 1:i32
            }
        "#]],
    );
}

#[test]
fn what_is_not_lowered_is_an_edge() {
    check(
        "int setjmp(void *); int main(int x) { if (x) setjmp(&x); return x; }",
        expect![[r#"
        func external main(x: i32) -> $result {
          local $result: i32
          locations 4 entry L0 exit L3
          e0: L0 -> L1: assume (x != 0:i32)
          e1: L0 -> L2: assume (x == 0:i32)
          e2: L1 -> end: unsupported "setjmp or longjmp"
          e3: L2 -> L3: return x
        }
    "#]],
    );
}

#[test]
fn labels_are_bytes_of_an_object() {
    check(
        "int main(int x) { void *p = &&out; if (x) goto *p; out: __asm__(\"nop\" : \"=r\"(x)); return x; }",
        expect![[r#"
            global @.labels.main.0: object(1, 1) internal const = zero

            func external main(x: i32) -> $result {
              local $result: i32
              local p: ptr
              local $t1: ptr
              locations 8 entry L0 exit L7
              label L5 "out"
              e0: L0 -> L1: p := &@.labels.main.0
              e1: L1 -> L2: assume (x != 0:i32)
              e2: L1 -> L5: assume (x == 0:i32)
              e3: L2 -> L3: $t1 := p
              e4: L3 -> L5: assume ($t1 == &@.labels.main.0)
              e5: L3 -> L4: assume ($t1 != &@.labels.main.0)
              e6: L4 -> end: [unreachable: false] halt
              e7: L5 -> L6: x := havoc outside "asm"
              e8: L6 -> L7: return x
            }
        "#]],
    );
}
