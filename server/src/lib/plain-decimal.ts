// The digits of a number in exponent form: `1.5e-7`, `1e+21`.
const exponentForm = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/

/** A number as decimal text, never in exponent form. */
export function plainDecimal(value: number): string {
  const text = String(value)
  const [, sign, whole, decimals = '', exponent] = exponentForm.exec(text) ?? []
  if (sign === undefined || whole === undefined || exponent === undefined) return text
  const digits = whole + decimals
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return sign + digits.slice(0, point).padEnd(point, '0') + (point < digits.length ? `.${digits.slice(point)}` : '')
}
