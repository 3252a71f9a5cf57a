// The type of the options.
@_exported public import TaffrailGeo
