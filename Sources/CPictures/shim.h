#pragma once

// The libraries for pictures are opened at run time: nobody needs them to build or to start. Their
// headers are not needed either, so what is used of them is declared here. Only interfaces that every
// version of a soname has are used: functions on opaque pointers, and structures that cannot grow.

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A function that is looked up, and where its address goes in a table.
typedef struct picture_symbol {
  const char *name;
  size_t offset;
} picture_symbol;

/// Opens `library` and fills `table`. Returns NULL, or what is missing: the file or a function.
/// The library stays open for the life of the process.
static inline const char *picture_open(
    const char *library, void *table, const picture_symbol *symbols, size_t count) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return "the file";
  for (size_t i = 0; i < count; i++) {
    void *symbol = dlsym(handle, symbols[i].name);
    if (!symbol) return symbols[i].name;
    *(void **)((char *)table + symbols[i].offset) = symbol;
  }
  return NULL;
}

#define PICTURE_OPEN(library, table, symbols) \
  picture_open(library, table, symbols, sizeof symbols / sizeof symbols[0])

// MARK: TurboJPEG

typedef struct picture_scale {
  int numerator;
  int denominator;
} picture_scale;

enum {
  picture_jpeg_rgba = 7,
  picture_jpeg_cmyk = 11,
  picture_jpeg_color_cmyk = 3,
  picture_jpeg_color_ycck = 4,
  picture_jpeg_fast_dct = 2048,
  picture_jpeg_limit_scans = 32768,
  picture_jpeg_warning = 0,
};

typedef struct picture_jpeg {
  void *(*open)(void);
  int (*close)(void *handle);
  int (*header)(
      void *handle, const uint8_t *file, unsigned long size, int *width, int *height, int *sampling,
      int *color_space);
  picture_scale *(*scales)(int *count);
  int (*decode)(
      void *handle, const uint8_t *file, unsigned long size, uint8_t *pixels, int width,
      int bytes_per_row, int height, int format, int flags);
  char *(*message)(void *handle);
  int (*severity)(void *handle);
} picture_jpeg;

static inline const char *picture_jpeg_open(const char *library, picture_jpeg *table) {
  const picture_symbol symbols[] = {
      {"tjInitDecompress", offsetof(picture_jpeg, open)},
      {"tjDestroy", offsetof(picture_jpeg, close)},
      {"tjDecompressHeader3", offsetof(picture_jpeg, header)},
      {"tjGetScalingFactors", offsetof(picture_jpeg, scales)},
      {"tjDecompress2", offsetof(picture_jpeg, decode)},
      {"tjGetErrorStr2", offsetof(picture_jpeg, message)},
      {"tjGetErrorCode", offsetof(picture_jpeg, severity)},
  };
  return PICTURE_OPEN(library, table, symbols);
}

// MARK: libpng

/// png_image, of version 1.
typedef struct picture_png_image {
  void *opaque;
  uint32_t version;
  uint32_t width;
  uint32_t height;
  uint32_t format;
  uint32_t flags;
  uint32_t colormap_entries;
  uint32_t warning_or_error;
  char message[64];
} picture_png_image;

enum { picture_png_version = 1, picture_png_rgba = 3, picture_png_16_bits_are_srgb = 4 };

typedef struct picture_png {
  int (*begin)(picture_png_image *image, const void *file, size_t size);
  int (*finish)(
      picture_png_image *image, const void *background, void *pixels, int32_t row_stride,
      void *color_map);
  void (*free)(picture_png_image *image);
} picture_png;

static inline const char *picture_png_open(const char *library, picture_png *table) {
  const picture_symbol symbols[] = {
      {"png_image_begin_read_from_memory", offsetof(picture_png, begin)},
      {"png_image_finish_read", offsetof(picture_png, finish)},
      {"png_image_free", offsetof(picture_png, free)},
  };
  return PICTURE_OPEN(library, table, symbols);
}

// MARK: giflib

typedef struct picture_gif_color {
  uint8_t red, green, blue;
} picture_gif_color;

typedef struct picture_gif_colors {
  int count;
  int bits;
  bool is_sorted;
  picture_gif_color *colors;
} picture_gif_colors;

/// GifFileType of giflib 5.
typedef struct picture_gif_file {
  int width, height;
  int color_resolution;
  int background;
  uint8_t aspect;
  picture_gif_colors *colors;
  int image_count;
  struct {
    int left, top, width, height;
    bool is_interlaced;
    picture_gif_colors *colors;
  } image;
  void *saved_images;
  int extension_count;
  void *extensions;
  int error;
  void *user_data;
  void *private_data;
} picture_gif_file;

enum {
  picture_gif_image = 2,
  picture_gif_extension = 3,
  picture_gif_end = 4,
  picture_gif_graphics_control = 0xF9,
};

typedef struct picture_gif {
  picture_gif_file *(*open)(
      void *user_data, int (*read)(picture_gif_file *file, uint8_t *bytes, int count), int *error);
  int (*close)(picture_gif_file *file, int *error);
  int (*record)(picture_gif_file *file, int *kind);
  int (*image)(picture_gif_file *file);
  int (*line)(picture_gif_file *file, uint8_t *line, int count);
  int (*extension)(picture_gif_file *file, int *code, uint8_t **block);
  int (*next_extension)(picture_gif_file *file, uint8_t **block);
} picture_gif;

static inline const char *picture_gif_open(const char *library, picture_gif *table) {
  const picture_symbol symbols[] = {
      {"DGifOpen", offsetof(picture_gif, open)},
      {"DGifCloseFile", offsetof(picture_gif, close)},
      {"DGifGetRecordType", offsetof(picture_gif, record)},
      {"DGifGetImageDesc", offsetof(picture_gif, image)},
      {"DGifGetLine", offsetof(picture_gif, line)},
      {"DGifGetExtension", offsetof(picture_gif, extension)},
      {"DGifGetExtensionNext", offsetof(picture_gif, next_extension)},
  };
  return PICTURE_OPEN(library, table, symbols);
}

// MARK: libwebp

typedef struct picture_webp {
  int (*info)(const uint8_t *file, size_t size, int *width, int *height);
  uint8_t *(*decode)(
      const uint8_t *file, size_t size, uint8_t *pixels, size_t capacity, int bytes_per_row);
} picture_webp;

static inline const char *picture_webp_open(const char *library, picture_webp *table) {
  const picture_symbol symbols[] = {
      {"WebPGetInfo", offsetof(picture_webp, info)},
      {"WebPDecodeRGBAInto", offsetof(picture_webp, decode)},
  };
  return PICTURE_OPEN(library, table, symbols);
}

// MARK: libheif

/// heif_error. The code is 0 where all went well.
typedef struct picture_heif_error {
  int code;
  int detail;
  const char *message;
} picture_heif_error;

enum {
  picture_heif_rgb = 1,
  picture_heif_interleaved_rgba = 11,
  picture_heif_interleaved = 10,
};

typedef struct picture_heif {
  void *(*open)(void);
  void (*close)(void *context);
  void (*limit_size)(void *context, int side);
  picture_heif_error (*read)(void *context, const void *file, size_t size, const void *options);
  picture_heif_error (*primary)(void *context, void **handle);
  void (*release_handle)(const void *handle);
  int (*width)(const void *handle);
  int (*height)(const void *handle);
  picture_heif_error (*decode)(
      const void *handle, void **image, int color_space, int chroma, const void *options);
  void (*release_image)(const void *image);
  int (*image_width)(const void *image, int channel);
  int (*image_height)(const void *image, int channel);
  const uint8_t *(*plane)(const void *image, int channel, int *bytes_per_row);
} picture_heif;

/// What comes with later versions only is called here, because it is done once: decoders that are
/// plug-ins are loaded.
static inline const char *picture_heif_open(const char *library, picture_heif *table) {
  const picture_symbol symbols[] = {
      {"heif_context_alloc", offsetof(picture_heif, open)},
      {"heif_context_free", offsetof(picture_heif, close)},
      {"heif_context_set_maximum_image_size_limit", offsetof(picture_heif, limit_size)},
      {"heif_context_read_from_memory_without_copy", offsetof(picture_heif, read)},
      {"heif_context_get_primary_image_handle", offsetof(picture_heif, primary)},
      {"heif_image_handle_release", offsetof(picture_heif, release_handle)},
      {"heif_image_handle_get_width", offsetof(picture_heif, width)},
      {"heif_image_handle_get_height", offsetof(picture_heif, height)},
      {"heif_decode_image", offsetof(picture_heif, decode)},
      {"heif_image_release", offsetof(picture_heif, release_image)},
      {"heif_image_get_width", offsetof(picture_heif, image_width)},
      {"heif_image_get_height", offsetof(picture_heif, image_height)},
      {"heif_image_get_plane_readonly", offsetof(picture_heif, plane)},
  };
  const char *missing = PICTURE_OPEN(library, table, symbols);
  if (missing) return missing;
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  picture_heif_error (*init)(void *) = (picture_heif_error(*)(void *))dlsym(handle, "heif_init");
  if (init) init(NULL);
  return NULL;
}

// MARK: Chafa

enum {
  picture_chafa_true_color = 0,
  picture_chafa_240 = 2,
  picture_chafa_16 = 3,
  picture_chafa_monochrome = 5,
  picture_chafa_rgba = 4,
  picture_chafa_error_diffusion = 2,
};

typedef struct picture_chafa {
  void *(*config)(void);
  void (*release_config)(void *config);
  void (*set_geometry)(void *config, int columns, int rows);
  void (*set_cell_geometry)(void *config, int width, int height);
  void (*set_mode)(void *config, int mode);
  void (*set_symbols)(void *config, const void *symbols);
  void (*set_threshold)(void *config, float threshold);
  void (*set_dithering)(void *config, int mode);
  void (*set_foreground)(void *config, uint32_t color);
  void (*set_background)(void *config, uint32_t color);
  void *(*symbols)(void);
  void (*release_symbols)(void *symbols);
  void (*add_symbols)(void *symbols, uint32_t first, uint32_t last);
  void *(*canvas)(const void *config);
  void (*release_canvas)(void *canvas);
  void (*draw)(
      void *canvas, int kind, const uint8_t *pixels, int width, int height, int bytes_per_row);
  uint32_t (*character)(void *canvas, int x, int y);
  void (*raw_colors)(void *canvas, int x, int y, int *foreground, int *background);
} picture_chafa;

/// Chafa's own threads are turned off where the version can have them.
static inline const char *picture_chafa_open(const char *library, picture_chafa *table) {
  const picture_symbol symbols[] = {
      {"chafa_canvas_config_new", offsetof(picture_chafa, config)},
      {"chafa_canvas_config_unref", offsetof(picture_chafa, release_config)},
      {"chafa_canvas_config_set_geometry", offsetof(picture_chafa, set_geometry)},
      {"chafa_canvas_config_set_cell_geometry", offsetof(picture_chafa, set_cell_geometry)},
      {"chafa_canvas_config_set_canvas_mode", offsetof(picture_chafa, set_mode)},
      {"chafa_canvas_config_set_symbol_map", offsetof(picture_chafa, set_symbols)},
      {"chafa_canvas_config_set_transparency_threshold", offsetof(picture_chafa, set_threshold)},
      {"chafa_canvas_config_set_dither_mode", offsetof(picture_chafa, set_dithering)},
      {"chafa_canvas_config_set_fg_color", offsetof(picture_chafa, set_foreground)},
      {"chafa_canvas_config_set_bg_color", offsetof(picture_chafa, set_background)},
      {"chafa_symbol_map_new", offsetof(picture_chafa, symbols)},
      {"chafa_symbol_map_unref", offsetof(picture_chafa, release_symbols)},
      {"chafa_symbol_map_add_by_range", offsetof(picture_chafa, add_symbols)},
      {"chafa_canvas_new", offsetof(picture_chafa, canvas)},
      {"chafa_canvas_unref", offsetof(picture_chafa, release_canvas)},
      {"chafa_canvas_draw_all_pixels", offsetof(picture_chafa, draw)},
      {"chafa_canvas_get_char_at", offsetof(picture_chafa, character)},
      {"chafa_canvas_get_raw_colors_at", offsetof(picture_chafa, raw_colors)},
  };
  const char *missing = PICTURE_OPEN(library, table, symbols);
  if (missing) return missing;
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void (*set_threads)(int) = (void (*)(int))dlsym(handle, "chafa_set_n_threads");
  if (set_threads) set_threads(1);
  return NULL;
}
