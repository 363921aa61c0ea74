// options: --externs any
// files: 04_table_in_another_unit.part
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
extern int current(void);
int main(void) {
  nd();
  if (current() == 4) reach_error();
  return 0;
}
