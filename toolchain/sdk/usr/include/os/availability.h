/*
 * os/availability.h: API_AVAILABLE and its relatives; see Availability.h.
 * Facts: as Availability.h.
 */
#ifndef __OS_AVAILABILITY__
#define __OS_AVAILABILITY__

#include <Availability.h>

#endif
