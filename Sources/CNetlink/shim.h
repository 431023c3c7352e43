#pragma once

// The kernel's word on links, addresses and routes (rtnetlink(7)), and NetworkManager's on what they
// cost. Empty on systems other than Linux.

#ifdef __linux__

#include <dlfcn.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/// A socket that hears of every change, or the negative error.
static inline int telex_netlink_open(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (fd < 0) return -errno;
  struct sockaddr_nl address;
  memset(&address, 0, sizeof address);
  address.nl_family = AF_NETLINK;
  address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE |
                      RTMGRP_IPV6_ROUTE;
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  return fd;
}

/// Asks for everything of one kind: RTM_GETLINK, RTM_GETADDR or RTM_GETROUTE, of all families.
/// Returns 0, or the negative error.
static inline int telex_netlink_dump(int fd, uint16_t type, uint32_t sequence) {
  struct {
    struct nlmsghdr header;
    // Longer than any of the three heads; all zero means everything.
    char body[16];
  } request;
  memset(&request, 0, sizeof request);
  size_t body = type == RTM_GETLINK   ? sizeof(struct ifinfomsg)
                : type == RTM_GETADDR ? sizeof(struct ifaddrmsg)
                                      : sizeof(struct rtmsg);
  request.header.nlmsg_len = (uint32_t)NLMSG_LENGTH(body);
  request.header.nlmsg_type = type;
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  request.header.nlmsg_seq = sequence;
  struct sockaddr_nl kernel;
  memset(&kernel, 0, sizeof kernel);
  kernel.nl_family = AF_NETLINK;
  ssize_t sent;
  do {
    sent = sendto(fd, &request, request.header.nlmsg_len, MSG_NOSIGNAL,
                  (struct sockaddr *)&kernel, sizeof kernel);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : 0;
}

/// Receives one datagram. Returns its length, 0 for one that is not the kernel's, or the negative
/// error; one that did not fit is -ENOBUFS, like one that was lost.
static inline ssize_t telex_netlink_receive(int fd, void *buffer, size_t capacity) {
  struct sockaddr_nl from;
  socklen_t length = sizeof from;
  memset(&from, 0, sizeof from);
  ssize_t count;
  do {
    count = recvfrom(fd, buffer, capacity, MSG_TRUNC, (struct sockaddr *)&from, &length);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return -errno;
  if (from.nl_pid != 0) return 0;
  return (size_t)count > capacity ? -ENOBUFS : count;
}

static inline int telex_wake_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// What NetworkManager's property `Metered` says: 1 yes, 2 no, 3 probably, 4 probably not, 0 unknown;
/// -1 where nobody answers. Blocks, for as long as the bus takes to greet and `timeout_ms` more.
///
/// GLib is opened at run time: nothing links against it, and a machine without it has no answer.
/// The connection is this call's own, because the shared one would end the program with the bus.
static inline int telex_networkmanager_metered(const char *library, int timeout_ms) {
  void *gio = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!gio) return -1;
  char *(*bus_address)(int, void *, void *) =
      (char *(*)(int, void *, void *))dlsym(gio, "g_dbus_address_get_for_bus_sync");
  void *(*connect_to)(const char *, int, void *, void *, void *) =
      (void *(*)(const char *, int, void *, void *, void *))dlsym(
          gio, "g_dbus_connection_new_for_address_sync");
  void *(*call)(void *, const char *, const char *, const char *, const char *, void *,
                const char *, int, int, void *, void *) =
      (void *(*)(void *, const char *, const char *, const char *, const char *, void *,
                 const char *, int, int, void *, void *))dlsym(gio,
                                                               "g_dbus_connection_call_sync");
  int (*close_connection)(void *, void *, void *) =
      (int (*)(void *, void *, void *))dlsym(gio, "g_dbus_connection_close_sync");
  void *(*variant_new)(const char *, ...) =
      (void *(*)(const char *, ...))dlsym(gio, "g_variant_new");
  void *(*variant_child)(void *, size_t) =
      (void *(*)(void *, size_t))dlsym(gio, "g_variant_get_child_value");
  void *(*variant_inner)(void *) = (void *(*)(void *))dlsym(gio, "g_variant_get_variant");
  int (*variant_is)(void *, const char *) =
      (int (*)(void *, const char *))dlsym(gio, "g_variant_is_of_type");
  uint32_t (*variant_number)(void *) = (uint32_t(*)(void *))dlsym(gio, "g_variant_get_uint32");
  void (*variant_free)(void *) = (void (*)(void *))dlsym(gio, "g_variant_unref");
  void (*object_free)(void *) = (void (*)(void *))dlsym(gio, "g_object_unref");
  void (*text_free)(void *) = (void (*)(void *))dlsym(gio, "g_free");
  if (!bus_address || !connect_to || !call || !close_connection || !variant_new ||
      !variant_child || !variant_inner || !variant_is || !variant_number || !variant_free ||
      !object_free || !text_free)
    return -1;

  enum { system_bus = 1, as_client = 1, to_a_bus = 8, starts_nothing = 1 };
  int metered = -1;
  char *address = bus_address(system_bus, NULL, NULL);
  if (!address) return -1;
  void *connection = connect_to(address, as_client | to_a_bus, NULL, NULL, NULL);
  text_free(address);
  if (!connection) return -1;
  void *reply = call(connection, "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager",
                     "org.freedesktop.DBus.Properties", "Get",
                     variant_new("(ss)", "org.freedesktop.NetworkManager", "Metered"), "(v)",
                     starts_nothing, timeout_ms, NULL, NULL);
  if (reply) {
    void *box = variant_child(reply, 0);
    void *value = variant_inner(box);
    if (variant_is(value, "u")) metered = (int)variant_number(value);
    variant_free(value);
    variant_free(box);
    variant_free(reply);
  }
  close_connection(connection, NULL, NULL);
  object_free(connection);
  return metered;
}

#endif
