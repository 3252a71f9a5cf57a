#if HTTP
// The types of the options that are common to all sinks that send by HTTP.
@_exported public import TaffrailHTTP
#endif
