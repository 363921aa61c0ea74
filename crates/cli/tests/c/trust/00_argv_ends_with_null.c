// expect: SAFE
extern void reach_error(void);
int main(int argc, char *argv[]) {
    if (argc < 0 || argv[argc]) reach_error();
    if (argc == 2 && argv[1] == 0) reach_error();
    return 0;
}
