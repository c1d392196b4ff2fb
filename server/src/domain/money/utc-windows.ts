/**
 * Whether a time is within hours of the week in UTC, such as `Mon-Fri 01:00-04:00 06:00-10:00; Sat,Sun 00:00-24:00`.
 * Without days it applies to every day.
 */
export function isWithinUtc(windows: string, atMs: number): boolean {
  const at = new Date(atMs)
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes()
  return (parseUtcWindows(windows) ?? []).some(
    ({ days, fromMinute, toMinute }) => days.has(at.getUTCDay()) && minute >= fromMinute && minute < toMinute,
  )
}

interface UtcWindow {
  /** 0 is Sunday. */
  readonly days: ReadonlySet<number>
  readonly fromMinute: number
  /** Exclusive. */
  readonly toMinute: number
}

/** Returns null if the text is not valid hours of the week. */
export function parseUtcWindows(text: string): readonly UtcWindow[] | null {
  const windows: UtcWindow[] = []
  for (const part of text.split(';')) {
    const words = part.trim().split(/\s+/)
    const days = daysOf(words[0] ?? '')
    const hours = (days === null ? words : words.slice(1)).map(hoursOf)
    if (hours.length === 0) return null
    for (const span of hours) {
      if (span === null) return null
      windows.push({ days: days ?? everyDay, ...span })
    }
  }
  return windows
}

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const everyDay: ReadonlySet<number> = new Set(dayNames.keys())

/** `Mon-Fri`, `Sat,Sun` or `Wed`; null if the word names no days. */
function daysOf(word: string): ReadonlySet<number> | null {
  const days = new Set<number>()
  for (const span of word.split(',')) {
    const [first = -1, last = first, ...others] = span.split('-').map((name) => dayNames.indexOf(name))
    if (first === -1 || last === -1 || others.length > 0) return null
    for (let day = first; day !== last; day = (day + 1) % dayNames.length) days.add(day)
    days.add(last)
  }
  return days
}

const hoursForm = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/
const minutesInDay = 24 * 60

function hoursOf(word: string): { fromMinute: number; toMinute: number } | null {
  const [fromHour = 99, fromMinutes = 99, toHour = 99, toMinutes = 99] = (hoursForm.exec(word) ?? [])
    .slice(1)
    .map(Number)
  const fromMinute = fromHour * 60 + fromMinutes
  const toMinute = toHour * 60 + toMinutes
  const isValid = fromMinutes < 60 && toMinutes < 60 && fromMinute < toMinute && toMinute <= minutesInDay
  return isValid ? { fromMinute, toMinute } : null
}
