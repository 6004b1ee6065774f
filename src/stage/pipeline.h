/*
 * Purpose: run the stages of a release in their order.
 *
 * Layer: stage.
 *
 * Calling sequence:
 *         own_release struct release release = RELEASE_INIT;
 *         if (release_run(&release, &request, &fail) < 0) ...
 *     With findings nothing is published: look at release.findings and
 *     release.published. Without request.out (audit) everything is derived
 *     into the staging directory in scratch space, release.stage.fd, and left
 *     there until release_free().
 *
 * Errors: those of the stages, with "while ..." lines.
 */
#ifndef HALLMARK_STAGE_PIPELINE_H
#define HALLMARK_STAGE_PIPELINE_H

#include "stage/release.h"

int release_run(struct release *release, const struct release_request *request,
                struct fail *fail) must_check;

#endif
