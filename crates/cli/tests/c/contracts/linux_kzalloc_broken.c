// expect: UNSAFE
// options: --contracts linux
// That of kmalloc is not.
extern void reach_error(void);

typedef unsigned int gfp_t;
extern void *kmalloc(unsigned long, gfp_t);
struct dev { struct dev *next; int open; };

int main(void)
{
    struct dev *dev = kmalloc(sizeof *dev, 0xcc0);
    if (dev && dev->open == 3)
        reach_error();
    return 0;
}
