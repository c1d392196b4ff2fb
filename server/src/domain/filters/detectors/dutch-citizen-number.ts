import { findNamedNumbers } from './named-numbers.ts'

/** Dutch citizen service numbers (BSN): nine digits that pass the eleven test, where a word says what they are. */
export const findDutchCitizenNumbers = findNamedNumbers({
  shapes: ['9', '3-3-3', '4-2-3', '2-2-2-3', '2-3-2-2'],
  isValid: passesElevenTest,
  names: /\bbsn|burgerservice|sofi-?nummer|citizen service n|persoonsnummer|bürgerservicenummer/iu,
})

function passesElevenTest(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at === 8 ? -1 : 9 - at), 0)
  return sum % 11 === 0
}
