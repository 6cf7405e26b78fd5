// A message is sent again until its number is acknowledged. Whether the channel loses it is an
// input, and inputs are not fair.
// ltl: unsafe weak G F received
// ltl: unsafe strong G F received
// ltl: safe weak G F transmitted -> G F received
// ltl: unsafe none G F transmitted -> G F received
// ltl: safe none G "channel >= 0 && channel <= 2"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int channel = 2, ack = 1;

void *receiver(void *arg) {
    int expected = 0;
    for (;;)
        if (atomic_load(&channel) == expected) {
            tp_label("received");
            atomic_store(&ack, expected);
            expected = !expected;
        }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, receiver, 0);
    int number = 0;
    for (;;) {
        if (tp_nondet_bool()) {
            tp_label("transmitted");
            atomic_store(&channel, number);
        }
        if (atomic_load(&ack) == number)
            number = !number;
    }
}
