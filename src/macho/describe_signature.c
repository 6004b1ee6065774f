#include <stdlib.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"
#include "macho/requirement.h"
#include "macho/sigcheck.h"

/* The content of a blob without its header. */
static struct view payload(const struct codesig_blob *blob)
{
    struct view bytes = {0};
    if (!view_slice(&bytes, blob->bytes, CODESIG_BLOB_LEN, blob->bytes.len - CODESIG_BLOB_LEN))
        return (struct view){0};
    return bytes;
}

static int read_list(struct plist *out, size_t list, struct view bytes, struct fail *fail)
{
    if (list != LIST_ENTITLEMENTS)
        return plist_parse_der(out, bytes, fail);
    if (plist_parse_xml(out, bytes, fail) < 0)
        return -1;
    return out->nodes[0].type == PLIST_DICT ? 0
                                            : fail_set(fail, FAIL_INPUT, "they are no dictionary");
}

static void read_lists(struct description_slice *slice)
{
    struct description_signature *signature = &slice->signature;
    for (size_t i = 0; i < LIST_COUNT; i++) {
        const struct codesig_blob *blob = codesig_find(&signature->parsed, describe_list_slot(i));
        if (blob != NULL)
            signature->has_list[i] = read_list(&signature->lists[i], i, payload(blob),
                                               &slice->faults[FAULT_LIST + i]) == 0;
    }
}

static void read_requirements(struct description_slice *slice)
{
    struct description_signature *signature = &slice->signature;
    struct fail *fault = &slice->faults[FAULT_REQUIREMENTS];
    const struct codesig_blob *blob = codesig_find(&signature->parsed, CODESIG_SLOT_REQUIREMENTS);
    struct requirements set = {0};
    if (blob == NULL || requirements_read(&set, blob->bytes, fault) < 0)
        return;
    signature->has_requirements = true;
    signature->requirements = mem_new(set.count, sizeof *signature->requirements);
    for (uint32_t i = 0; i < set.count; i++) {
        struct description_requirement *requirement = &signature->requirements[i];
        requirement->type = set.list[i].type;
        signature->requirement_count = (size_t)i + 1;
        if (requirement_text(&requirement->text, set.list[i].blob, fault) < 0)
            return; /* what could be decoded of it is shown */
    }
}

static void read_cms(struct description_slice *slice)
{
    struct description_signature *signature = &slice->signature;
    struct view der = {0};
    if (codesig_cms(&der, &signature->parsed))
        signature->has_cms = cms_open(&signature->cms, der, &slice->faults[FAULT_CMS]) == 0;
}

/* A structure that cannot be read is a fault of the answer, besides being a finding. */
static void note_structure(struct description_slice *slice)
{
    const struct findings *findings = &slice->signature.structure;
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->list[i];
        if (finding->level != FINDING_ERROR)
            continue;
        fail_set(&slice->faults[FAULT_SIGNATURE], FAIL_INPUT,
                 "the code signature is malformed: %s: expected %s, found %s", finding->place,
                 finding->expected, finding->actual);
        return;
    }
}

void describe_read_signature(struct description_slice *slice,
                             const struct describe_options *options)
{
    struct description_signature *signature = &slice->signature;
    const struct image *image = &slice->image;
    char arch[MACHO_ARCH_MAX];
    if (image_has(&image->code_signature)) {
        codesig_parse(&signature->parsed, &signature->structure,
                      image_range_data(image, &image->code_signature));
        findings_shift(&signature->structure, 0,
                       slice->where->offset + image->code_signature.offset);
        note_structure(slice);
        read_lists(slice);
        read_requirements(slice);
        read_cms(slice);
    }
    if (!options->judge)
        return;
    struct sigcheck_options judging = options->judging;
    judging.offset = slice->where->offset;
    sigcheck_verify(&signature->findings, image, &judging);
    macho_arch_text(arch, image->cputype, image->cpusubtype);
    findings_slice(&signature->findings, 0, arch);
}

void describe_release_signature(struct description_signature *signature)
{
    codesig_release(&signature->parsed);
    findings_release(&signature->structure);
    findings_release(&signature->findings);
    for (size_t i = 0; i < LIST_COUNT; i++)
        plist_release(&signature->lists[i]);
    for (size_t i = 0; i < signature->requirement_count; i++)
        buf_release(&signature->requirements[i].text);
    free(signature->requirements);
    cms_release(&signature->cms);
    *signature = (struct description_signature){0};
}
