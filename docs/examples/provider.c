/* The file provider of promises.c: serves its letters, even after promises has exited. The engine starts this program
   when a letter is loaded, and ends it after 30 idle seconds. Its output goes to the engine's log. A manifest names the
   application that it serves; make apps writes one for the programs of this folder:

     executable = /home/ada/examples/promises
     file-provider = /home/ada/examples/provider */
#include <carry.h>
#include <stdio.h>
#include <string.h>

/* `reference` comes from carry_item_set_reference. The answer may also come later, on this thread. */
static void provide(void *data, carry_request *request, const char *reference, const char *type) {
  int number;
  char letter[200];
  (void)data;
  if (sscanf(reference, "letter %d", &number) != 1) {
    carry_request_fail(request, "There is no such letter.");
    return;
  }
  snprintf(letter, sizeof letter, "Letter %d, as %s, from its file provider", number, type);
  carry_request_answer_data(request, letter, strlen(letter));
}

int main(void) {
  if (carry_provider_run("Letters", provide, -1, NULL, NULL) == CARRY_OK) return 0;
  fprintf(stderr, "provider: %s\n", carry_last_error());
  return 1;
}
