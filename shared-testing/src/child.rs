//! A service as operators run it: the real binary in a process of its own, to be killed and started again.
