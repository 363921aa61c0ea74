typedef struct _IRP { int control; } IRP;
static inline void IoMarkIrpPending(IRP *irp)
{
    irp->control |= 1;
}
void queue(IRP *);

int safe_both(IRP *irp, int busy)
{
    if (busy) {
        IoMarkIrpPending(irp);
        queue(irp);
        return 0x103;
    }
    return 0;
}

int broken_not_returned(IRP *irp, int busy)
{
    if (busy)
        IoMarkIrpPending(irp);
    return 0;
}

int broken_not_marked(IRP *irp, int busy)
{
    if (busy) {
        queue(irp);
        return 0x103;
    }
    IoMarkIrpPending(irp);
    return 0x103;
}
