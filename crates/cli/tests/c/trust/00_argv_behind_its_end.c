// options: --check null,bounds
// expect: UNSAFE
int main(int argc, char *argv[]) {
    return argv[argc + 1] != 0;
}
