const form = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i

/**
 * An ISO 8601 time in Unix milliseconds. Without a zone it is UTC, without a time it is midnight. Undefined if invalid.
 */
export function parseIsoMoment(text: string): number | undefined {
  const [, date, time = '00:00', zone = 'Z'] = form.exec(text) ?? []
  if (date === undefined) return undefined
  const midnight = new Date(`${date}T00:00Z`)
  // February 30 parses as March 2: only a date that is formatted back to the same text is valid.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return undefined
  const moment = Date.parse(`${date}T${time}${zone.toUpperCase()}`)
  return Number.isNaN(moment) ? undefined : moment
}
