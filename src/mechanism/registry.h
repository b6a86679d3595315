/* registry.h - one line per mechanism; defined in the file of the same name. */
#ifndef MECHANISM_REGISTRY_H
#define MECHANISM_REGISTRY_H

#include "mechanism/mechanism.h"

#endif
