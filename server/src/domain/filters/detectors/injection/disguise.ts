import { lowerCaseOf } from '../../text/text-views.ts'

/**
 * A text in small letters, with words made readable that were disguised letter by letter: Cyrillic or Greek letters among Latin
 * ones, and digits for letters. Unit for unit as long as it was.
 */
export function undisguise(text: string): string {
  const lowerCase = lowerCaseOf(text)
  const latin = otherAlphabet.test(lowerCase)
    ? lowerCase.replaceAll(mixedWord, (word) => mapLetters(word, lookAlikes))
    : lowerCase
  return latin
    .replaceAll(digitInWord, (digits) => mapLetters(digits, digitLetters))
    .replaceAll(/[\u2019\u02bc\u00b4]/g, "'")
    .replaceAll(/[\t\r\u00a0\u2000-\u200a]/g, ' ')
}

const otherAlphabet = /[\p{sc=Cyrillic}\p{sc=Greek}]/u
const mixedWord = /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]+/gu
/** Between letters, before two of them, or after one at the end of a longer word. */
const digitInWord =
  /(?<=[a-z])[013457@$]{1,3}(?=[a-z])|(?<![a-z0-9@$])[013457@$](?=[a-z]{2})|(?<=[a-z0-9][a-z])[013457$](?![a-z0-9])/g

const lookAlikes = pairs(
  'аa вb сc ԁd еe ёe ғf ԍg һh іi їi јj кk ӏl мm нh оo рp ԛq гr ѕs тt уy ѵv ԝw хx зz υu νv οo ρp αa εe ιi κk τt χx ηn',
)
const digitLetters = pairs('0o 1i 3e 4a 5s 7t @a $s')

function pairs(listed: string): ReadonlyMap<string, string> {
  return new Map(listed.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)]))
}

/** Only words that mix alphabets are disguised; a word of one alphabet is a word of its language. */
function mapLetters(word: string, letters: ReadonlyMap<string, string>): string {
  if (letters === lookAlikes && (!/\p{sc=Latin}/u.test(word) || !otherAlphabet.test(word))) return word
  return word.replaceAll(/./gsu, (letter) => letters.get(letter) ?? letter)
}
