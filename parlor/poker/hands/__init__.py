"""Cards and hands: strength, isomorphism, ranges, equity, buckets."""
