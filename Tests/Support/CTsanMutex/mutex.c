// Tells ThreadSanitizer that a contended Synchronization.Mutex orders memory accesses.
//
// The fast paths of Mutex are compiled into the program, and ThreadSanitizer sees their atomic operations. The slow
// paths are in libswiftSynchronization.so, where the kernel changes the lock's word (FUTEX_LOCK_PI) unseen, so every
// contended lock would be reported as a race. These functions replace the slow paths in the test program, and call
// them. Without ThreadSanitizer they do nothing else.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

// Synchronization._MutexHandle._lockSlow(UInt32) and _unlockSlow().
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void ctsanmutex_lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void ctsanmutex_unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFT void ctsanmutex_lock_slow(uint32_t thread, SELF void *mutex) {
  SWIFT void (*next)(uint32_t, SELF void *) = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK_SLOW);
  next(thread, mutex);
  if (__tsan_acquire != NULL) __tsan_acquire(mutex);
}

SWIFT void ctsanmutex_unlock_slow(SELF void *mutex) {
  SWIFT void (*next)(SELF void *) = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_release != NULL) __tsan_release(mutex);
  next(mutex);
}
