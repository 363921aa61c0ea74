typedef void *HANDLE;
int ZwOpenKey(HANDLE *key, unsigned int access, void *attributes);
int ZwClose(HANDLE);

int safe_opened(void *attributes)
{
    HANDLE key;
    int status = ZwOpenKey(&key, 1, attributes);

    if (status < 0)
        return status;
    ZwClose(key);
    return 0;
}

void broken_failed(void *attributes)
{
    HANDLE key;

    ZwOpenKey(&key, 1, attributes);
    ZwClose(key);
}

void broken_twice(void *attributes)
{
    HANDLE key;

    if (ZwOpenKey(&key, 1, attributes) < 0)
        return;
    ZwClose(key);
    ZwClose(key);
}

int broken_lost(void *attributes)
{
    HANDLE key;

    return ZwOpenKey(&key, 1, attributes);
}
