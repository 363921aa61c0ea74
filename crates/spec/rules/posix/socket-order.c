struct sockaddr;
int socket(int, int, int);
int bind(int, const struct sockaddr *, unsigned int);
int listen(int, int);
int accept(int, struct sockaddr *, unsigned int *);

int safe_server(const struct sockaddr *a)
{
    int s = socket(2, 1, 0);

    if (s < 0)
        return -1;
    if (bind(s, a, 16) != 0)
        return -1;
    if (listen(s, 5) != 0)
        return -1;
    return accept(s, 0, 0);
}

int broken_not_bound(void)
{
    int s = socket(2, 1, 0);

    return listen(s, 5);
}

int broken_bind_unchecked(const struct sockaddr *a)
{
    int s = socket(2, 1, 0);

    bind(s, a, 16);
    return listen(s, 5);
}

int broken_not_listening(const struct sockaddr *a)
{
    int s = socket(2, 1, 0);

    if (bind(s, a, 16) != 0)
        return -1;
    return accept(s, 0, 0);
}
