import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { SettleEntry } from '#ports/money.ts'

// Bigints are written as {"$nano":"…"}; everything else in an entry is plain JSON.
export function spoolLine(entry: SettleEntry): string {
  return `${JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'bigint' ? { $nano: value.toString() } : value,
  )}\n`
}

/** Undefined for a torn last line: its caller never heard of it. */
export function parseSpoolLine(line: string): SettleEntry | undefined {
  try {
    return JSON.parse(line, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && '$nano' in value && typeof value.$nano === 'string'
        ? nanoUsd(BigInt(value.$nano))
        : value,
    ) as SettleEntry
  } catch {
    return undefined
  }
}
