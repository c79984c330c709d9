// What libcarry.so is made of. Its linker settings are here, on a leaf, since they travel to everything that depends
// on a target.
@_exported import CarryABI
