import type { Finding } from '../lib/finding.ts'
import { isTest, isTypeScript, type SourceFile } from '../lib/source-file.ts'
import { isAllowed } from './is-allowed.ts'

interface Word {
  readonly pattern: RegExp
  readonly instead: string
  /** Path prefixes where the word is the usual term. */
  readonly kept?: readonly string[]
  /** The only paths where the word is judged. */
  readonly only?: RegExp
}

/**
 * Words that hide the actor, or that have a usual term. Every line is searched, since errors and command-line texts are
 * strings. A word that stands alone in quotes is a value and not text.
 */
const words: readonly Word[] = [
  { pattern: /\bwhoever\b/i, instead: 'name the actor: the client, the gateway, the worker, the operator' },
  { pattern: /(?<!['"`](?=nobody['"`]))\bnobody\b/i, instead: 'name the actor: no client, no worker, no provider' },
  { pattern: /\bsomebody\b/i, instead: 'name the actor: a client, a person, an operator' },
  { pattern: /\bcan not\b/i, instead: 'write "cannot"' },
  { pattern: /\bimage hosts?\b/i, instead: 'write "image publisher"' },
  {
    // Names of commands and addresses keep their spelling.
    pattern: /(?:>|(?<!\bwei)[a-z,] )catalogues?\b/i,
    instead: 'write "catalog"',
    only: /^console\/src\/.*\.tsx$/,
  },
  { pattern: /\bwhat came of it\b/i, instead: 'write "Result"' },
  { pattern: /['">]went back\b/i, instead: 'write "Refunded"' },
  { pattern: /\bwho they are for\b/i, instead: 'write "Billing details"' },
  { pattern: /\bnumber of a claim\b/i, instead: 'write "fencing token"' },
]

/**
 * Words that the project's vocabulary replaces (docs/ARCHITECTURE.md). They are searched in names of code, SQL and
 * files as well as in prose: `settleLane`, `settle_lane` and "a lane" are the same word. Code blocks in documents are
 * skipped.
 */
const vocabulary: readonly Word[] = [
  {
    pattern: /\bcallers?\b/i,
    instead: 'write "client" for the program, "connection" for its socket, "principal" for who is authorized and pays',
    // In these folders, functions have callers.
    kept: ['server/src/store/postgres/schema/', 'server/sql/'],
  },
  {
    pattern: /\b(?:un)?fold(?:s|ed|ing)?\b/i,
    instead: 'write "rollup"',
    // In these folders, text is folded, which means that case and accents are removed, and a repetition of a pattern is
    // unfolded.
    kept: ['server/src/domain/filters/', 'server/src/domain/routing/auto/', 'docs/content-filters.md'],
  },
  {
    pattern: /\b(?:settled? marks?|marks? offset|payment marks?|replica marks?|rebase marks?)\b/i,
    instead: 'write "position" for the place of a row and "watermark" for how far a reader has come',
  },
  { pattern: /\blanes?\b/i, instead: 'write "queue"', kept: ['CONTRIBUTING.md', 'docs/security.md', 'tools/'] },
  { pattern: /\bisolat(?:ed|es)\b/i, instead: 'write that its circuit is open', kept: ['docs/dependencies.md'] },
  { pattern: /\bdoors?\b/i, instead: 'write "edge", "check" or "store"' },
]

/** Files that list such words as data: this rule, and the patterns of prompt attacks. */
const lists = new Set(['tools/tidy/judge-language.ts', 'server/src/domain/filters/detectors/injection/mention.ts'])

/** The migration that renames the old words in existing databases. */
const renaming = 'server/sql/migrations/0022_rollup_names.sql'

/**
 * Documents, code and SQL use plain English with an actor, and one vocabulary in texts and names. Tests are excluded.
 */
export function judgeLanguage(files: readonly SourceFile[]): Finding[] {
  return files.filter(({ path }) => isJudged(path)).flatMap(judgeFile)
}

function isJudged(path: string): boolean {
  if (lists.has(path) || path === renaming || path.includes('/fixtures/')) return false
  if (path.endsWith('.md')) return /^(?:docs\/|\.github\/|[^/]+$)/.test(path)
  if (path.endsWith('.sql')) return /^server\/sql\/(?:functions|migrations)\//.test(path)
  return isTypeScript(path) && !isTest(path) && /^(?:server\/src|console\/src|tools)\//.test(path)
}

function judgeFile({ path, text }: SourceFile): Finding[] {
  const lines = text.split('\n')
  const judged = path.endsWith('.md') ? withoutBlocks(lines) : lines
  const inPath = findWords(vocabulary, path, asWords(path)).map((message) => ({
    rule: 'language',
    path,
    line: 1,
    message,
  }))
  const inLines = lines.flatMap((content, index) => {
    const found = [...findWords(words, path, content), ...findWords(vocabulary, path, asWords(judged[index] ?? ''))]
    if (found.length === 0 || isAllowed(lines, index + 1)) return []
    return found.map((message) => ({ rule: 'language', path, line: index + 1, message }))
  })
  return [...inPath, ...inLines]
}

function findWords(list: readonly Word[], path: string, content: string): string[] {
  return list.flatMap(({ pattern, instead, kept = [], only = /(?:)/ }) => {
    const found = pattern.exec(content)?.[0]
    const isKept = kept.some((start) => path.startsWith(start)) || !only.test(path)
    return found === undefined || isKept ? [] : [`"${found}": ${instead}`]
  })
}

function withoutBlocks(lines: readonly string[]): string[] {
  let isCode = false
  return lines.map((line) => {
    const isFence = line.startsWith('```')
    if (isFence) isCode = !isCode
    return isCode || isFence ? '' : line
  })
}

/** Splits names in camel, snake or kebab case into words. */
function asWords(line: string): string {
  return line.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[_-]/g, ' ')
}
