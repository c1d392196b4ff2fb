interface RawJson {
  readonly rawJSON?: (text: string) => unknown
}

/** Converts a typed amount for a request body. It is sent digit by digit and never becomes a double. */
export function amountBody(text: string): number {
  const { rawJSON } = JSON as RawJson
  if (rawJSON === undefined) throw new Error('Your browser is too old to send exact amounts. Update it and try again.')
  const plain = text.startsWith('.') ? `0${text}` : text
  // TypeScript does not type raw JSON as a number, but it serializes as one.
  return rawJSON(plain) as number
}

/** The same for an optional amount: null for an empty field. */
export function optionalAmountBody(text: string): number | null {
  return text.trim() === '' ? null : amountBody(text.trim())
}
