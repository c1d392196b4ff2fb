import { UsageError } from './command.ts'

/** A number of seats as typed; `unlimited`, or nothing at all, means as many as they like. */
export function parseSeats(text: string | undefined): number | null {
  if (text === undefined || text === 'unlimited') return null
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${text} is not a number of seats.`)
  return Number(text)
}
