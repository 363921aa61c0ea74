struct clk { int rate; };
int clk_prepare(struct clk *);
int clk_enable(struct clk *);
void clk_disable(struct clk *);
void clk_unprepare(struct clk *);

static struct clk c;

int safe_all_steps(void)
{
    int r = clk_prepare(&c);

    if (r)
        return r;
    r = clk_enable(&c);
    if (r) {
        clk_unprepare(&c);
        return r;
    }
    clk_disable(&c);
    clk_unprepare(&c);
    return 0;
}

void broken_not_prepared(void)
{
    if (clk_enable(&c) == 0)
        clk_disable(&c);
}

void broken_enable_failed(void)
{
    if (clk_prepare(&c))
        return;
    clk_enable(&c);
    clk_disable(&c);
    clk_unprepare(&c);
}

void broken_order(void)
{
    if (clk_prepare(&c))
        return;
    if (clk_enable(&c)) {
        clk_unprepare(&c);
        return;
    }
    clk_unprepare(&c);
    clk_disable(&c);
}

void broken_still_enabled(void)
{
    if (clk_prepare(&c))
        return;
    clk_enable(&c);
}

void broken_still_prepared(void)
{
    clk_prepare(&c);
}
