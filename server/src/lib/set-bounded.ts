/**
 * Sets a key at the end of a map. Where the map is then too large it drops its first key, which is the one set longest
 * ago.
 */
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
 * The value of a key, made if need be. Each use sets it anew, so the first key of the map is the one longest unused.
 */
export function useRecent<Value>(map: Map<string, Value>, key: string, make: () => Value, maxSize: number): Value {
  const value = map.get(key) ?? make()
  setBounded(map, key, value, maxSize)
  return value
}
