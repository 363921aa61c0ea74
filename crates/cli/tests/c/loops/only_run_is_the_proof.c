// expect: SAFE
/* A program that takes nothing is proved by its only run. */
extern void reach_error(void);
int main(void) {
    int x = 0;
    for (int i = 0; i < 10; i++) x += i;
    if (x != 45) reach_error();
    return 0;
}
