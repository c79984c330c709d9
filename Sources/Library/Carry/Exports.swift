// Applications use the public types of these modules, such as `LoadError` and `ItemImage`, as the library's own.
@_exported public import CarryTransfers
@_exported public import CarryTypes
