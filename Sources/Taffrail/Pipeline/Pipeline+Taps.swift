extension Pipeline {
    /// Attaches a tap, which sees all records that the writer takes from the queue afterwards. Those of dead runs,
    /// which go to the sinks first, are not among them. Does nothing if it is attached.
    package func attach(_ tap: any RecordTap) { taps.add(tap) }

    /// Detaches a tap. A call may still be in progress.
    package func detach(_ tap: any RecordTap) { taps.remove(tap) }
}
