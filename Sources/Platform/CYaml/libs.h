// libyaml reads the recordings of `libinput record`.
#include <yaml.h>
