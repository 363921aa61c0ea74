int setuid(unsigned int);
int setgid(unsigned int);

int safe_groups_first(unsigned int user, unsigned int group)
{
    if (setgid(group))
        return -1;
    return setuid(user);
}

int safe_failed(unsigned int user, unsigned int group)
{
    if (setuid(user) == 0)
        return 0;
    return setgid(group);
}

int broken_user_first(unsigned int user, unsigned int group)
{
    if (setuid(user))
        return -1;
    return setgid(group);
}
