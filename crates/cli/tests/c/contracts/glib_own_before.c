// expect: SAFE
// options: --contracts glib --contracts forms.contracts
// What a file of one's own says counts before what comes with the tool.
extern void reach_error(void);
extern void *pool_zalloc(unsigned long);

extern void *g_malloc0(unsigned long);
extern void *pool_zalloc(unsigned long);

int main(void)
{
    int *p = g_malloc0(sizeof(int)), *q = pool_zalloc(sizeof(int));
    if ((p && *p) || !q)
        reach_error();
    return 0;
}
