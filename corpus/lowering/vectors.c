// Vectors: elements at variable indices, reductions, comparisons and shuffles; threads fill one half each.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef int ints __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));
typedef short shorts __attribute__((vector_size(16)));

static ints shared;

static void *fill(void *from)
{
    int *to = (int *)&shared;
    for (int i = *(int *)from; i < *(int *)from + 2; i++)
        to[i] = 10 * i;
    return NULL;
}

static int element(ints vector, int index)
{
    return vector[index];
}

int main(void)
{
    pthread_t thread;
    int low = 0, high = 2;
    pthread_create(&thread, NULL, fill, &low);
    fill(&high);
    pthread_join(thread, NULL);

    ints vector = shared;
    for (int i = 0; i < 4; i++)
        assert(element(vector, i) == 10 * i);
    for (int i = 0; i < 4; i++)
        vector[i] -= i;
    assert(__builtin_reduce_add(vector) == 54);
    assert(__builtin_reduce_max(vector) == 27 && __builtin_reduce_min(vector) == 0);
    assert(__builtin_reduce_or(vector > 9) == -1 && __builtin_reduce_and(vector > 9) == 0);
    ints reversed = __builtin_shufflevector(vector, vector, 3, 2, 1, 0);
    assert(reversed[0] == 27 && reversed[3] == 0);

    floats weights = {0.5f, 2.0f, 1.5f, -4.0f};
    assert(__builtin_reduce_max(weights) == 2.0f);
    shorts most = {32767, 1, -32768, 5};
    shorts sums = __builtin_elementwise_add_sat(most, most);
    assert(sums[0] == 32767 && sums[1] == 2 && sums[2] == -32768 && sums[3] == 10);
    return 0;
}
