// Where C leaves the order of evaluation open it is left to right here; compilers may differ.
void reach_error(void);
int g; int setg(int v) { g = v; return v; }
int main(void) {
  int i, x;
  g = 1; x = g + setg(5); if (!(x == 6 && g == 5)) reach_error();
  // Not open: towards a call, a compound assignment is one evaluation.
  g = 1; g += setg(5); if (!(g == 10)) reach_error();
  i = 2; x = i + (i = 10) + i; if (!(x == 22)) reach_error();
  i = 7; x = i-- - --i; if (!(i == 5 && x == 2)) reach_error();
  int a[3] = {0}; i = 0; a[i] = i++ + 5; if (!(a[0] == 5 && i == 1)) reach_error();
  int b = 4, *p = &b, c = 9; *p = (p = &c, 6); if (!(b == 6 && *p == 9)) reach_error();
  return 0;
}
