typedef struct { long count; } IO_REMOVE_LOCK;
int IoAcquireRemoveLockEx(IO_REMOVE_LOCK *, void *tag);
void IoReleaseRemoveLockEx(IO_REMOVE_LOCK *, void *tag);

static IO_REMOVE_LOCK lock;

int safe_acquired(void *irp)
{
    int status = IoAcquireRemoveLockEx(&lock, irp);

    if (status < 0)
        return status;
    IoReleaseRemoveLockEx(&lock, irp);
    return 0;
}

void broken_failed(void *irp)
{
    IoAcquireRemoveLockEx(&lock, irp);
    IoReleaseRemoveLockEx(&lock, irp);
}

int broken_lost(void *irp, int code)
{
    int status = IoAcquireRemoveLockEx(&lock, irp);

    if (status < 0)
        return status;
    if (code != 4)
        return -1;
    IoReleaseRemoveLockEx(&lock, irp);
    return 0;
}
