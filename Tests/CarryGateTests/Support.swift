import CarryModel

func ms(_ n: Int) -> Instant { Instant(microseconds: Int64(n) * 1000) }
