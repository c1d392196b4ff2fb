interface RawJson {
  readonly rawJSON?: (text: string) => unknown
}

/** An amount that a person typed, for a body: it is sent digit by digit as it was typed and never becomes a double. */
export function amountBody(text: string): number {
  const { rawJSON } = JSON as RawJson
  if (rawJSON === undefined) throw new Error('Your browser is too old to send exact amounts. Update it and try again.')
  const plain = text.startsWith('.') ? `0${text}` : text
  // The type of the platform's raw JSON is not a number's, but what is sent is one.
  return rawJSON(plain) as number
}
