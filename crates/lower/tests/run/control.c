// Every statement that moves control.
void reach_error(void);
int duff(int n) {
  int done = 0, turns = (n + 3) / 4;
  switch (n % 4) { case 0: do { done++; case 3: done++; case 2: done++; case 1: done++; } while (--turns > 0); }
  return done;
}
int sw(int x) {
  int r = 0;
  switch (x) { default: r += 100; case 1: r += 1; break; case 2: r += 2; case 3 ... 5: r += 3; { case 9: r += 9; } }
  return r;
}
int chain(int x) { if (x == 0) return 1; else if (x == 1) return 2; else if (x == 2) return 3; else return 4; }
int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
int even(int n); int odd(int n) { return n == 0 ? 0 : even(n - 1); } int even(int n) { return n == 0 || odd(n - 1); }
int into(int k) { int r = 0; if (k) goto inside; while (r < 3) { r += 10; inside: r++; } return r; }
int out(void) { int i, j; for (i = 0; i < 5; i++) for (j = 0; j < 5; j++) if (i * j == 6) goto done; done: return i * 10 + j; }
int brk(void) { int i = 0; for (;;) { if (++i > 7) break; if (i & 1) continue; i++; } return i; }
int dow(void) { int i = 10; do { i--; if (i == 5) continue; } while (i > 3); return i; }
int empty(int x) { switch (x) { } switch (x) { case 1: ; } ; return x; }
int main(void) {
  for (int n = 1; n < 9; n++) if (!(duff(n) == n)) reach_error();
  if (!(sw(1) == 1)) reach_error(); if (!(sw(2) == 14)) reach_error(); if (!(sw(4) == 12)) reach_error(); if (!(sw(9) == 9)) reach_error(); if (!(sw(77) == 101)) reach_error(); if (!(sw(-1) == 101)) reach_error();
  if (!(chain(0) == 1 && chain(1) == 2 && chain(2) == 3 && chain(7) == 4)) reach_error();
  if (!(sum(100) == 5050)) reach_error(); if (!(even(10) == 1 && odd(10) == 0)) reach_error();
  if (!(into(0) == 11)) reach_error(); if (!(into(1) == 12)) reach_error(); if (!(out() == 23)) reach_error(); if (!(brk() == 8)) reach_error(); if (!(dow() == 3)) reach_error(); if (!(empty(1) == 1)) reach_error();
  int n = 0; while (n < 3) n++; if (!(n == 3)) reach_error();
  int total = 0; for (int i = 0, j = 10; i < j; i++, j--) total += j - i; if (!(total == 30)) reach_error();
}
