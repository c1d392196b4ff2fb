import { type NanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { UsageError } from './command.ts'

/** An amount as typed: `12.5` or `$12.5`. */
export function parseAmount(text: string): NanoUsd {
  try {
    return parseUsd(text.replace(/^\$/, ''))
  } catch {
    throw new UsageError(`${text} is not an amount of USD with at most nine decimals.`)
  }
}

export function parseOptionalAmount(text: string | undefined): NanoUsd | null {
  return text === undefined ? null : parseAmount(text)
}
