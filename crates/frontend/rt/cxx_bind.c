/* The placeholders of std::bind are empty objects: their types tell them apart. */
#define PLACEHOLDERS(D) \
    D(2_1) D(2_2) D(2_3) D(2_4) D(2_5) D(2_6) D(2_7) D(2_8) D(2_9) D(3_10) D(3_11) D(3_12) D(3_13) D(3_14) \
    D(3_15) D(3_16) D(3_17) D(3_18) D(3_19) D(3_20) D(3_21) D(3_22) D(3_23) D(3_24) D(3_25) D(3_26) D(3_27) \
    D(3_28) D(3_29)

#define DEFINE(name) const char _ZNSt12placeholders##name##E = 0;
PLACEHOLDERS(DEFINE)
