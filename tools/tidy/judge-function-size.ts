import type { Finding } from '../lib/finding.ts'
import { isTest, isTypeScript, type SourceFile } from '../lib/source-file.ts'
import type { Token } from '../lib/tokenize.ts'
import { tokensOf } from '../lib/tokens-of.ts'
import { findFunctionBodies } from './find-function-bodies.ts'
import { type Brackets, matchBrackets } from './match-brackets.ts'

const linesMax = 70

/** A function fits on one screen. A test's `describe` is a chapter rather than a function, and is exempt. */
export function judgeFunctionSize(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isTypeScript(path))
    .flatMap((file) => {
      const { path } = file
      const tokens = tokensOf(file)
      const brackets = matchBrackets(tokens)
      return findFunctionBodies(tokens, brackets)
        .filter(({ open }) => !isTest(path) || !isDescribeBlock(tokens, brackets, open))
        .flatMap(({ open, close }) => {
          const line = tokens[open]?.line ?? 0
          const lines = (tokens[close]?.line ?? line) - line + 1
          const message = `a function of ${lines} lines, at most ${linesMax}`
          return lines > linesMax ? [{ rule: 'function-size', path, line, message }] : []
        })
    })
}

/** Walks back from the call that holds this body over `describe`, `describe.each(table)` and the like. */
function isDescribeBlock(tokens: readonly Token[], brackets: Brackets, open: number): boolean {
  const parenthesis = brackets.parentOf(open)
  if (parenthesis === undefined || tokens[parenthesis]?.text !== '(') return false
  let at = parenthesis - 1
  if (tokens[at]?.text === ')') at = (brackets.partnerOf(at) ?? 0) - 1
  while (tokens[at - 1]?.text === '.') at -= 2
  return tokens[at]?.text === 'describe'
}
