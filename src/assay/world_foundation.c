/* Foundation: strings, arrays, the log, and the formatting that printf shares. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "assay/world.h"

#define CONSTANT_STRING_DIVERSITY UINT64_C(0x6ae1) /* of the isa of a constant string, key DA */
#define CONSTANT_STRING_UNICODE   0x10u            /* flag: 16-bit units, not bytes */
#define LOG_MAX                   4096u
#define FORMAT_WIDTH_MAX          4096u

/* ---- strings -------------------------------------------------------------------------------- */

struct constant_string {
    uint64_t isa, flags, bytes, length;
};

static bool check_isa(struct world *world, uint64_t address, uint64_t isa)
{
    struct emu *emu = process_emu(world->process);
    uint64_t modifier = (address & UINT64_C(0xffffffffffff)) | CONSTANT_STRING_DIVERSITY << 48;
    if (emu_strip(emu, isa) != world->constant_string_class)
        return process_complain(world->process, "a string", "the object at 0x%" PRIx64, address);
    if (emu_is_signed(emu, isa, EMU_KEY_DA, modifier))
        return true;
    own_mem char *place = text_printf("isa of the constant string at 0x%" PRIx64, address);
    own_mem char *actual = text_printf("0x%" PRIx64, isa);
    finding_error(world->findings, "assay.authentication", place,
                  "a pointer signed with key DA, diversity 0x6ae1 and address diversity", actual);
    process_end(world->process);
    return false;
}

static char *constant_text(struct world *world, uint64_t address)
{
    struct constant_string string = {0};
    uint64_t *const fields[] = {&string.isa, &string.flags, &string.bytes, &string.length};
    for (size_t i = 0; i < 4; i++) {
        if (!process_read_u64(world->process, fields[i], address + 8 * i))
            return NULL;
    }
    if (!check_isa(world, address, string.isa))
        return NULL;
    if ((string.flags & CONSTANT_STRING_UNICODE) != 0 || string.length >= PROCESS_TEXT_MAX) {
        process_complain(world->process, "a string of bytes that is not too long",
                         "flags 0x%" PRIx64 ", length %" PRIu64, string.flags, string.length);
        return NULL;
    }
    own_mem char *text = mem_new(string.length + 1, 1);
    if (!process_read(world->process, text, string.bytes, string.length))
        return NULL;
    return steal_mem(&text);
}

char *world_string_text(struct world *world, uint64_t address)
{
    const struct world_object *object = world_find_object(world, address);
    if (object == NULL)
        return constant_text(world, address);
    if (object->kind == WORLD_STRING)
        return text_copy(object->text);
    process_complain(world->process, "a string", "an object of class %s", object->class_->name);
    return NULL;
}

uint64_t world_add_string(struct world *world, const char *text)
{
    uint64_t address = world_add_object(world, world_find_class(world, "NSString"), WORLD_STRING);
    if (address != 0)
        world_find_object(world, address)->text = text_copy(text);
    return address;
}

static bool string_utf8(struct process *process, void *context)
{
    own_mem char *text = world_string_text((struct world *)context, process_argument(process, 0));
    return text != NULL && process_return_text(process, text);
}

/* ---- arrays --------------------------------------------------------------------------------- */

static const struct world_object *take_array(struct world *world)
{
    const struct world_object *object =
        world_find_object(world, process_argument(world->process, 0));
    if (object != NULL && object->kind == WORLD_ARRAY)
        return object;
    process_complain(world->process, "an array", "another object");
    return NULL;
}

static bool array_count(struct process *process, void *context)
{
    const struct world_object *array = take_array((struct world *)context);
    return array != NULL && process_return(process, array->item_count);
}

static bool array_item(struct process *process, void *context)
{
    const struct world_object *array = take_array((struct world *)context);
    uint64_t index = process_argument(process, 2);
    if (array == NULL)
        return false;
    if (index >= array->item_count)
        return process_complain(process, "an index inside of the array", "%" PRIu64 " of %zu",
                                index, array->item_count);
    return process_return(process, array->items[index]);
}

/* ---- formatting ----------------------------------------------------------------------------- */

/* A conversion: "%5lld" gives flags and width "5", length 'L' (64 bits) and the letter. */
struct conversion {
    char flags[24];
    bool is_long;
    char letter;
    size_t len; /* of the text, '%' included */
};

static bool parse_conversion(struct conversion *out, const char *text)
{
    size_t flags = strspn(text + 1, "-+ #0123456789.");
    size_t at = 1 + flags;
    *out = (struct conversion){0};
    if (flags >= sizeof out->flags)
        return false;
    memcpy(out->flags, text + 1, flags);
    while (text[at] != '\0' && strchr("lzjtqh", text[at]) != NULL) {
        out->is_long = out->is_long || text[at] != 'h';
        at++;
    }
    out->letter = text[at];
    out->len = at + 1;
    for (const char *digit = out->flags; *digit != '\0'; digit++) {
        if (strtoul(digit, NULL, 10) > FORMAT_WIDTH_MAX)
            return false;
    }
    return out->letter != '\0';
}

static void format_number(struct buf *out, const struct conversion *conversion, uint64_t value)
{
    own_mem char *format = text_printf("%%%s%s%c", conversion->flags,
                                       conversion->letter == 'c' ? "" : "ll", conversion->letter);
    bool is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    if (!conversion->is_long)
        value = is_signed ? (uint64_t)(int64_t)(int32_t)value : (uint32_t)value;
    char text[FORMAT_WIDTH_MAX + 128];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (conversion->letter == 'c')
        (void)snprintf(text, sizeof text, format, (int)value);
    else
        (void)snprintf(text, sizeof text, format, (unsigned long long)value);
#pragma GCC diagnostic pop
    buf_puts(out, text);
}

static bool format_text(struct world *world, struct buf *out, const struct conversion *conversion,
                        uint64_t value)
{
    if (value == 0) {
        buf_puts(out, "(null)");
        return true;
    }
    own_mem char *text = conversion->letter == '@' ? world_string_text(world, value)
                                                   : process_text(world->process, value);
    if (text == NULL)
        return false;
    if (conversion->flags[0] != '\0')
        return process_complain(world->process, "%s without flags", "%%%s%c", conversion->flags,
                                conversion->letter);
    buf_puts(out, text);
    return true;
}

static bool format_one(struct world *world, struct buf *out, const struct conversion *conversion,
                       unsigned index)
{
    uint64_t value = 0;
    if (!process_variadic(world->process, &value, index))
        return false;
    if (strchr("diuxXoc", conversion->letter) != NULL) {
        format_number(out, conversion, value);
        return true;
    }
    if (conversion->letter == 's' || conversion->letter == '@')
        return format_text(world, out, conversion, value);
    if (conversion->letter == 'p') {
        buf_printf(out, "0x%" PRIx64, value);
        return true;
    }
    return process_complain(world->process, "a conversion that is known", "%%%c",
                            conversion->letter);
}

bool world_format(struct world *world, struct buf *out, const char *format, unsigned index)
{
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");
        buf_append(out, format, plain);
        format += plain;
        if (*format == '\0')
            break;
        struct conversion conversion = {0};
        if (!parse_conversion(&conversion, format))
            return process_complain(world->process, "a format that is known", "'%s'", format);
        if (conversion.letter == '%')
            buf_putc(out, '%');
        else if (!format_one(world, out, &conversion, index++))
            return false;
        format += conversion.len;
        if (out->len > PROCESS_TEXT_MAX)
            return process_complain(world->process, "less text", "more than %u bytes",
                                    PROCESS_TEXT_MAX);
    }
    return true;
}

/* ---- the log -------------------------------------------------------------------------------- */

static bool log_line(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    own_mem char *format = world_string_text(world, process_argument(process, 0));
    own_buf struct buf line = {0};
    if (format == NULL || !world_format(world, &line, format, 0))
        return false;
    if (world->log_count == LOG_MAX)
        return process_complain(process, "fewer lines", "more than %u", LOG_MAX);
    if (!process_work(process, line.len))
        return false;
    world->log = mem_grow(world->log, world->log_count, &world->log_capacity, sizeof *world->log);
    world->log[world->log_count++] = text_copy(buf_text(&line));
    return true;
}

static bool class_from_string(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    own_mem char *name = world_string_text(world, process_argument(process, 0));
    if (name == NULL)
        return false;
    const struct world_class *class_ = world_find_class(world, name);
    return process_return(process, class_ == NULL ? 0 : class_->address);
}

void world_foundation_start(struct world *world)
{
    struct world_class *root = world_find_class(world, "NSObject");
    struct world_class *string = world_add_class(world, "NSString", root);
    struct world_class *array = world_add_class(world, "NSArray", root);
    world->constant_string_class = process_alloc(world->process, 64);
    if (string == NULL || array == NULL)
        return;
    world_add_method(world, string, "UTF8String", "*16@0:8", string_utf8, world);
    world_add_method(world, array, "count", "Q16@0:8", array_count, world);
    world_add_method(world, array, "objectAtIndex:", "@24@0:8Q16", array_item, world);
    world_add_method(world, array, "objectAtIndexedSubscript:", "@24@0:8Q16", array_item, world);
}

stand_in world_foundation_function(const char *name)
{
    static const struct world_function functions[] = {
        {"_NSLog", log_line},
        {"_NSClassFromString", class_from_string},
    };
    return world_look_up(functions, sizeof functions / sizeof functions[0], name);
}
