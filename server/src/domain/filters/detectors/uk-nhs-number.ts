import { findNamedNumbers } from './named-numbers.ts'

/** Numbers of the National Health Service: ten digits that pass modulo 11, where a word says what they are. */
export const findUkNhsNumbers = findNamedNumbers({
  shapes: ['10', '3-3-4'],
  isValid: isNhsNumber,
  names: /\bnhs|national health service n|health and care number/iu,
})

function isNhsNumber(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false
  const sum = Array.from(digits.slice(0, 9)).reduce((total, digit, at) => total + Number(digit) * (10 - at), 0)
  return (11 - (sum % 11)) % 11 === Number(digits.charAt(9))
}
