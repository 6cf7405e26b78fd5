/* Four processes, three increments each that are a read and a write, on one
   counter. increments.c is the same in C. */
byte counter;

proctype thread() {
  byte i, seen;
  do
  :: i < 3 -> seen = counter; d_step { counter = seen + 1; i++ }
  :: else -> break
  od
}

init {
  run thread(); run thread(); run thread(); run thread();
  _nr_pr == 1
}
