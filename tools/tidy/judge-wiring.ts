import type { Finding } from '../lib/finding.ts'
import { isTypeScript, type SourceFile } from '../lib/source-file.ts'
import type { Token } from '../lib/tokenize.ts'
import { tokensOf } from '../lib/tokens-of.ts'

const wiringFolder = 'server/src/bin/wiring/'
const choosingWords = new Set(['if', 'switch', 'while', 'do'])

/**
 * Wiring only connects. Every choice at run time is a rule and belongs in code that a unit test reaches: statements
 * with `if`, `switch` or `while`, the conditional operator, `&&`, `||`, `??`, their assignments, and `?.`. Loops over
 * an array, `catch`, parameter defaults and the mark of an optional member, `name?: type`, are not choices.
 */
export function judgeWiring(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.startsWith(wiringFolder) && isTypeScript(path))
    .flatMap((file) => {
      const tokens = tokensOf(file)
      return tokens.flatMap(({ line }, at) => {
        const choice = choiceAt(tokens, at)
        if (choice === undefined) return []
        const message = `chooses with ${choice}; move the rule to where a unit test reaches it`
        return [{ rule: 'wiring', path: file.path, line, message }]
      })
    })
}

function choiceAt(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at]
  const before = tokens[at - 1]?.text
  if (token?.kind === 'word') return choosingWords.has(token.text) && !isName(tokens, at) ? token.text : undefined
  if (token?.kind !== 'punctuator') return undefined
  switch (token.text) {
    case '?.':
      return '?.'
    case '?':
      if (before === '?') return '??'
      return [':', '?'].includes(tokens[at + 1]?.text ?? '') ? undefined : 'the conditional operator'
    case '&':
    case '|':
      return before === token.text ? token.text.repeat(2) : undefined
    default:
      return undefined
  }
}

/** A member may have the name of a statement. */
function isName(tokens: readonly Token[], at: number): boolean {
  return ['.', '?.'].includes(tokens[at - 1]?.text ?? '') || tokens[at + 1]?.text === ':'
}
