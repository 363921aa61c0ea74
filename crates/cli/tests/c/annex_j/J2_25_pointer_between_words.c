// expect: SAFE
/* A pointer to int may lie between words; what it points to are the bytes there. */
extern void reach_error(void);
int main(void) {
    unsigned char bytes[8] = {0, 1, 0, 0, 0, 0, 0, 0};
    unsigned int *p = (unsigned int *)(bytes + 1);
    if (*p != 1) reach_error();
    return 0;
}
