const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' })

/** Formats a time for lists: `2m ago`. */
export function formatRelative(iso: string, nowMs: number): string {
  const elapsedMs = Date.parse(iso) - nowMs
  for (const [unit, lengthMs] of units) {
    if (Math.abs(elapsedMs) >= lengthMs) return relative.format(Math.round(elapsedMs / lengthMs), unit)
  }
  return elapsedMs > 1_000 ? 'in a few seconds' : 'just now'
}

/** Formats a time for the hover: `2026-11-16 13:04:05 UTC`. */
export function formatUtc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

export function formatUtcDay(iso: string): string {
  return new Date(iso).toISOString().slice(0, 10)
}
