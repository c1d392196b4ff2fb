/**
 * Computes a value once for each key and keeps it as long as the key lives. The key must never change. A snapshot is
 * replaced as a whole, and everything computed from it goes with it, so nothing has to be invalidated.
 */
export function oncePer<Key extends object, Value extends NonNullable<unknown>>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = compute(key)
    known.set(key, value)
    return value
  }
}
