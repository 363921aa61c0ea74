// options: --callbacks named
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static unsigned s;
void set(unsigned v) { s = v % 10; }
int main(void) {
  s = 1;
  nd();
  if (s >= 10) reach_error();
  return 0;
}
