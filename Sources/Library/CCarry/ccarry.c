// The functions of carry.h are written in Swift: see Sources/CarryABI.
#include "carry.h"
