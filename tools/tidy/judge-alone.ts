import type { Finding } from '../lib/finding.ts'
import { hasSequence } from '../lib/has-sequence.ts'
import { isTest, type SourceFile } from '../lib/source-file.ts'
import type { Token } from '../lib/tokenize.ts'
import { tokensOf } from '../lib/tokens-of.ts'
import { matchBrackets } from './match-brackets.ts'

/** Ways in which a test changes or measures state that all files in a process share. */
const sharedUses = [
  ...['stubEnv', 'stubGlobal', 'useFakeTimers', 'setSystemTime', 'mock', 'doMock'].map((name) => ['vi', '.', name]),
  ...['process', 'globalThis', 'console', 'Date', 'Math', 'performance'].map((name) => ['spyOn', '(', name]),
  ...['on', 'once', 'addListener', 'prependListener', 'chdir', 'umask'].map((name) => ['process', '.', name, '(']),
  ...['memoryUsage', 'cpuUsage', 'resourceUsage', 'eventLoopUtilization', 'monitorEventLoopDelay'].map((name) => [
    name,
  ]),
  ['stopClock'],
  ['Object', '.', 'assign', '(', 'process', '.', 'env'],
]

const usesByWord = Map.groupBy(sharedUses, ([word]) => word)

/**
 * Test files share processes, so a file that changes or measures its process is named `*.alone.test.ts` and gets a
 * separate one.
 */
export function judgeAlone(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isTest(path) && !/\.alone\.test\.tsx?$/.test(path))
    .flatMap((file) =>
      findSharedUses(tokensOf(file)).map(({ line, text }) => {
        const message = `${text} concerns the whole process; name the file *.alone.test.ts`
        return { rule: 'alone', path: file.path, line, message }
      }),
    )
}

/** The first use of each kind, since renaming the file fixes all of them. */
function findSharedUses(tokens: readonly Token[]): { text: string; line: number }[] {
  const found = new Map<string, number>()
  const isWritten = judgeEnvironment(tokens)
  tokens.forEach(({ text: word, line }, at) => {
    // `child.process.on` listens to another process.
    if (word === 'process' && tokens[at - 1]?.text === '.') return
    const sequence = isWritten(at)
      ? ['process', '.', 'env', ' =']
      : usesByWord.get(word)?.find((use) => hasSequence(tokens, at, use))
    const text = sequence?.join('').replace(/\($/, '')
    if (text !== undefined && !found.has(text)) found.set(text, line)
  })
  return [...found].map(([text, line]) => ({ text, line }))
}

/** Tells whether a `process.env` at some position is assigned, as a whole or by key, or a key of it is deleted. */
function judgeEnvironment(tokens: readonly Token[]): (at: number) => boolean {
  const { partnerOf } = matchBrackets(tokens)
  return (at) => {
    if (!hasSequence(tokens, at, ['process', '.', 'env'])) return false
    if (tokens[at - 1]?.text === 'delete') return true
    const next = at + 3
    if (tokens[next]?.text === '.') return isAssignment(tokens, next + 2)
    return isAssignment(tokens, tokens[next]?.text === '[' ? (partnerOf(next) ?? next) + 1 : next)
  }
}

/** `=`, `??=`, `||=` and the like, but neither `==` nor `=>`. */
function isAssignment(tokens: readonly Token[], at: number): boolean {
  let sign = at
  while (['?', '|', '&', '+'].includes(tokens[sign]?.text ?? '')) sign += 1
  return hasSequence(tokens, sign, ['=']) && !hasSequence(tokens, sign + 1, ['='])
}
