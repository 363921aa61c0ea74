// expect: UNKNOWN
// reason: nothing to check: 
int main(void) { return 0; }
