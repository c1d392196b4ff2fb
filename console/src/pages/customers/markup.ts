/** The rule of a field for a markup in percent. */
export const markupRule = {
  pattern: {
    value: /^\s*(?:\d{1,3}(?:\.\d{1,2})?|1000(?:\.0{1,2})?)?\s*$/,
    message: 'Enter 0 to 1000, such as 15 or 2.5.',
  },
}

/** Basis points as percent, without rounding. Empty for a customer without its own markup. */
export function percentText(basisPoints: number | bigint | string | null): string {
  if (basisPoints === null) return ''
  const digits = String(basisPoints).padStart(3, '0')
  const cents = digits.slice(-2).replace(/0+$/, '')
  return `${digits.slice(0, -2)}${cents === '' ? '' : `.${cents}`}`
}

/** Percent as basis points, without rounding. Null for an empty field. */
export function basisPointsIn(text: string): number | null {
  const [whole = '', cents = ''] = text.trim().split('.')
  return whole === '' ? null : Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}
