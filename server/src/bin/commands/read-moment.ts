import { parseIsoMoment } from '#lib/parse-iso-moment.ts'
import { UsageError } from './command.ts'

/** A moment that was written on the command line; null where none was. */
export function readMoment(text: string | undefined): number | null {
  if (text === undefined) return null
  const moment = parseIsoMoment(text)
  if (moment === undefined) throw new UsageError(`${text} is not a date and time.`)
  return moment
}
