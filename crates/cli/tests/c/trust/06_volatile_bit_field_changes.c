// expect: UNSAFE
// options: --volatile nondet
extern int nd(void);
extern void reach_error(void);
struct __attribute__((packed)) { unsigned x : 5; volatile long long a : 41; } r;
int main(void) {
  if (r.a == -3 && r.a == 3) reach_error();
  return 0;
}
