import type { JsonObject } from '#lib/json.ts'

/** A duration as vendors send it, sometimes as a string. Undefined for an invalid value. */
export function secondsAt(parent: JsonObject, key: string): number | undefined {
  const value = parent[key]
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof seconds === 'number' && seconds >= 0 && seconds <= secondsMax ? seconds : undefined
}

// A year of audio. A longer duration is invalid.
const secondsMax = 31_536_000
