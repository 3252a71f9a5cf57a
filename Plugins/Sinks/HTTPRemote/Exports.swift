#if HTTP
// The types of the options that all sinks share that send by HTTP.
@_exported public import TaffrailHTTP
#endif
