import type { Token } from '../lib/tokenize.ts'

/** Objects of these types have behavior: a test drives them and compares nothing with them. */
const actingTypes = new Set([
  'ConversationDialect',
  'GeminiVendor',
  'MediaDialect',
  'MediaVendor',
  'Outside',
  'Timers',
  'VideoCodec',
])

/** The results of these functions contain no more than their arguments. */
const makers = new Set(['new', 'nanoUsd', 'parseUsd'])

const statementStarts = new Set('export const let function async class interface type enum import'.split(' '))

/**
 * The exported constants of a file that hold figures, words, tables or schemas. Functions do not count, nor do
 * constants that consist of references, such as a registry, or of zeros.
 */
export function findData(tokens: readonly Token[]): ReadonlySet<string> {
  const found = new Set<string>()
  tokens.forEach(({ text }, at) => {
    if (text !== 'export' || tokens[at + 1]?.text !== 'const') return
    const name = tokens[at + 2]
    const isActing = tokens[at + 3]?.text === ':' && actingTypes.has(tokens[at + 4]?.text ?? '')
    if (name !== undefined && !isActing && isData(initializerAfter(tokens, at + 3))) found.add(name.text)
  })
  return found
}

function isData(initializer: readonly Token[]): boolean {
  const [first, second] = initializer
  if (first === undefined || second?.text === '=>') return false
  if (first.text === 'Type') return true
  if (first.kind === 'word' && !makers.has(first.text)) return false
  if (first.text === '(' || first.text === '<') return false
  return initializer.some((token, at) => isValue(token) && initializer[at + 1]?.text !== ':')
}

function isValue({ kind, text }: Token): boolean {
  return kind === 'string' || kind === 'template' || kind === 'regex' || (kind === 'number' && !/^0n?$/.test(text))
}

/** The tokens between the equals sign of a declaration and the next statement. */
function initializerAfter(tokens: readonly Token[], start: number): readonly Token[] {
  const sign = tokens.findIndex(({ text }, at) => at >= start && text === '=')
  let depth = 0
  let end = sign + 1
  for (; end < tokens.length; end += 1) {
    const { text = '', kind } = tokens[end] ?? {}
    if (kind === 'punctuator' && '([{'.includes(text)) depth += 1
    else if (kind === 'punctuator' && ')]}'.includes(text)) depth -= 1
    else if (depth === 0 && kind === 'word' && statementStarts.has(text)) break
  }
  return tokens.slice(sign + 1, end)
}
