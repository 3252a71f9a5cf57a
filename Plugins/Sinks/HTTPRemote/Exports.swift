#if HTTP
// The types of the options that all sinks have that send by HTTP.
@_exported public import TaffrailHTTP
#endif
