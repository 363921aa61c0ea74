// expect: UNKNOWN
// reason: nothing to check: 
extern void reach_eror(void);
int main(void) {
    reach_eror();
    return 0;
}
