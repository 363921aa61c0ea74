// A constant is not written, whoever knows it.
// expect: SAFE
extern void reach_error(void);
extern void reg(const int *(*f)(int));
static const int table[3] = {1, 2, 3};
static const int *get(int i) { return &table[i == 1]; }
int main(void) {
  reg(get);
  if (table[1] != 2) reach_error();
  return 0;
}
