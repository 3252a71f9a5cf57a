#if HTTP
// The types of the options: those of the policy, and those common to all sinks that send by HTTP.
@_exported public import TaffrailGeo
@_exported public import TaffrailHTTP
#endif
