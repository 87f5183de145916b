package linear

// None is the empty set: the history is not linearizable.
const None int32 = 0
