// expect: UNSAFE
// options: --contracts glib --contracts forms.contracts
// GLib gives null for no bytes, and a contract does not ask how many.
extern void reach_error(void);

extern void *g_malloc0(unsigned long);

int main(void)
{
    int *p = g_malloc0(sizeof(int));
    if (!p)
        reach_error();
    return 0;
}
