// options: --check null,bounds
// expect: SAFE
int main(int argc, char *argv[], char *envp[]) {
    if (envp[0]) return envp[0][0];
    return 0;
}
