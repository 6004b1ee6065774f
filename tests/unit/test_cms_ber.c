/* The bounded reader of BER. */
#include "port/cms_ber.h"

#include "unit/unit.h"

static bool take(struct ber *out, const char *bytes, size_t len, struct view *rest)
{
    *rest = (struct view){(const uint8_t *)bytes, len};
    return ber_next(out, rest);
}

static void ber_next__lengths(void **state)
{
    (void)state;
    struct ber out = {0};
    struct view rest = {0};
    assert_true(take(&out, "\x04\x02zzx", 5, &rest));
    assert_int_equal(out.content.len, 2);
    assert_int_equal(out.whole.len, 4);
    assert_int_equal(rest.len, 1);
    assert_true(take(&out, "\x04\x83\0\0\1z", 6, &rest)); /* longer than needed: BER, not DER */
    assert_int_equal(out.content.len, 1);
    assert_true(take(&out, "\x30\x80\x04\1z\0\0y", 8, &rest));
    assert_true(out.indefinite);
    assert_int_equal(out.content.len, 3);
    assert_int_equal(out.whole.len, 7);
    assert_int_equal(rest.len, 1);
    assert_false(take(&out, "\x04\x03zz", 4, &rest));          /* cut */
    assert_false(take(&out, "\x04\x80zz\0\0", 6, &rest));      /* primitive of no length */
    assert_false(take(&out, "\x04\x85\0\0\0\0\1z", 8, &rest)); /* too many bytes of length */
    assert_false(take(&out, "\x1f\x81\1z", 4, &rest));         /* a long tag */
    assert_false(take(&out, "\x30\x80\x04\1z\0", 6, &rest));   /* no end */
    assert_false(take(&out, "\0\0", 2, &rest));                /* an end without a beginning */
    assert_false(take(&out, "\x04\x84\xff\xff\xff\xff", 6, &rest));
}

static void ber_next__nesting_has_a_limit(void **state)
{
    (void)state;
    for (unsigned depth = BER_DEPTH_MAX; depth <= BER_DEPTH_MAX + 1; depth++) {
        own_buf struct buf bytes = {0};
        struct ber out = {0};
        for (unsigned i = 0; i < depth; i++)
            buf_append(&bytes, "\x30\x80", 2);
        buf_zeros(&bytes, (size_t)depth * 2);
        struct view rest = {bytes.data, bytes.len};
        assert_int_equal(ber_next(&out, &rest), depth <= BER_DEPTH_MAX);
    }
}

static void ber_octets__in_pieces(void **state)
{
    (void)state;
    struct ber out = {0};
    struct view rest = {0};
    own_buf struct buf bytes = {0};
    assert_true(take(&out, "\x24\x80\x04\1a\x04\2bc\0\0", 11, &rest));
    assert_true(ber_octets(&bytes, &out));
    assert_string_equal(buf_text(&bytes), "abc");
    assert_true(take(&out, "\x24\x03\x02\1a", 5, &rest));
    assert_false(ber_octets(&bytes, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ber_next__lengths),
        cmocka_unit_test(ber_next__nesting_has_a_limit),
        cmocka_unit_test(ber_octets__in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
