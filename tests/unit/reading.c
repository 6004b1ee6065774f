#include "unit/reading.h"

void reading_open(struct reading *r)
{
    image_release(&r->image);
    assert_works(image_open_any(&r->image, macho_view(&r->b), &r->fail), &r->fail);
}

void reading_release(struct reading *r)
{
    image_release(&r->image);
    fail_release(&r->fail);
    macho_release(&r->b);
}
