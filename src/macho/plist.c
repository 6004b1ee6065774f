#include "macho/plist.h"

static int stub(struct fail *fail)
{
    return fail_set(fail, FAIL_INPUT, "this form of property list is not read yet");
}
int plist_parse(struct plist *out, struct view bytes, struct fail *fail)
{
    return plist_parse_xml(out, bytes, fail);
}
int plist_parse_der(struct plist *out, struct view der, struct fail *fail)
{
    *out = (struct plist){0};
    (void)der;
    return stub(fail);
}
void plist_difference_release(struct plist_difference *difference)
{
    own_release_mem(&difference->path);
    own_release_mem(&difference->first);
    own_release_mem(&difference->second);
}
bool plist_equal(struct plist_difference *out, const struct plist *a, const struct plist *b)
{
    *out = (struct plist_difference){0};
    return a->count == b->count;
}
void plist_value_text(struct buf *out, const struct plist_node *node)
{
    (void)node;
    buf_puts(out, "?");
}
void plist_text(struct buf *out, const struct plist *list, unsigned indent)
{
    (void)list;
    (void)indent;
    buf_puts(out, "?\n");
}
json_t *plist_json(const struct plist *list)
{
    (void)list;
    return js_object();
}
