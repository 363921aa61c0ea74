// expect: UNSAFE
extern void reach_error(void);
extern void tracer(void);
#pragma weak tracer
int main(void) {
  if (tracer == 0) reach_error();
  return 0;
}
