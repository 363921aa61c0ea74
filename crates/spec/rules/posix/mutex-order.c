typedef struct { int data[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);

static pthread_mutex_t m, n;

static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
    pthread_mutex_lock(x);
    pthread_mutex_lock(y);
    pthread_mutex_unlock(y);
    pthread_mutex_unlock(x);
}

void safe_same_order(void)
{
    both(&m, &n);
    both(&m, &n);
}

void safe_apart(void)
{
    both(&m, &n);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

void safe_one_at_a_time(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
}

void broken_other_order(int swap)
{
    both(&m, &n);
    if (swap)
        both(&n, &m);
}
