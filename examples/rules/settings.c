// A function of a library that forgets its stream on one way out. To be checked with
//   hardbop check examples/rules/settings.c --entries all-exported --rules posix/stream
// expect: DEFECT of posix/stream in read_limit; count_lines passes
#include <stdio.h>

int read_limit(const char *name, int *limit)
{
    FILE *file = fopen(name, "r");
    int c, value = 0;

    if (!file)
        return -1;
    while ((c = getc(file)) >= '0' && c <= '9')
        value = value * 10 + (c - '0');
    if (c != '\n')
        return -1;
    fclose(file);
    *limit = value;
    return 0;
}

int count_lines(const char *name)
{
    FILE *file = fopen(name, "r");
    int c, lines = 0;

    if (!file)
        return -1;
    while ((c = getc(file)) != EOF)
        if (c == '\n')
            lines++;
    fclose(file);
    return lines;
}
