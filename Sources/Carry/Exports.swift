// Applications use its public types, such as `LoadError` and `StreamWriter`, as the library's own.
@_exported public import CarryTransfers
