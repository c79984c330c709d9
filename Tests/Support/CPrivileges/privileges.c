#define _GNU_SOURCE
#include "CPrivileges.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

static void set(unsigned capabilities, bool may) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2];
  if (syscall(SYS_capget, &header, data) != 0) return;
  data[0].effective = may ? data[0].effective | (data[0].permitted & capabilities) : data[0].effective & ~capabilities;
  syscall(SYS_capset, &header, data);
}

void cprivileges_beyond_limits(bool may) { set(1u << CAP_SYS_RESOURCE | 1u << CAP_SYS_ADMIN, may); }

void cprivileges_beyond_permissions(bool may) { set(1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH, may); }
