import type { Finding } from '../lib/finding.ts'
import { hasSequence } from '../lib/has-sequence.ts'
import { isTest, type SourceFile } from '../lib/source-file.ts'
import type { Token } from '../lib/tokenize.ts'
import { tokensOf } from '../lib/tokens-of.ts'
import { matchBrackets } from './match-brackets.ts'

/** How a test changes or measures what all files in a process have in common. */
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
 * Test files share processes, so one that changes or measures its process is named `*.alone.test.ts`, which gets it one
 * to itself.
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

/** The first of each kind, since one new name answers all of them. */
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

/**
 * Tells whether a `process.env` at some place is assigned, as a whole or by one of its names, or a name of it deleted.
 */
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
