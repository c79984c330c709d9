// For tests of limits that the kernel spares root: takes what spares it from the calling thread alone.
#ifndef CPRIVILEGES_H
#define CPRIVILEGES_H

#include <stdbool.h>

// Whether the thread may go beyond the limits of its user (CAP_SYS_RESOURCE, CAP_SYS_ADMIN), if it could before; capset.
void cprivileges_beyond_limits(bool may);

// Whether the thread may use files whatever their permissions are (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH), if it could
// before; capset.
void cprivileges_beyond_permissions(bool may);

#endif
