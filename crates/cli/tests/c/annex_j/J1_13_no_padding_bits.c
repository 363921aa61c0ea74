// expect: SAFE
/* Every bit of an integer counts: the pattern of all ones is the largest value. */
extern void reach_error(void);
int main(void) {
    unsigned int all;
    unsigned char *bytes = (unsigned char *)&all;
    bytes[0] = bytes[1] = bytes[2] = bytes[3] = 255;
    if (all != ~0u) reach_error();
    return 0;
}
