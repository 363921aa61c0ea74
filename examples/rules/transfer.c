// A rule of one's own. To be checked with
//   hardbop check examples/rules/transfer.c --entries all-exported --rule examples/rules/transfer.slic
// expect: DEFECT in transfer; transfer_all passes
void begin_io(void);
void end_io(void);
int device_ready(void);
void put(int byte);

int transfer(int byte)
{
    begin_io();
    if (!device_ready())
        return -1;
    put(byte);
    end_io();
    return 0;
}

int transfer_all(const unsigned char *bytes, int n)
{
    if (!device_ready())
        return -1;
    for (int i = 0; i < n; i++) {
        begin_io();
        put(bytes[i]);
        end_io();
    }
    return 0;
}
