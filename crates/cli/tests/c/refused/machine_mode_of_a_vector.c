// expect: UNKNOWN
// reason: the machine mode V4SI
extern void reach_error(void);
typedef int four __attribute__((mode(V4SI)));
int main(void) {
    if (sizeof(four) != 4) reach_error();
    return 0;
}
