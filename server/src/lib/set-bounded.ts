/** Sets a key at the end of a map. If the map is then too large, drops its first key, which was set longest ago. */
export function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, maxSize: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= maxSize) return
  for (const first of map.keys()) {
    map.delete(first)
    return
  }
}

/**
 * The value of a key, created if necessary. Each use moves it to the end, so the first key of the map is the least
 * recently used.
 */
export function useRecent<Value>(map: Map<string, Value>, key: string, make: () => Value, maxSize: number): Value {
  const value = map.get(key) ?? make()
  setBounded(map, key, value, maxSize)
  return value
}
