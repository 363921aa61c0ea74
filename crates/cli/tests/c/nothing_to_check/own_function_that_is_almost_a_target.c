// expect: UNKNOWN
// reason: nothing to check: 
void Reach_Error(void) {}
int main(void) {
    Reach_Error();
    return 0;
}
