/*
 * Property lists of all forms. What was read equals itself; what can be written as DER comes back
 * from there, and the same bytes are written again; what came from DER is as long as before.
 */
#include "fuzz/fuzz.h"
#include "macho/plist.h"

static void must_equal(const struct plist *a, const struct plist *b)
{
    own_plist_difference struct plist_difference difference = {0};
    fuzz_must(plist_equal(&difference, a, b), "the same values");
    fuzz_must(!difference.path && !difference.first && !difference.second, "no difference");
}

static void check_der(const struct plist *list, size_t size)
{
    own_buf struct buf der = {0};
    own_buf struct buf again = {0};
    own_plist struct plist back = {0};
    own_fail struct fail fail = {0};
    if (plist_encode_der(&der, list, &fail) < 0) {
        fuzz_must_say_why(&fail);
        fuzz_must(list->form == PLIST_FORM_XML || list->form == PLIST_FORM_BINARY,
                  "what came from DER can be written as DER");
        return;
    }
    if (der.len > PLIST_LEN_MAX)
        return;
    fuzz_must(list->form != PLIST_FORM_DER || der.len == size, "the same length");
    fuzz_must(plist_parse_der(&back, fuzz_view(&der), &fail) == 0, "what was written can be read");
    must_equal(list, &back);
    fuzz_must(plist_encode_der(&again, &back, &fail) == 0 && fuzz_same(&der, &again),
              "what was read is written as it was");
}

static void show(const struct plist *list)
{
    own_buf struct buf text = {0};
    own_buf struct buf json_text = {0};
    plist_text(&text, list, 4);
    fuzz_must(text.len > 0 && text.data[text.len - 1] == '\n', "lines");
    for (size_t i = 0; i < text.len; i++)
        fuzz_must((text.data[i] >= ' ' && text.data[i] != 0x7f) || text.data[i] == '\n',
                  "no control byte");
    own_json json_t *json = plist_json(list);
    js_print(&json_text, json);
    fuzz_must(json_text.len > 0, "JSON");
}

static void check(const struct plist *list, size_t size)
{
    own_plist_difference struct plist_difference difference = {0};
    must_equal(list, list);
    check_der(list, size);
    show(list);
    const struct plist empty = {0};
    fuzz_must(!plist_equal(&difference, list, &empty) && difference.path, "not equal to nothing");
    (void)plist_get(list, "CFBundleIdentifier");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct view view = {data, size};
    own_plist struct plist list = {0};
    own_plist struct plist der = {0};
    own_fail struct fail fail = {0};
    own_fail struct fail der_fail = {0};
    if (plist_parse(&list, view, &fail) == 0)
        check(&list, size);
    else
        fuzz_must_say_why(&fail);
    if (plist_parse_der(&der, view, &der_fail) == 0)
        check(&der, size);
    else
        fuzz_must_say_why(&der_fail);
    return 0;
}

static const char xml[] =
    "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\">\n"
    "<plist version=\"1.0\"><dict><!-- c --><key>get-task-allow</key><true/>"
    "<key>&lt;&#65;&#x20ac;</key><array><integer>-7</integer><string>a<![CDATA[<b>]]></string>"
    "<data>AAEC</data><dict><key>a</key><array/><key>b</key><dict/></dict></array></dict></plist>";
static const char values[] =
    "<array><date>2024-02-29T23:59:59Z</date><real>-1.5e3</real><real>nan</real><false></false>"
    "<integer>0x7f</integer><string/><data> </data></array>";
static const char der[] =
    "70320201 01b02d30 0a0c0162 30050201 ff020100 301f0c01 61b01a30 060c0178 0101ff30 100c0179"
    "300b0403 0001020c 00010100 3000";
static const char der_set[] = "311c3006 0c016201 01013012 0c016131 0d300b0c 01633006 0c01780c 0179";
static const char binary[] =
    "62706c69 73743030 d2010203 04516161 00e9a905 06070809 0a0b0c04 d0090810 7f13ffff ffffffff"
    "ff80233f f8000000 00000033 41b873a6 00000000 43010203 62d83dde 00080d0f 12 1c 1d 1e 1f 21 2a"
    "33 3c 40 00000000 0000 01 01 00000000 0000000d 00000000 00000000 00000000 00000045";

static void put_hex(struct buf *out, const char *hex)
{
    for (; *hex; hex += *hex == ' ' ? 1 : 2) {
        unsigned char byte = 0;
        char digits[3] = {hex[0], *hex == ' ' ? '\0' : hex[1], '\0'};
        if (*hex == ' ')
            continue;
        if (text_unhex(&byte, 1, digits) < 0)
            abort();
        buf_putc(out, (char)byte);
    }
}

size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    own_buf struct buf seed = {0};
    switch (index) {
    case 0:
        buf_append(&seed, xml, sizeof(xml) - 1);
        break;
    case 1:
        buf_append(&seed, values, sizeof(values) - 1);
        break;
    case 2:
        put_hex(&seed, der);
        break;
    case 3:
        put_hex(&seed, der_set);
        break;
    case 4:
        put_hex(&seed, binary);
        break;
    default:
        return 0;
    }
    return fuzz_give(&seed, out, out_size);
}
