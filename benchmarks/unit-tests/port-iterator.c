// A port with one handler: a post schedules the handler unless that was done
// already; the handler takes all there is.
// kind: livelock
// bug: the handler does not look again after it has said that it is over. What
// was posted in between stays, and the handler is waited for without end.
#include "unit.h"

#define POSTS 4

static atomic_int queued, scheduled, runnable, handled;

static void post(void) {
  atomic_fetch_add(&queued, 1);
  if (!atomic_exchange(&scheduled, 1))
    runnable = 1;
}

static void handle_all(void) {
  while (queued > 0) {
    atomic_fetch_sub(&queued, 1);
    handled++;
  }
}

static void *dispatcher(void *arg) {
  while (handled < POSTS) {
    while (!runnable)
      ;
    runnable = 0;
    handle_all();
    scheduled = 0;
#ifdef FIXED
    if (queued > 0 && !atomic_exchange(&scheduled, 1))
      runnable = 1;
#endif
  }
  record(1);
  record(2);
  return arg;
}

static void *poster(void *arg) {
  post();
  record(3);
  post();
  record(4);
  record(5);
  return arg;
}

int main(void) {
  RUN(dispatcher, poster, poster);
  assert(handled == POSTS);
  return 0;
}
