import { findNamedNumbers } from './named-numbers.ts'

/** German tax identification numbers: eleven digits by the rules on repetition and the check digit, where a word names them. */
export const findGermanTaxIds = findNamedNumbers({
  shapes: ['11', '2-3-3-3'],
  isValid: isTaxId,
  names:
    /steuer-?\s?id|identifikations-?(?:nummer|nr)|id-?nr\b|steuernummer|steueridentif|german tax|tax[- ]?(?:id|identification|number)|\btin\b|fiscal allemand|fiscal alem[aá]/iu,
})

function isTaxId(digits: string): boolean {
  if (digits.startsWith('0')) return false
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  // One digit comes twice or three times, and never three times in a row; the others come once at most.
  const repeated = [...counts.values()].filter((count) => count > 1)
  if (repeated.length !== 1 || (repeated[0] ?? 0) > 3 || /(\d)\1\1/.test(digits.slice(0, 10))) return false
  return checkDigitOf(digits.slice(0, 10)) === Number(digits.charAt(10))
}

/** ISO 7064, modulo 11 and 10. */
function checkDigitOf(digits: string): number {
  let product = 10
  for (const digit of digits) {
    const sum = (Number(digit) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10
}
