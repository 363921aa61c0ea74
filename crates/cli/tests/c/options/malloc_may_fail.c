// expect: UNSAFE
extern void reach_error(void);
void *malloc(unsigned long);
int main(void) {
    if (!malloc(4)) reach_error();
    return 0;
}
