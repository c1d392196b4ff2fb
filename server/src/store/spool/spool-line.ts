import { nanoUsd } from '#domain/money/nano-usd.ts'
import { isJsonObject } from '#lib/json.ts'
import type { SettleEntry } from '#ports/money.ts'

// Bigints are written as {"$nano":"…"}; the rest of an entry is plain JSON.
export function spoolLine(entry: SettleEntry): string {
  return `${JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'bigint' ? { $nano: value.toString() } : value,
  )}\n`
}

/** Returns undefined for an incomplete line. The client never got a response for it. */
export function parseSpoolLine(line: string): SettleEntry | undefined {
  try {
    const entry: unknown = JSON.parse(line, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && '$nano' in value && typeof value.$nano === 'string'
        ? nanoUsd(BigInt(value.$nano))
        : value,
    )
    return isEntry(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

// The lines are our own, so this checks only faults that would stop a whole replay.
function isEntry(value: unknown): value is SettleEntry {
  if (!isJsonObject(value) || !isJsonObject(value.record)) return false
  const { id, cost, usage } = value.record
  return typeof id === 'string' && typeof cost === 'bigint' && isJsonObject(usage) && Array.isArray(value.windows)
}
