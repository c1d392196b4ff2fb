import { createConceptScan } from './concept-scan.ts'
import { foldCharacter, isIdeographic, isWordCharacter } from './fold-character.ts'
import { chinese } from './lexicon/chinese.ts'
import { concepts } from './lexicon/concepts.ts'
import { english } from './lexicon/english.ts'
import { french } from './lexicon/french.ts'
import { german } from './lexicon/german.ts'
import { japanese } from './lexicon/japanese.ts'
import { spanish } from './lexicon/spanish.ts'

/** The properties of a request for `auto`. */
export interface AutoRequest {
  /** The text of the last user message. */
  readonly text: string
  readonly systemText: string
  readonly turnCount: number
  readonly hasTools: boolean
  readonly hasImage: boolean
  readonly hasVideo: boolean
  readonly hasAudio: boolean
  readonly hasFile: boolean
  /** The client wants an image. */
  readonly wantsImage: boolean
  /** The client wants JSON. */
  readonly wantsJson: boolean
}

const marks = [
  'constant',
  'words3',
  'words6',
  'words10',
  'words16',
  'words28',
  'words60',
  'wordsMore',
  'question',
  'sentences',
  'numbers',
  'mathematics',
  'codeMarks',
  'fence',
  'lines',
  'separators',
  'time',
  'hashtag',
  'address',
  'offersTools',
  'showsImage',
  'showsVideo',
  'sendsAudio',
  'sendsFile',
  'wantsJson',
  'longTalk',
] as const

/** The names of all weighted features. */
export const featureNames = [...concepts, ...marks] as const
export type FeatureName = (typeof featureNames)[number]

const scanConcepts = createConceptScan([english, german, french, spanish, chinese, japanese])

/**
 * A request as numbers, in the order of the names. Each is small, because repeating something ten times does not make
 * it ten times as true.
 */
export function featuresOf(request: AutoRequest): Float64Array {
  const features = new Float64Array(featureNames.length)
  const text = fold(excerptOf(request.text, userCharactersMax))
  const system = fold(excerptOf(request.systemText, systemCharactersMax))
  const said = scanConcepts(text, text.length)
  const instructed = scanConcepts(system, system.length)
  for (let index = 0; index < concepts.length; index += 1) {
    features[index] = Math.log1p(said[index] ?? 0) + Math.log1p(Math.min(2, instructed[index] ?? 0)) / 4
  }
  features.set(marksOf(text, request), concepts.length)
  return features
}

const userCharactersMax = 4_096
const systemCharactersMax = 1_024

// The question is at the beginning or at the end of a long prompt; the middle is usually pasted.
function excerptOf(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  return `${text.slice(0, charactersMax / 2)} ${text.slice(-charactersMax / 2)}`
}

const lineFeed = 0x0a
const blank = 0x20

function fold(text: string): Uint16Array {
  const codes = new Uint16Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = foldCharacter(text.charCodeAt(at))
    const isBlank = code === blank || code === 0x09 || code === 0xa0
    if (isBlank && codes[length - 1] === blank) continue
    codes[length++] = isBlank ? blank : code
  }
  return codes.subarray(0, length)
}

function marksOf(text: Uint16Array, request: AutoRequest): number[] {
  const seen = countCharacters(text)
  const words = seen.words + seen.ideographs / 2
  const between = (above: number, upTo: number): number => (words > above && words <= upTo ? 1 : 0)
  return [
    1,
    between(-1, 3),
    between(3, 6),
    between(6, 10),
    between(10, 16),
    between(16, 28),
    between(28, 60),
    words > 60 ? 1 : 0,
    seen.questions > 0 ? 1 : 0,
    Math.log1p(seen.sentences),
    Math.log1p(seen.numbers),
    Math.log1p(seen.mathematics),
    Math.log1p(seen.codeMarks) / 2,
    seen.backticks >= 3 ? 1 : 0,
    Math.log1p(seen.lines) / 2,
    Math.log1p(seen.separators) / 2,
    seen.times > 0 ? 1 : 0,
    seen.hashes > 0 ? 1 : 0,
    seen.ats > 0 ? 1 : 0,
    request.hasTools ? 1 : 0,
    request.hasImage ? 1 : 0,
    request.hasVideo ? 1 : 0,
    request.hasAudio ? 1 : 0,
    request.hasFile ? 1 : 0,
    request.wantsJson ? 1 : 0,
    request.turnCount > 6 ? 1 : 0,
  ]
}

function countCharacters(text: Uint16Array) {
  const byCode = new Uint16Array(128)
  const seen = { words: 0, ideographs: 0, numbers: 0, times: 0, fullStops: 0, commas: 0, signs: 0 }
  let follows = false
  let followsDigit = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text[at] ?? 0
    const isDigit = code >= 0x30 && code <= 0x39
    if (code < 128) byCode[code] = (byCode[code] ?? 0) + 1
    else if (code === ideographicFullStop) seen.fullStops += 1
    else if (code === ideographicComma) seen.commas += 1
    else if (code < 0x3000 && mathematicalSigns.has(code)) seen.signs += 1
    if (isDigit && !followsDigit) seen.numbers += 1
    if (code === colon && followsDigit && isDigitCode(text[at + 1])) seen.times += 1
    const isWord = isWordCharacter(code)
    const isWhole = code > 0x3000 && isIdeographic(code)
    if (isWhole) seen.ideographs += 1
    else if (isWord && !follows) seen.words += 1
    follows = isWord && !isWhole
    followsDigit = isDigit
  }
  const sum = (codes: readonly number[]): number => codes.reduce((total, code) => total + (byCode[code] ?? 0), 0)
  return {
    ...seen,
    questions: sum(questionMarks),
    sentences: sum(sentenceEnds) + seen.fullStops,
    mathematics: sum(operators) + seen.signs,
    codeMarks: sum(codeSigns),
    backticks: sum(backticks),
    lines: byCode[lineFeed] ?? 0,
    separators: sum(separatorSigns) + seen.commas,
    hashes: sum(hashes),
    ats: sum(ats),
  }
}

function isDigitCode(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x39
}

function codesOf(characters: string): readonly number[] {
  return Array.from(characters, (character) => character.charCodeAt(0))
}

const colon = 0x3a
const ideographicComma = 0x3001
const ideographicFullStop = 0x3002
const mathematicalSigns = new Set(codesOf('√∑∫≤≥≠∞πΔ²³×÷∈∀∃'))
const questionMarks = codesOf('?')
const sentenceEnds = codesOf('.!?')
const operators = codesOf('^=+*%')
const codeSigns = codesOf('{}[]();<>=_\\')
const backticks = codesOf('`')
const separatorSigns = codesOf(',;|')
const hashes = codesOf('#')
const ats = codesOf('@')
