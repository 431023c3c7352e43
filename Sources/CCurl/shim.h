#pragma once

// libcurl is opened at run time, on first use: it brings some 35 libraries with it, which a start
// that only reads the cache should not pay for. So nothing links against it; its functions are
// looked up once into a table, and the variadic ones are wrapped here because Swift cannot call them.

#define CURL_DISABLE_TYPECHECK
#include <arpa/inet.h>
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Filled once and only read after that, so it may be shared between threads.
typedef struct __attribute__((swift_attr("@Sendable"))) curl_functions {
  CURLcode (*global_init)(long flags);
  curl_version_info_data *(*version_info)(CURLversion age);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *easy);
  void *easy_setopt;
  void *easy_getinfo;
  CURLcode (*easy_perform)(CURL *easy);
  CURLcode (*easy_pause)(CURL *easy, int bitmask);
  CURLcode (*easy_send)(CURL *easy, const void *bytes, size_t count, size_t *sent);
  CURLcode (*easy_recv)(CURL *easy, void *bytes, size_t count, size_t *received);
  const char *(*easy_strerror)(CURLcode code);
  struct curl_slist *(*slist_append)(struct curl_slist *list, const char *line);
  void (*slist_free_all)(struct curl_slist *list);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_cleanup)(CURLM *multi);
  void *multi_setopt;
  CURLMcode (*multi_add_handle)(CURLM *multi, CURL *easy);
  CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *easy);
  CURLMcode (*multi_perform)(CURLM *multi, int *running);
  CURLMcode (*multi_poll)(
      CURLM *multi, struct curl_waitfd *extra, unsigned int count, int timeout_ms, int *ready);
  CURLMcode (*multi_wakeup)(CURLM *multi);
  CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
  CURLU *(*url)(void);
  CURLUcode (*url_set)(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
  CURLUcode (*url_get)(const CURLU *url, CURLUPart part, char **text, unsigned int flags);
  void (*url_cleanup)(CURLU *url);
  void (*free)(void *bytes);
} curl_functions;

/// Opens `library` and fills `table`. Returns NULL, or what is missing: the file or a function.
/// The library stays open for the life of the process.
static inline const char *curl_functions_open(const char *library, curl_functions *table) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return "the file";
  const struct {
    const char *name;
    size_t offset;
  } symbols[] = {
      {"curl_global_init", offsetof(curl_functions, global_init)},
      {"curl_version_info", offsetof(curl_functions, version_info)},
      {"curl_easy_init", offsetof(curl_functions, easy_init)},
      {"curl_easy_cleanup", offsetof(curl_functions, easy_cleanup)},
      {"curl_easy_setopt", offsetof(curl_functions, easy_setopt)},
      {"curl_easy_getinfo", offsetof(curl_functions, easy_getinfo)},
      {"curl_easy_perform", offsetof(curl_functions, easy_perform)},
      {"curl_easy_pause", offsetof(curl_functions, easy_pause)},
      {"curl_easy_send", offsetof(curl_functions, easy_send)},
      {"curl_easy_recv", offsetof(curl_functions, easy_recv)},
      {"curl_easy_strerror", offsetof(curl_functions, easy_strerror)},
      {"curl_slist_append", offsetof(curl_functions, slist_append)},
      {"curl_slist_free_all", offsetof(curl_functions, slist_free_all)},
      {"curl_multi_init", offsetof(curl_functions, multi_init)},
      {"curl_multi_cleanup", offsetof(curl_functions, multi_cleanup)},
      {"curl_multi_setopt", offsetof(curl_functions, multi_setopt)},
      {"curl_multi_add_handle", offsetof(curl_functions, multi_add_handle)},
      {"curl_multi_remove_handle", offsetof(curl_functions, multi_remove_handle)},
      {"curl_multi_perform", offsetof(curl_functions, multi_perform)},
      {"curl_multi_poll", offsetof(curl_functions, multi_poll)},
      {"curl_multi_wakeup", offsetof(curl_functions, multi_wakeup)},
      {"curl_multi_info_read", offsetof(curl_functions, multi_info_read)},
      {"curl_url", offsetof(curl_functions, url)},
      {"curl_url_set", offsetof(curl_functions, url_set)},
      {"curl_url_get", offsetof(curl_functions, url_get)},
      {"curl_url_cleanup", offsetof(curl_functions, url_cleanup)},
      {"curl_free", offsetof(curl_functions, free)},
  };
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    void *symbol = dlsym(handle, symbols[i].name);
    if (!symbol) return symbols[i].name;
    *(void **)((char *)table + symbols[i].offset) = symbol;
  }
  return NULL;
}

static inline const curl_version_info_data *curl_library_info(const curl_functions *table) {
  return table->version_info(CURLVERSION_NOW);
}

typedef CURLcode (*curl_setopt_function)(CURL *, CURLoption, ...);
typedef CURLcode (*curl_getinfo_function)(CURL *, CURLINFO, ...);
typedef CURLMcode (*curl_multi_setopt_function)(CURLM *, CURLMoption, ...);

static inline CURLcode curl_set_long(
    const curl_functions *table, CURL *easy, CURLoption option, long value) {
  return ((curl_setopt_function)table->easy_setopt)(easy, option, value);
}

/// Name and password, to be said by Digest (RFC 7616) and in no other way.
static inline CURLcode curl_set_digest(
    const curl_functions *table, CURL *easy, const char *user, const char *password) {
  curl_setopt_function set = (curl_setopt_function)table->easy_setopt;
  CURLcode code = set(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_DIGEST);
  if (code == CURLE_OK) code = set(easy, CURLOPT_USERNAME, user);
  return code == CURLE_OK ? set(easy, CURLOPT_PASSWORD, password) : code;
}

static inline CURLcode curl_set_offset(
    const curl_functions *table, CURL *easy, CURLoption option, curl_off_t value) {
  return ((curl_setopt_function)table->easy_setopt)(easy, option, value);
}

static inline CURLcode curl_set_pointer(
    const curl_functions *table, CURL *easy, CURLoption option, const void *value) {
  return ((curl_setopt_function)table->easy_setopt)(easy, option, value);
}

static inline CURLcode curl_set_text(
    const curl_functions *table, CURL *easy, CURLoption option, const char *value) {
  return ((curl_setopt_function)table->easy_setopt)(easy, option, value);
}

/// curl copies the bytes.
static inline CURLcode curl_set_ca_blob(
    const curl_functions *table, CURL *easy, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return ((curl_setopt_function)table->easy_setopt)(easy, CURLOPT_CAINFO_BLOB, &blob);
}

/// The same for the certificate of a proxy that is spoken to over TLS.
static inline CURLcode curl_set_proxy_ca_blob(
    const curl_functions *table, CURL *easy, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return ((curl_setopt_function)table->easy_setopt)(easy, CURLOPT_PROXY_CAINFO_BLOB, &blob);
}

/// Allows http and https and nothing else, whatever the age of the library that is installed.
static inline CURLcode curl_set_web_only(const curl_functions *table, CURL *easy) {
  curl_setopt_function set = (curl_setopt_function)table->easy_setopt;
#if LIBCURL_VERSION_NUM >= 0x075500
  if (set(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK) return CURLE_OK;
#endif
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  return set(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma clang diagnostic pop
}

/// Lets a transfer be dropped while its name is still being looked up: without it, removing the
/// handle waits for the resolver's thread, and with it every other transfer does.
static inline void curl_set_quick_exit(const curl_functions *table, CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  ((curl_setopt_function)table->easy_setopt)(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
}

static inline CURLcode curl_set_on_bytes(
    const curl_functions *table, CURL *easy, CURLoption option,
    size_t (*callback)(char *bytes, size_t size, size_t count, void *context)) {
  return ((curl_setopt_function)table->easy_setopt)(easy, option, callback);
}

static inline CURLcode curl_set_on_open_socket(
    const curl_functions *table, CURL *easy,
    curl_socket_t (*callback)(
        void *context, curlsocktype purpose, struct curl_sockaddr *address)) {
  return ((curl_setopt_function)table->easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode curl_set_on_connected(
    const curl_functions *table, CURL *easy,
    int (*callback)(
        void *context, char *remote, char *local, int remote_port, int local_port)) {
  return ((curl_setopt_function)table->easy_setopt)(easy, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode curl_set_on_progress(
    const curl_functions *table, CURL *easy,
    int (*callback)(
        void *context, curl_off_t total_down, curl_off_t down, curl_off_t total_up,
        curl_off_t up)) {
  return ((curl_setopt_function)table->easy_setopt)(easy, CURLOPT_XFERINFOFUNCTION, callback);
}

static inline CURLcode curl_set_on_words(
    const curl_functions *table, CURL *easy,
    int (*callback)(
        CURL *easy, curl_infotype kind, char *bytes, size_t count, void *context)) {
  return ((curl_setopt_function)table->easy_setopt)(easy, CURLOPT_DEBUGFUNCTION, callback);
}

static inline CURLMcode curl_multi_set_long(
    const curl_functions *table, CURLM *multi, CURLMoption option, long value) {
  return ((curl_multi_setopt_function)table->multi_setopt)(multi, option, value);
}

/// 0 where the library does not know the answer.
static inline long curl_info_long(const curl_functions *table, CURL *easy, CURLINFO info) {
  long value = 0;
  ((curl_getinfo_function)table->easy_getinfo)(easy, info, &value);
  return value;
}

static inline curl_off_t curl_info_offset(
    const curl_functions *table, CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  ((curl_getinfo_function)table->easy_getinfo)(easy, info, &value);
  return value;
}

static inline const char *curl_info_text(
    const curl_functions *table, CURL *easy, CURLINFO info) {
  const char *value = NULL;
  ((curl_getinfo_function)table->easy_getinfo)(easy, info, &value);
  return value;
}

/// The certificate that the server showed, as PEM text that is valid until the handle is used again;
/// NULL where none was asked for, or none was shown on this connection.
static inline const char *curl_info_certificate(const curl_functions *table, CURL *easy) {
  struct curl_certinfo *info = NULL;
  ((curl_getinfo_function)table->easy_getinfo)(easy, CURLINFO_CERTINFO, &info);
  if (!info || info->num_of_certs < 1) return NULL;
  for (struct curl_slist *item = info->certinfo[0]; item; item = item->next)
    if (strncmp(item->data, "Cert:", 5) == 0) return item->data + 5;
  return NULL;
}

/// The socket of a handle that only connected; CURL_SOCKET_BAD once it is closed.
static inline curl_socket_t curl_info_socket(const curl_functions *table, CURL *easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  ((curl_getinfo_function)table->easy_getinfo)(easy, CURLINFO_ACTIVESOCKET, &socket);
  return socket;
}

/// The next transfer that has ended, with its result; NULL when there is none.
static inline CURL *curl_next_done(
    const curl_functions *table, CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = table->multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

/// The host that the library reads in an address, as it will be looked up: numbers in their usual form,
/// an international name in ASCII (from 7.88 on). False where it reads none, or a longer one than fits.
static inline bool curl_url_host(
    const curl_functions *table, const char *address, char *out, size_t size) {
#ifdef CURLU_PUNYCODE
  const unsigned int ascii = CURLU_PUNYCODE;
#else
  const unsigned int ascii = 0;
#endif
  CURLU *url = table->url();
  char *host = NULL;
  bool found = false;
  if (url && table->url_set(url, CURLUPART_URL, address, 0) == CURLUE_OK
      && (table->url_get(url, CURLUPART_HOST, &host, ascii) == CURLUE_OK
          || table->url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK)
      && host && strlen(host) < size) {
    memcpy(out, host, strlen(host) + 1);
    found = true;
  }
  if (host) table->free(host);
  if (url) table->url_cleanup(url);
  return found;
}

/// The raw bytes of an address: 4, 16, or 0 for a family that is neither IPv4 nor IPv6.
static inline int curl_address_bytes(const struct curl_sockaddr *address, unsigned char *out) {
  const struct sockaddr *any = &address->addr;
  if (any->sa_family == AF_INET) {
    __builtin_memcpy(out, &((const struct sockaddr_in *)any)->sin_addr, 4);
    return 4;
  }
  if (any->sa_family == AF_INET6) {
    __builtin_memcpy(out, &((const struct sockaddr_in6 *)any)->sin6_addr, 16);
    return 16;
  }
  return 0;
}

static inline curl_socket_t curl_open_socket(const struct curl_sockaddr *address) {
  int fd = socket(address->family, address->socktype, address->protocol);
  if (fd >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
  return fd < 0 ? CURL_SOCKET_BAD : fd;
}

/// A TLS library writes to a closed socket with plain `write`: the signal must not end the process.
static inline void curl_block_sigpipe(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}

// brotli's decoder (RFC 7932), which is opened at run time like libcurl. Its types are opaque and its
// interface has not changed since 1.0, so its headers are not needed.
typedef struct telex_brotli_state telex_brotli_state;

typedef struct __attribute__((swift_attr("@Sendable"))) brotli_functions {
  telex_brotli_state *(*create)(void *allocate, void *release, void *context);
  void (*destroy)(telex_brotli_state *state);
  /// 0 for an error, 1 at the end, 2 where it needs input, 3 where it needs room.
  int (*decompress)(
      telex_brotli_state *state, size_t *available_in, const uint8_t **next_in,
      size_t *available_out, uint8_t **next_out, size_t *total);
} brotli_functions;

/// Opens `library` and fills `table`; false where it or one of its functions is missing. The library
/// stays open for the life of the process.
static inline bool brotli_functions_open(const char *library, brotli_functions *table) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  *(void **)&table->create = dlsym(handle, "BrotliDecoderCreateInstance");
  *(void **)&table->destroy = dlsym(handle, "BrotliDecoderDestroyInstance");
  *(void **)&table->decompress = dlsym(handle, "BrotliDecoderDecompressStream");
  return table->create && table->destroy && table->decompress;
}
