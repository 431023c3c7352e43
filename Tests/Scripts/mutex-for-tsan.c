// Tells ThreadSanitizer about Swift's Mutex.
//
// Its fast path is compiled into the program and seen there. Its slow path lies in the runtime, which
// is not instrumented: between a thread that has waited for a lock and the one that had it nothing
// seems to be in order, and all that the lock protects seems to race. This library is loaded before
// the runtime and takes the place of the slow path, to say what that does (Swift 6.3 on Linux).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// ThreadSanitizer's own; the programs around the tests lack them.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
  typedef SWIFT void (*Lock)(uint32_t, SELF void *);
  ((Lock)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
  typedef SWIFT void (*Unlock)(SELF void *);
  if (__tsan_release) __tsan_release(mutex);
  ((Unlock)dlsym(RTLD_NEXT, UNLOCK_SLOW))(mutex);
}
