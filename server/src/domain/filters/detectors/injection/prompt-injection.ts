import type { Span } from '../../text/span.ts'
import { lowerCaseOf } from '../../text/text-views.ts'
import type { Detector } from '../detector.ts'
import { findOrders } from './find-orders.ts'
import { hiddenTexts } from './hidden-texts.ts'

/**
 * Prompt injections: instructions to ignore the prompt, to reveal it, or to act as a persona without rules; in
 * seventeen languages, also spelled letter by letter, with look-alike letters or digits, or encoded. Text that only
 * mentions such sentences is ignored.
 */
export const findPromptInjections: Detector = (marked) => {
  const { text, toMarked } = withoutMarks(marked)
  const hidden = hiddenTexts(text).filter(({ text: content, isRunTogether }) =>
    isRunTogether ? runTogether.test(undisguise(content)) : findOrders(undisguise(content)).length > 0,
  )
  return [...findOrders(undisguise(text)), ...hidden.map(({ span }) => span)].map(toMarked)
}

/** Instructions without spaces between words. */
const runTogether =
  /(?:ignor|disregard|forget|override|bypass)(?:e|ing)?(?:all|any|the|your|of|these|those)*(?:previous|prior|above|earlier|system|your|safety|original|initial|preceding)(?:ly)?(?:given|the|system|safety)*(?:instruction|prompt|rule|guideline|directive|restriction|command)|(?:reveal|show|print|repeat|tell|output|display|leak)(?:me|us|out|all|the|full|entire|exact|of)*(?:your|the)(?:full|entire|exact|hidden|secret|initial|original)*(?:systemprompt|systemmessage|systeminstruction|hiddeninstruction|initialinstruction|initialprompt)|doanythingnow|jailbreakmode|developermodeenabled|ignoriere?(?:alle|deine|sämtliche)*(?:bisherigen|vorherigen|vorigen|obigen|früheren)(?:anweisung|regel|instruktion)|ignore(?:z|r)?(?:toutes|les|tes|vos)*(?:instructions|consignes)précédentes|ignora(?:todas|las|tus)*(?:instrucciones|reglas)(?:anteriores|previas)/u

/**
 * Lower-cases a text and restores words with look-alike letters: Cyrillic or Greek letters among Latin ones, and digits
 * for letters. The length in UTF-16 units stays the same.
 */
function undisguise(text: string): string {
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
/** A digit between letters, before two letters, or after one at the end of a longer word. */
const digitInWord =
  /(?<=[a-z])[013457@$]{1,3}(?=[a-z])|(?<![a-z0-9@$])[013457@$](?=[a-z]{2})|(?<=[a-z0-9][a-z])[013457$](?![a-z0-9])/g

const lookAlikes = pairs(
  'аa вb сc ԁd еe ёe ғf ԍg һh іi їi јj кk ӏl мm нh оo рp ԛq гr ѕs тt уy ѵv ԝw хx зz υu νv οo ρp αa εe ιi κk τt χx ηn',
)
const digitLetters = pairs('0o 1i 3e 4a 5s 7t @a $s')

function pairs(listed: string): ReadonlyMap<string, string> {
  return new Map(listed.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)]))
}

/** Only words with mixed alphabets are disguised; a word in one alphabet is an ordinary word. */
function mapLetters(word: string, letters: ReadonlyMap<string, string>): string {
  if (letters === lookAlikes && (!/\p{sc=Latin}/u.test(word) || !otherAlphabet.test(word))) return word
  return word.replaceAll(/./gsu, (letter) => letters.get(letter) ?? letter)
}

/** A text without combining marks on its letters, and a map to the original positions. */
interface UnmarkedText {
  readonly text: string
  readonly toMarked: (span: Span) => Span
}

/** Three marked letters in a row. Ordinary accents are already composed with their letters. */
const marked = /(?:\p{sc=Latin}\p{M}+){3}/u

function withoutMarks(text: string): UnmarkedText {
  if (!marked.test(text)) return { text, toMarked: (span) => span }
  const parts: string[] = []
  const places: number[] = []
  for (const { index, 0: run } of text.matchAll(/\P{M}+/gu)) {
    parts.push(run)
    for (let unit = 0; unit < run.length; unit += 1) places.push(index + unit)
  }
  const toMarked = ({ start, end }: Span): Span => ({
    start: places[start] ?? 0,
    end: places[end] ?? text.length,
  })
  return { text: parts.join(''), toMarked }
}
