import { type NanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { parseIsoMoment } from '#lib/parse-iso-moment.ts'
import { type CommandInput, UsageError } from './command.ts'

const listLimitMax = 10_000

/** Parses an amount such as `12.5` or `$12.5`. */
export function parseAmount(text: string): NanoUsd {
  try {
    return parseUsd(text.replace(/^\$/, ''))
  } catch {
    throw new UsageError(`${text} is not a USD amount with at most nine decimals.`)
  }
}

export function parseOptionalAmount(text: string | undefined): NanoUsd | null {
  return text === undefined ? null : parseAmount(text)
}

/** Parses a timestamp from the command line. Returns null if it is missing. */
export function readMoment(text: string | undefined): number | null {
  if (text === undefined) return null
  const moment = parseIsoMoment(text)
  if (moment === undefined) throw new UsageError(`${text} is not a valid date and time.`)
  return moment
}

/** Parses a positive integer. */
export function readCount(input: CommandInput, option: string, usual: number): number {
  const text = input.text(option)
  if (text === undefined) return usual
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new UsageError(`--${option} must be a positive integer.`)
  return Number(text)
}

/** Parses the `--limit` option of a list. */
export function readListLimit(text = '100'): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > listLimitMax) throw new UsageError(`--limit must be an integer from 1 to ${listLimitMax}.`)
  return limit
}
