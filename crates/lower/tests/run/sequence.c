// Short circuits, order of evaluation, values of assignments.
void reach_error(void);
int calls;
int t(void) { calls++; return 1; } int f(void) { calls++; return 0; }
int main(void) {
  int x;
  calls = 0; x = f() && t(); if (!(x == 0 && calls == 1)) reach_error();
  calls = 0; x = t() || f(); if (!(x == 1 && calls == 1)) reach_error();
  calls = 0; x = t() && f(); if (!(x == 0 && calls == 2)) reach_error();
  calls = 0; if (f() || (t() && t())) { if (!(calls == 3)) reach_error(); } else reach_error();
  calls = 0; x = t() ? 5 : f(); if (!(x == 5 && calls == 1)) reach_error();
  calls = 0; x = f() ?: 7; if (!(x == 7 && calls == 1)) reach_error();
  calls = 0; x = !(f() || f()); if (!(x == 1 && calls == 2)) reach_error();
  int i = 5; x = i++ * 2; if (!(x == 10 && i == 6)) reach_error(); x = ++i * 2; if (!(x == 14)) reach_error();
  x = (i = 3, i + 1); if (!(x == 4)) reach_error(); int a, b, c; a = b = c = 9; if (!(a + b + c == 27)) reach_error();
  unsigned char n; int w = (n = 300); if (!(w == 44)) reach_error();
  int arr[3] = {1, 2, 3}; int *p = arr; x = *p++; if (!(x == 1 && *p == 2)) reach_error(); x = *++p; if (!(x == 3)) reach_error(); *p-- = 8; if (!(arr[2] == 8 && *p == 2)) reach_error();
  x = (*p)++; if (!(x == 2 && arr[1] == 3)) reach_error(); x = --*p; if (!(x == 2 && arr[1] == 2)) reach_error();
  i = 0; arr[i] = 40; arr[i++] += 2; if (!(arr[0] == 42 && i == 1)) reach_error();
  x = ({ int y = 3; for (int k = 0; k < 3; k++) y += k; y; }); if (!(x == 6)) reach_error();
  x = 0; (void)(x || (x = 4)); if (!(x == 4)) reach_error(); x && (x = 9); if (!(x == 9)) reach_error();
  x = 1 ? 2 ? 3 : 4 : 5; if (!(x == 3)) reach_error();
  _Bool q = p && *p == 2 && f() == 0; if (!(q)) reach_error();
  long l = -1; x = (l < 0) + (l != 0) * 2; if (!(x == 3)) reach_error();
  calls = 0; for (i = 0; t() && i < 3; i++) ; if (!(calls == 4)) reach_error();
  while (i-- > 0) calls = 10 + i; if (!(calls == 10 && i == -1)) reach_error();
  return 0;
}
