/// The supported sentences.
enum NMEAKind: UInt8 { case gga, rmc, gsa, vtg, gst, gll, gns, zda }
