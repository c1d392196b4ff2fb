import type { JsonObject } from '#lib/json.ts'

/** A length of time as vendors send them, some of them as text; undefined for what can be none. */
export function secondsAt(parent: JsonObject, key: string): number | undefined {
  const value = parent[key]
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof seconds === 'number' && seconds >= 0 && seconds <= secondsMax ? seconds : undefined
}

// A year of sound. What is longer than that was not heard.
const secondsMax = 31_536_000
