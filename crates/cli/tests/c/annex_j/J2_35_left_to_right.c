// expect: SAFE
/* Side effects without order happen from left to right: by choice. */
extern void reach_error(void);
int main(void) { int i = 1; int x = i++ + i++; if (x != 3) reach_error(); return 0; }
