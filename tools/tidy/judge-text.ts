import type { Finding } from '../lib/finding.ts'
import { hasSequence } from '../lib/has-sequence.ts'
import { isTypeScript, type SourceFile } from '../lib/source-file.ts'
import { tokensOf } from '../lib/tokens-of.ts'

/** Banned everywhere. The one-letter classes keep this file from matching itself. */
const bannedText = [
  { pattern: /\bTOD[O]\b|\bFIXM[E]\b|\bXX[X]\b/, why: 'is work left undone' },
  { pattern: /@ts-ignor[e]/, why: 'hides a type error' },
  { pattern: /(?<![\w.-])\/(?:wor[k]|roo[t])\//, why: 'is a path of one machine' },
  {
    // The dots and endings exclude `registry.ts` and `registry.vendors.find`.
    pattern:
      /\bregistr[y]\.(?:[a-z0-9-]+\.)+(?:org|com|net|io|dev|cloud|internal|local)\b|\/\/[\w.-]*(?:artifactor[y]|nexu[s])\b/,
    why: 'is a registry host',
  },
]

/** Banned in code, but allowed in comments and strings. */
const bannedCode = [
  { sequence: ['.', 'only', '('], why: 'runs one test and silences the rest' },
  { sequence: ['.', 'skip', '('], why: 'silences a test' },
  { sequence: ['as', 'any'], why: 'switches types off' },
  { sequence: [':', 'any'], why: 'switches types off' },
]

/** Recorded bytes are not our own text. */
const isRecorded = (path: string) => path.includes('/fixtures/')

/** Words and code that must not be left in the tree. */
export function judgeText(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => [
    ...(isRecorded(file.path) ? [] : judgeWords(file)),
    ...(isTypeScript(file.path) ? judgeCode(file) : []),
  ])
}

function judgeWords({ path, text }: SourceFile): Finding[] {
  return text.split('\n').flatMap((content, index) =>
    bannedText.flatMap(({ pattern, why }) => {
      const found = pattern.exec(content)?.[0]
      return found === undefined ? [] : [{ rule: 'banned-text', path, line: index + 1, message: `${found} ${why}` }]
    }),
  )
}

function judgeCode(file: SourceFile): Finding[] {
  const { path } = file
  const tokens = tokensOf(file)
  return bannedCode.flatMap(({ sequence, why }) =>
    tokens
      .filter((_, at) => hasSequence(tokens, at, sequence))
      .map(({ line }) => ({ rule: 'banned-code', path, line, message: `${sequence.join(' ')} ${why}` })),
  )
}
