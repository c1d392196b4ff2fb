import type { Finding } from '../lib/finding.ts'
import { isSource, type SourceFile } from '../lib/source-file.ts'
import { type SqlToken, tokenizeSql } from '../lib/tokenize-sql.ts'

const rule = 'sql-function'
const folder = 'server/sql/functions/'
/** The output of pg_dump, which repeats all other files. */
const generated = 'server/sql/schema.sql'

/**
 * Each SQL function is defined once, by `CREATE OR REPLACE` in the file of its name, so that a reader knows which
 * definition is in force.
 */
export function judgeSqlFunctions(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    if (file.path.endsWith('.sql') && file.path !== generated) return judgeSql(file)
    return isSource(file.path) ? judgeSource(file) : []
  })
}

function judgeSql({ path, text }: SourceFile): Finding[] {
  const definitions = findDefinitions(text)
  const findings = definitions.flatMap(({ name, line, isReplacing }, at) => {
    const find = (message: string): Finding[] => [{ rule, path, line, message }]
    if (path !== `${folder}${name}.sql`) return find(`${name} is defined in ${folder}${name}.sql alone`)
    if (at > 0) return find(`${name} is defined a second time`)
    return isReplacing ? [] : find(`${name} is defined by CREATE OR REPLACE`)
  })
  const isEmpty = path.startsWith(folder) && definitions.length === 0
  return isEmpty ? [{ rule, path, message: 'defines no function' }] : findings
}

type Definition = { readonly name: string; readonly line: number; readonly isReplacing: boolean }

function findDefinitions(text: string): Definition[] {
  const tokens = tokenizeSql(text)
  return tokens.flatMap(({ start }, at) => {
    const isReplacing = reads(tokens, at, ['CREATE', 'OR', 'REPLACE', 'FUNCTION'])
    if (!isReplacing && !reads(tokens, at, ['CREATE', 'FUNCTION'])) return []
    const name = tokens[at + (isReplacing ? 4 : 2)]?.text ?? ''
    return [{ name, line: text.slice(0, start).split('\n').length, isReplacing }]
  })
}

function reads(tokens: readonly SqlToken[], at: number, words: readonly string[]): boolean {
  return words.every((word, offset) => {
    const token = tokens[at + offset]
    return token?.kind === 'word' && token.text.toUpperCase() === word
  })
}

/** The product creates no functions at run time, because no migration would replace them. */
function judgeSource({ path, text }: SourceFile): Finding[] {
  return /\bCREATE (?:OR REPLACE )?FUNCTION\b/.test(text)
    ? [{ rule, path, message: `SQL functions are defined in ${folder}` }]
    : []
}
