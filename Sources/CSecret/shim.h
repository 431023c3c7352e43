#pragma once

// libsecret is opened at run time, on first use: most systems have it, and none needs it. Neither its
// headers nor GLib's are needed to build, so what is used of both is declared here. The functions of
// GLib are found through libsecret, which links to it.

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct gerror {
  uint32_t domain;
  int code;
  char *message;
} gerror;

typedef struct glist {
  void *data;
  struct glist *next;
  struct glist *previous;
} glist;

/// SecretSchema: which attributes an item of ours has.
typedef struct secret_schema {
  const char *name;
  int flags;
  struct {
    const char *name;
    int type;
  } attributes[32];
  int reserved;
  void *reserved_pointers[7];
} secret_schema;

enum {
  secret_bus_session = 2,
  secret_service_open_session = 1 << 1,
  secret_collection_none = 0,
  secret_search_all = 1 << 1,
  secret_search_load_secrets = 1 << 3,
  secret_item_replace = 1 << 1,
};

// Filled once and only read after that, so it may be shared between threads. Objects are plain
// pointers, as GObject has them.
typedef struct __attribute__((swift_attr("@Sendable"))) secret_functions {
  void (*error_free)(gerror *error);
  void (*list_free)(glist *list);
  void (*object_unref)(void *object);
  void *(*table_new)(void *hash, void *equal, void *free_key, void *free_value);
  int (*table_insert)(void *table, void *key, void *value);
  void (*table_unref)(void *table);
  char *(*string_copy)(const char *text);
  void *string_hash;
  void *string_equal;
  void *string_free;
  void *(*cancellable_new)(void);
  void (*cancellable_cancel)(void *cancellable);
  void *(*bus_get)(int bus, void *cancellable, gerror **error);
  void (*bus_set_exit_on_close)(void *bus, int exits);
  size_t (*service_type)(void);
  void *(*service_open)(
      size_t type, const char *bus_name, int flags, void *cancellable, gerror **error);
  void *(*collection_for_alias)(
      void *service, const char *alias, int flags, void *cancellable, gerror **error);
  int (*collection_is_locked)(void *collection);
  glist *(*collection_search)(
      void *collection, const secret_schema *schema, void *attributes, int flags,
      void *cancellable, gerror **error);
  void *(*item_create)(
      void *collection, const secret_schema *schema, void *attributes, const char *label,
      void *value, int flags, void *cancellable, gerror **error);
  int (*item_delete)(void *item, void *cancellable, gerror **error);
  void *(*item_secret)(void *item);
  void *(*value_new)(const char *text, ptrdiff_t length, const char *content_type);
  const char *(*value_text)(void *value);
  void (*value_unref)(void *value);
} secret_functions;

/// Opens `library` and fills `table`. Returns NULL, or what is missing: the file or a function.
/// The library stays open for the life of the process.
static inline const char *secret_functions_open(const char *library, secret_functions *table) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return "the file";
  const struct {
    const char *name;
    size_t offset;
  } symbols[] = {
      {"g_error_free", offsetof(secret_functions, error_free)},
      {"g_list_free", offsetof(secret_functions, list_free)},
      {"g_object_unref", offsetof(secret_functions, object_unref)},
      {"g_hash_table_new_full", offsetof(secret_functions, table_new)},
      {"g_hash_table_insert", offsetof(secret_functions, table_insert)},
      {"g_hash_table_unref", offsetof(secret_functions, table_unref)},
      {"g_strdup", offsetof(secret_functions, string_copy)},
      {"g_str_hash", offsetof(secret_functions, string_hash)},
      {"g_str_equal", offsetof(secret_functions, string_equal)},
      {"g_free", offsetof(secret_functions, string_free)},
      {"g_cancellable_new", offsetof(secret_functions, cancellable_new)},
      {"g_cancellable_cancel", offsetof(secret_functions, cancellable_cancel)},
      {"g_bus_get_sync", offsetof(secret_functions, bus_get)},
      {"g_dbus_connection_set_exit_on_close",
       offsetof(secret_functions, bus_set_exit_on_close)},
      {"secret_service_get_type", offsetof(secret_functions, service_type)},
      {"secret_service_open_sync", offsetof(secret_functions, service_open)},
      {"secret_collection_for_alias_sync", offsetof(secret_functions, collection_for_alias)},
      {"secret_collection_get_locked", offsetof(secret_functions, collection_is_locked)},
      {"secret_collection_search_sync", offsetof(secret_functions, collection_search)},
      {"secret_item_create_sync", offsetof(secret_functions, item_create)},
      {"secret_item_delete_sync", offsetof(secret_functions, item_delete)},
      {"secret_item_get_secret", offsetof(secret_functions, item_secret)},
      {"secret_value_new", offsetof(secret_functions, value_new)},
      {"secret_value_get_text", offsetof(secret_functions, value_text)},
      {"secret_value_unref", offsetof(secret_functions, value_unref)},
  };
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    void *symbol = dlsym(handle, symbols[i].name);
    if (!symbol) return symbols[i].name;
    *(void **)((char *)table + symbols[i].offset) = symbol;
  }
  return NULL;
}

/// What a credential is found by; all of it text.
static inline const secret_schema *secret_credential_schema(void) {
  static const secret_schema schema = {
      "org.telex.Credential", 0, {{"origin", 0}, {"account", 0}, {"kind", 0}}};
  return &schema;
}

/// A table of attributes that owns copies of what is put in; `secret_attributes_set` puts it in.
static inline void *secret_attributes_new(const secret_functions *table) {
  return table->table_new(
      table->string_hash, table->string_equal, table->string_free, table->string_free);
}

static inline void secret_attributes_set(
    const secret_functions *table, void *attributes, const char *name, const char *value) {
  table->table_insert(attributes, table->string_copy(name), table->string_copy(value));
}
