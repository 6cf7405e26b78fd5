/* dynamic_cast, by the type information that the Itanium C++ ABI lays down
 * (sections 2.5.3 and 2.9): what kind of class it is follows from the virtual
 * table of the information itself. */
#include "rt.h"

/* A class without bases, with one at its beginning, with any number. */
extern const char *const _ZTVN10__cxxabiv117__class_type_infoE[];
extern const char *const _ZTVN10__cxxabiv120__si_class_type_infoE[];
extern const char *const _ZTVN10__cxxabiv121__vmi_class_type_infoE[];

struct type {
    const char *const *kind;
    const char *name;
};
struct single {
    struct type type;
    const struct type *base;
};
struct base {
    const struct type *type;
    long offset_and_flags;
};
struct several {
    struct type type;
    unsigned flags, count;
    struct base bases[];
};
enum { VIRTUAL = 1, PUBLIC = 2, OFFSET_SHIFT = 8 };

/* An object whose first word leads to its virtual functions; in front of these
 * are its type and how far the whole object is. */
struct object {
    const char *methods;
};
static ptrdiff_t to_whole(const struct object *object) { return ((const ptrdiff_t *)object->methods)[-2]; }
static const struct type *type_of(const struct object *object) {
    return ((const struct type *const *)object->methods)[-1];
}

/* Of the parts with one property: the first, whether it can be had through
 * public bases alone, and whether there is another one. */
struct found {
    const void *part;
    _Bool is_public, is_ambiguous;
};

static void add(struct found *found, const void *part, _Bool is_public) {
    if (found->part && found->part != part) found->is_ambiguous = 1;
    found->part = part;
    found->is_public |= is_public;
}

struct search {
    const void *source;
    const struct type *source_type, *target_type;
    /* Parts of the wanted type; those that contain the source; the source. */
    struct found targets, holders, sources;
};

/* Where the walk is: the part, whether it is a public one of the whole, and the
 * part of the wanted type in which it lies, if any, with the same. */
struct place {
    const char *part;
    _Bool is_public;
    const char *holder;
    _Bool is_public_in_holder;
};

static void visit(struct search *search, const struct type *type, struct place at);

static void visit_base(struct search *search, struct place at, const struct base *base) {
    ptrdiff_t offset = base->offset_and_flags >> OFFSET_SHIFT;
    /* That of a virtual base is in the virtual table. */
    if (base->offset_and_flags & VIRTUAL)
        offset = *(const ptrdiff_t *)(((const struct object *)at.part)->methods + offset);
    at.part += offset;
    if (!(base->offset_and_flags & PUBLIC)) at.is_public = at.is_public_in_holder = 0;
    visit(search, base->type, at);
}

static void visit(struct search *search, const struct type *type, struct place at) {
    if (type == search->target_type) {
        add(&search->targets, at.part, at.is_public);
        at.holder = at.part;
        at.is_public_in_holder = 1;
    }
    if (type == search->source_type && at.part == search->source) {
        add(&search->sources, at.part, at.is_public);
        if (at.holder) add(&search->holders, at.holder, at.is_public_in_holder);
    }
    if (type->kind == _ZTVN10__cxxabiv120__si_class_type_infoE + 2) {
        visit(search, ((const struct single *)type)->base, at);
    } else if (type->kind == _ZTVN10__cxxabiv121__vmi_class_type_infoE + 2) {
        const struct several *several = (const struct several *)type;
        for (unsigned i = 0; i < several->count; i++) visit_base(search, at, &several->bases[i]);
    } else if (type->kind != _ZTVN10__cxxabiv117__class_type_infoE + 2) {
        __tp_unsupported("dynamic_cast of an object of a class of a library");
    }
}

/* Down to the part that contains the source, or else to any part of the whole. */
void *__dynamic_cast(const void *source, const struct type *source_type, const struct type *target_type,
                     ptrdiff_t hint) {
    const struct object *object = source;
    const char *whole = (const char *)source + to_whole(object);
    struct search search = {source, source_type, target_type};
    visit(&search, type_of((const struct object *)whole), (struct place){whole, 1, 0, 0});
    struct found *holder = &search.holders, *target = &search.targets;
    if (holder->part && holder->is_public && !holder->is_ambiguous) return (void *)holder->part;
    if (search.sources.is_public && target->is_public && !target->is_ambiguous) return (void *)target->part;
    return 0;
}
