#pragma once
// Wide characters first, or curses.h declares none of its wide functions.
#define NCURSES_WIDECHAR 1
#include <curses.h>
