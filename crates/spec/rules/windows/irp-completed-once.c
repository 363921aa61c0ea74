typedef struct _IRP { int status; } IRP;
typedef struct _DEVICE_OBJECT { int type; } DEVICE_OBJECT;
void IofCompleteRequest(IRP *irp, char boost);
int IofCallDriver(DEVICE_OBJECT *device, IRP *irp);

int safe_one_way(DEVICE_OBJECT *lower, IRP *irp, int code)
{
    if (code == 3) {
        IofCompleteRequest(irp, 0);
        return 0;
    }
    return IofCallDriver(lower, irp);
}

void safe_two_requests(IRP *irp, IRP *other)
{
    if (irp == other)
        return;
    IofCompleteRequest(irp, 0);
    IofCompleteRequest(other, 0);
}

int broken_twice(IRP *irp, int code)
{
    if (code)
        IofCompleteRequest(irp, 0);
    IofCompleteRequest(irp, 0);
    return 0;
}

int broken_completed_and_passed(DEVICE_OBJECT *lower, IRP *irp)
{
    IofCompleteRequest(irp, 0);
    return IofCallDriver(lower, irp);
}

int broken_passed_and_completed(DEVICE_OBJECT *lower, IRP *irp)
{
    int status = IofCallDriver(lower, irp);

    if (status < 0)
        IofCompleteRequest(irp, 0);
    return status;
}
