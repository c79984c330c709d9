// Queries the accessibility trees of other programs through AT-SPI. GIO is loaded at the first query; without an
// accessibility bus there is none.
//
// A query belongs to one thread, and each call may block. Another thread can cancel the query: all calls then return
// at once, with failure. What programs report about themselves is checked for its form only.
//
// https://gitlab.gnome.org/GNOME/at-spi2-core/-/tree/main/xml
#ifndef CATSPI_H
#define CATSPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct catspi_question catspi_question;

// An element of a program: the program's bus name, and the element's path.
typedef struct {
  char name[256];
  char path[256];
} catspi_object;

// NULL if there is no memory.
catspi_question *catspi_create(void);
// From any thread, any number of times.
void catspi_cancel(catspi_question *question);
bool catspi_is_cancelled(catspi_question *question);
void catspi_destroy(catspi_question *question);

// Connects to the accessibility bus, which has to be a local socket.
bool catspi_connect(catspi_question *question, const char *address);

// Closes the connection, before the query is destroyed. May block on GIO's thread.
void catspi_disconnect(catspi_question *question);

// The root of all applications.
void catspi_root(catspi_object *root);
// At most `room` children of an element; returns how many.
size_t catspi_children(catspi_question *question, const catspi_object *object, catspi_object *children, size_t room);
// The process of an element's program, according to the bus; 0 if unknown.
int32_t catspi_process(catspi_question *question, const catspi_object *object);
// x, y, width and height, in the program's own pixels of the screen.
bool catspi_extents(catspi_question *question, const catspi_object *object, int32_t extents[4]);
// The element at a point of the screen. Some programs return a child, others the deepest element.
bool catspi_at(catspi_question *question, const catspi_object *object, int32_t x, int32_t y, catspi_object *found);
bool catspi_parent(catspi_question *question, const catspi_object *object, catspi_object *parent);
// Whether a program is Firefox or a relative, which show web pages.
bool catspi_is_gecko(catspi_question *question, const catspi_object *program);
// An AtspiRole number.
bool catspi_role(catspi_question *question, const catspi_object *object, uint32_t *role);
// The index of a text's character at a point of the screen; false if the element is not a text.
bool catspi_offset(catspi_question *question, const catspi_object *object, int32_t x, int32_t y, int32_t *offset);
// The number of a text's selections, and one of them.
int32_t catspi_selections(catspi_question *question, const catspi_object *object);
bool catspi_selection(catspi_question *question, const catspi_object *object, int32_t i, int32_t range[2]);

bool catspi_same(const catspi_object *a, const catspi_object *b);

#endif
