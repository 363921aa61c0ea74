// expect: UNSAFE
// options: --check bounds
// without: abstraction, which needs many rounds
int nd(void);
void reach_error(void);

struct ring {
    unsigned char data[4];
    unsigned head, count;
};

static struct ring ring;

static void put(unsigned char byte)
{
    ring.data[ring.head] = byte;
    ring.head = ring.head == 3 ? 0 : ring.head + 1;
    ring.count++;
}

int main(void)
{
    for (;;) {
        if (nd() && ring.count <= 4)
            put((unsigned char)nd());
        else if (ring.count > 0)
            ring.count--;
        if (ring.count > 4)
            reach_error();
    }
}
