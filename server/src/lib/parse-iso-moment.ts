const form = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i

/**
 * A moment in ISO 8601, in Unix milliseconds. Without a zone it is UTC, without a time midnight. Undefined: it is none.
 */
export function parseIsoMoment(text: string): number | undefined {
  const [, date, time = '00:00', zone = 'Z'] = form.exec(text) ?? []
  if (date === undefined) return undefined
  const midnight = new Date(`${date}T00:00Z`)
  // February 30 parses, as March 2: only a date that is written back the same is one.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return undefined
  const moment = Date.parse(`${date}T${time}${zone.toUpperCase()}`)
  return Number.isNaN(moment) ? undefined : moment
}
