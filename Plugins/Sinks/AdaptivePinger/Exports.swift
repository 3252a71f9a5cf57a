#if HTTP
// The types of the options: those of the policy, and those that all sinks have that send by HTTP.
@_exported public import TaffrailGeo
@_exported public import TaffrailHTTP
#endif
