/*
 * Purpose: the rules about a recipe's contents that its schema cannot state, and the fields that
 *     follow from others. Part of recipe.c.
 *
 * Layer: config.
 *
 * Calling sequence: recipe_check() once, by recipe_parse().
 *
 * Ownership: what it adds to the recipe is freed by recipe_release().
 *
 * Errors: FAIL_INPUT with file, line and column.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_CONFIG_RECIPE_CHECK_H
#define HALLMARK_CONFIG_RECIPE_CHECK_H

#include "config/doc.h"
#include "config/recipe.h"

int recipe_check(struct recipe *recipe, const struct doc *doc, const char *base,
                 struct fail *fail) must_check;

#endif
