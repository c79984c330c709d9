// Questions to the accessibility tree of other programs, by AT-SPI. GIO is loaded with the first question: where no
// accessibility bus runs, none is ever asked.
//
// A question belongs to one thread, which may wait in each call. Another thread ends that by cancelling the question: all
// calls then return at once, and say no. What a program says of itself is not checked here, but for its form.
//
// https://gitlab.gnome.org/GNOME/at-spi2-core/-/tree/main/xml
#ifndef CATSPI_H
#define CATSPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct catspi_question catspi_question;

// An accessible of a program: the program's name on the bus, and the accessible's path.
typedef struct {
  char name[256];
  char path[256];
} catspi_object;

// NULL where there is no memory.
catspi_question *catspi_create(void);
// From any thread, any number of times.
void catspi_cancel(catspi_question *question);
bool catspi_is_cancelled(catspi_question *question);
void catspi_destroy(catspi_question *question);

// Connects to the accessibility bus. It has to be a socket of this machine.
bool catspi_connect(catspi_question *question, const char *address);

// Ends the connection, before the question is destroyed. May wait for GIO's thread.
void catspi_disconnect(catspi_question *question);

// The root of all applications.
void catspi_root(catspi_object *root);
// At most `room` children of an accessible; returns how many.
size_t catspi_children(catspi_question *question, const catspi_object *object, catspi_object *children, size_t room);
// The process of an accessible's program, as the bus knows it; 0 where it does not.
int32_t catspi_process(catspi_question *question, const catspi_object *object);
// x, y, width and height, in the program's own pixels of the screen.
bool catspi_extents(catspi_question *question, const catspi_object *object, int32_t extents[4]);
// What an accessible has at a point of the screen. Some programs name a child, others what lies deepest.
bool catspi_at(catspi_question *question, const catspi_object *object, int32_t x, int32_t y, catspi_object *found);
bool catspi_parent(catspi_question *question, const catspi_object *object, catspi_object *parent);
// Whether a program is Firefox or one of its relatives, which have pages.
bool catspi_is_gecko(catspi_question *question, const catspi_object *program);
// A number of AtspiRole.
bool catspi_role(catspi_question *question, const catspi_object *object, uint32_t *role);
// Which character of a text is at a point of the screen; says no where the accessible is no text.
bool catspi_offset(catspi_question *question, const catspi_object *object, int32_t x, int32_t y, int32_t *offset);
// The number of a text's selections, and one of them.
int32_t catspi_selections(catspi_question *question, const catspi_object *object);
bool catspi_selection(catspi_question *question, const catspi_object *object, int32_t i, int32_t range[2]);

bool catspi_same(const catspi_object *a, const catspi_object *b);

#endif
