/** The value of a key, made if need be and moved to the end of the map, whose beginning is dropped when it is full. */
export function useRecent<Value>(map: Map<string, Value>, key: string, make: () => Value, maxSize: number): Value {
  const value = map.get(key) ?? make()
  map.delete(key)
  map.set(key, value)
  if (map.size > maxSize) {
    const [first] = map.keys()
    if (first !== undefined) map.delete(first)
  }
  return value
}
