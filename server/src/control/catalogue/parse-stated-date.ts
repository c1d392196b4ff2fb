import type { IsoDate } from '#domain/catalogue/catalogue-row.ts'

const form = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/**
 * Parses a date that may be a day, a month or a year. A release is the first day of the period and a retirement the
 * last, so that neither promises more than the source said. Undefined if it is not a date.
 */
export function parseStatedDate(text: string, end: 'first' | 'last'): IsoDate | undefined {
  const [, year, statedMonth, statedDay] = form.exec(text) ?? []
  if (year === undefined) return undefined
  const month = statedMonth ?? (end === 'first' ? '01' : '12')
  const day = statedDay ?? (end === 'first' ? '01' : lastDayOf(Number(year), Number(month)))
  const date = `${year}-${month}-${day}`
  return isCalendarDate(date) ? date : undefined
}

function lastDayOf(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 0)).getUTCDate().toString().padStart(2, '0')
}

// February 30 parses as March 2, so a date is valid only if it formats back to the same string.
function isCalendarDate(date: IsoDate): boolean {
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date)
}
