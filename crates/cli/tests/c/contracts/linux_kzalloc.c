// expect: SAFE
// options: --contracts linux
// Memory of kzalloc is zero, through the inline functions of headers too.
extern void reach_error(void);

typedef unsigned int gfp_t;
extern void *__kmalloc(unsigned long, gfp_t);
static inline void *kmalloc(unsigned long n, gfp_t flags) { return __kmalloc(n, flags); }
static inline void *kzalloc(unsigned long n, gfp_t flags) { return kmalloc(n, flags | 0x100u); }
struct dev { struct dev *next; int open; };

int main(void)
{
    struct dev *dev = kzalloc(sizeof *dev, 0xcc0);
    if (dev && (dev->next || dev->open))
        reach_error();
    return 0;
}
