// expect: SAFE
extern void reach_error(void);
int main(int argc, char *argv[], char *envp[]) {
    if (!envp) reach_error();
    if (argc == 1 && argv[1]) reach_error();
    return 0;
}
