/* Four processes, three increments each that are a read and a write, on one
   counter. increments.c is the same in C. */
byte counter, done;

proctype thread() {
  byte i, local;
  i = 0;
  do
  :: i < 3 -> local = counter; counter = local + 1; i++
  :: else -> break
  od;
  done++
}

init {
  run thread(); run thread(); run thread(); run thread();
  done == 4
}
