// expect: SAFE
// The remark behind `#` names no variable; what the assembly itself names is refused (tests/c/refused).
static int line;

extern void assert(int);

int main(void)
{
    line = 4;
    __asm__ volatile(".pushsection .table,\"aw\"\n"
                     "\t.word %c0\t# entry::line\n"
                     ".popsection\n" : : "i" (7));
    assert(line == 4);
    return 0;
}
