// expect: UNSAFE
extern void reach_error(void);
/* The empty text may lie at the end of each of the others. */
static const char *const texts[] = {
    "t00", "t01", "t02", "t03", "t04", "t05", "t06", "t07", "t08", "t09", "t10", "t11",
    "t12", "t13", "t14", "t15", "t16", "t17", "t18", "t19", "t20", "t21", "t22", "t23"
};
int main(void) {
    const char *empty = "";
    if (empty == texts[17] + 3) reach_error();
    return 0;
}
