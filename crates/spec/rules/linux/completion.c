struct completion { unsigned int done; };
void init_completion(struct completion *);
void reinit_completion(struct completion *);
void wait_for_completion(struct completion *);
void complete(struct completion *);
int start(struct completion *);

int safe_init(void)
{
    struct completion c;

    init_completion(&c);
    if (start(&c))
        return -5;
    wait_for_completion(&c);
    return 0;
}

void safe_again(void)
{
    struct completion c;

    reinit_completion(&c);
    complete(&c);
    wait_for_completion(&c);
}

int broken_wait(void)
{
    struct completion c, d;

    init_completion(&d);
    if (start(&c))
        return -5;
    wait_for_completion(&c);
    return 0;
}

void broken_complete(void)
{
    struct completion c;

    complete(&c);
    init_completion(&c);
}
