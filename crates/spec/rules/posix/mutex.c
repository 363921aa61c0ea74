typedef struct { int data[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int nondet(void);

static pthread_mutex_t first, second;

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        pthread_mutex_lock(&first);
        pthread_mutex_unlock(&first);
    }
}

void safe_two_at_once(void)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
}

void safe_by_flag(int flag)
{
    if (flag)
        pthread_mutex_lock(&first);
    if (flag)
        pthread_mutex_unlock(&first);
}

void broken_twice(void)
{
    pthread_mutex_lock(&first);
    if (nondet())
        pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
}

void broken_not_taken(void)
{
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&first);
}

void broken_error_path(int n)
{
    pthread_mutex_lock(&first);
    if (n < 0)
        return;
    pthread_mutex_unlock(&first);
}

void safe_trylock(void)
{
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    if (pthread_mutex_trylock(&first) == 0)
        pthread_mutex_unlock(&first);
}

void broken_trylock_kept(void)
{
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    if (pthread_mutex_trylock(&first))
        pthread_mutex_unlock(&second);
}
