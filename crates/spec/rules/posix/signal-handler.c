long write(int, const void *, unsigned long);
void _exit(int);
int printf(const char *, ...);
void free(void *);
static volatile int stop;
static void *buffer;

void safe_flag(int sig)
{
    stop = sig;
    write(2, "stop", 4);
}

void safe_leave(int sig)
{
    if (stop)
        _exit(sig);
    stop = 1;
}

void broken_prints(int sig)
{
    printf("signal %d", sig);
}

void broken_frees(int sig)
{
    if (sig == 15)
        free(buffer);
}
