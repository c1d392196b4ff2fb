/** The day or hour of a timestamp in a time zone: `2026-11-16` or `2026-11-16 14:00`. */
export function bucketIn(zone: string, size: 'day' | 'hour', iso: string): string {
  const moment = new Date(iso)
  if (zone === 'UTC') return size === 'day' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 13)}:00`
  const parts = formatterOf(zone).formatToParts(moment)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? ''
  const day = `${part('year')}-${part('month')}-${part('day')}`
  return size === 'day' ? day : `${day} ${part('hour')}:${part('minute')}`
}

/** All buckets of a UTC range in a time zone, in order. */
export function bucketsIn(
  zone: string,
  size: 'day' | 'hour',
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly string[] {
  const stepMs = zone === 'UTC' && size === 'day' ? 86_400_000 : 3_600_000
  const found = new Set<string>()
  for (let atMs = fromMs; atMs < toMs; atMs += stepMs) found.add(bucketIn(zone, size, new Date(atMs).toISOString()))
  return [...found]
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formatters.set(zone, made)
  return made
}
