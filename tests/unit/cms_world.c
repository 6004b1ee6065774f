#include "unit/cms_world.h"

#include "unit/unit.h"

struct cms_world cms_world;

static const uint8_t text[] = "the content that is signed";
const struct view cms_content = {text, sizeof text - 1};
const struct view cms_changed = {text, sizeof text - 2};

int cms_world_make(void **state)
{
    (void)state;
    cms_world.root = identity_new(&(struct identity_spec){.name = "Test Root", .ca = true});
    cms_world.intermediate = identity_new(&(struct identity_spec){
        .name = "Test Intermediate", .issuer = cms_world.root, .ca = true, .path_len = "0"});
    cms_world.leaf =
        identity_new(&(struct identity_spec){.name = "Test Leaf",
                                             .issuer = cms_world.intermediate,
                                             .usage = "critical,codeSigning",
                                             .extension = "1.2.840.113635.100.6.1.13"});
    cms_world.rsa = identity_new(&(struct identity_spec){.name = "Test RSA Leaf",
                                                         .issuer = cms_world.intermediate,
                                                         .usage = "critical,codeSigning",
                                                         .rsa = true});
    cms_world.stranger = identity_new(&(struct identity_spec){
        .name = "Test Leaf", .issuer = cms_world.root, .usage = "codeSigning"});
    cms_world.authority = identity_new(&(struct identity_spec){
        .name = "Test Timestamps", .issuer = cms_world.root, .usage = "critical,timeStamping"});
    return 0;
}

int cms_world_end(void **state)
{
    (void)state;
    identity_free(cms_world.root);
    identity_free(cms_world.intermediate);
    identity_free(cms_world.leaf);
    identity_free(cms_world.rsa);
    identity_free(cms_world.stranger);
    identity_free(cms_world.authority);
    return 0;
}

struct cms_spec cms_plain(void)
{
    return (struct cms_spec){
        .signer = cms_world.leaf,
        .content = cms_content,
        .signing_time = "250102030405Z",
        .certificates = {cms_world.leaf, cms_world.intermediate, cms_world.root}};
}

void cms_open_works(struct cms *out, const struct buf *der)
{
    own_fail struct fail fail = {0};
    assert_works(cms_open(out, (struct view){der->data, der->len}, &fail), &fail);
}
