// C11 6.4.2.2: `__func__` is declared once in each function.
// expect: SAFE
extern void reach_error(void);
static const char *other(void) { return __func__; }
int main(void) {
  const char *p = __func__;
  if (p != __func__) reach_error();
  if (other() != other()) reach_error();
  return 0;
}
