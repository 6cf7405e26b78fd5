void __tp_placeholder(void) {}
