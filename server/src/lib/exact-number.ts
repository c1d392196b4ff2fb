import { plainDecimal } from './plain-decimal.ts'

/** A JSON number that a double would change, kept as its digits. Readers of other types reject it. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Doubles represent every decimal of up to fifteen digits. */
const longNumber = /[\d.]{16}/
const decimalForm = /^-?\d+(?:\.\d+)?$/

/** Parses JSON and keeps every digit of decimals. */
export function parseExactJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || !decimalForm.test(source)) return value
  const shortest = source.includes('.') ? source.replace(/\.?0+$/, '') : source
  return plainDecimal(value) === shortest ? value : new ExactNumber(source)
}
