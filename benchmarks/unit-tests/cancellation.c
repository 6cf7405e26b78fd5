// A cancellation source: callbacks registered before cancellation are run by it,
// one registered later runs at once. Each client waits for its callback.
// kind: livelock
// bug: registration looks whether cancellation was requested and then enters
// the list; if the list was run in between, the callback never runs.
#include "unit.h"

#define CLIENTS 2

static atomic_int requested, registered[CLIENTS], called[CLIENTS];

static void call_once(int client) {
  if (atomic_exchange(&registered[client], 0))
    called[client] = 1;
}

static void request(void) {
  requested = 1;
  for (int i = 0; i < CLIENTS; i++)
    call_once(i);
}

static void register_callback(int client) {
#ifdef FIXED
  registered[client] = 1;
  if (requested)
    call_once(client);
#else
  if (requested) {
    called[client] = 1;
    return;
  }
  registered[client] = 1;
#endif
}

static void *client(void *id) {
  int me = (int)(size_t)id;
  register_callback(me);
  while (!called[me])
    ;
  record(1);
  record(2);
  return 0;
}

static void *canceller(void *arg) {
  record(3);
  request();
  record(4);
  record(5);
  return arg;
}

int main(void) {
  RUN(client, client, canceller);
  return 0;
}
