// expect: SAFE
extern int nd(void);
extern void reach_error(void);
void take(const int *);
int main(void) {
  for (int i = 0; i < 3; i++) {
    const int k = i + 1;
    take(&k);
    if (k != i + 1) reach_error();
  }
  return 0;
}
