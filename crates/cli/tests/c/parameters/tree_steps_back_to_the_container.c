// expect: SAFE
// options: --entry operation --params tree
struct inner {
    int number;
};

struct outer {
    int owned;
    struct inner inner;
};

struct file {
    struct inner *data;
};

extern void assert(int);

void operation(struct file *file, struct file *other)
{
    struct outer *outer, *another;

    if (!file->data || !other->data)
        return;
    outer = (struct outer *)((char *)file->data - __builtin_offsetof(struct outer, inner));
    another = (struct outer *)((char *)other->data - __builtin_offsetof(struct outer, inner));
    outer->owned = 1;
    another->owned = 2;
    assert(outer->owned == 1);
}
