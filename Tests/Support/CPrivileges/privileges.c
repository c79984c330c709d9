#define _GNU_SOURCE
#include "CPrivileges.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

void cprivileges_beyond_limits(bool may) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2];
  if (syscall(SYS_capget, &header, data) != 0) return;
  const unsigned both = 1u << CAP_SYS_RESOURCE | 1u << CAP_SYS_ADMIN;
  data[0].effective = may ? data[0].effective | (data[0].permitted & both) : data[0].effective & ~both;
  syscall(SYS_capset, &header, data);
}
