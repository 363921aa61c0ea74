// expect: UNSAFE
/* The pointer is stored by a function that only the outside calls. */
extern void reach_error(void);
extern void later(void (*)(void));
static void (*handler)(void);
static void fails(void) { reach_error(); }
static void install(void) { handler = fails; }
int main(void) {
    later(install);
    if (handler)
        handler();
    return 0;
}
