import type { Finding } from '../lib/finding.ts'
import { isTest, isTypeScript, type SourceFile } from '../lib/source-file.ts'
import { isAllowed } from './is-allowed.ts'

interface Word {
  readonly pattern: RegExp
  readonly instead: string
  /** Where the word is the field's own term, by how paths begin. */
  readonly kept?: readonly string[]
}

/**
 * Words that hide who does something, or that the field calls otherwise. They are looked for in every line, since errors and command-line
 * texts are strings. A word that stands alone in quotes is a value of the code and not a text.
 */
const words: readonly Word[] = [
  { pattern: /\bwhoever\b/i, instead: 'name the actor: the client, the gateway, the worker, the operator' },
  { pattern: /(?<!['"`](?=nobody['"`]))\bnobody\b/i, instead: 'name the actor: no client, no worker, no provider' },
  { pattern: /\bsomebody\b/i, instead: 'name the actor: a client, a person, an operator' },
  { pattern: /\bcan not\b/i, instead: 'write "cannot"' },
  { pattern: /\bimage hosts?\b/i, instead: 'write "image publisher"' },
  { pattern: /\bnumber of a claim\b/i, instead: 'write "fencing token"' },
]

/**
 * Words of the code's names and values, which prose replaces. They are looked for in documents and comments, outside of code spans. Two words
 * are left alone: *whose* is a plain relative pronoun, and a *host* is a machine, or a provider that runs models of other authors.
 */
const proseWords: readonly Word[] = [
  {
    pattern: /\bcallers?\b/i,
    instead: 'write "client" for the program, "principal" for who is authorized and pays',
    // There functions are called.
    kept: ['server/src/store/postgres/schema/'],
  },
  {
    pattern: /(?<!-)\bfold(?:s|ed|ing)?\b/i,
    instead: 'write "rollup"',
    // There a text is folded: written without regard to case and accents.
    kept: ['server/src/domain/filters/', 'server/src/domain/routing/auto/', 'docs/content-filters.md'],
  },
  {
    pattern: /\blanes?\b/i,
    instead: 'write "batcher"',
    // Jobs of one lane are run in order, and drills run side by side in lanes.
    kept: ['server/src/lib/worker-pool.ts', 'server/src/net/filters/', 'CONTRIBUTING.md', 'docs/security.md'],
  },
  { pattern: /\bisolated\b/i, instead: 'write that its circuit breaker is open' },
  { pattern: /\bdoors?\b/i, instead: 'write "edge", "check" or "store"' },
]

/** Files that list such words as data: this rule, and what an attack on a prompt may say. */
const lists = new Set(['tools/tidy/judge-language.ts', 'server/src/domain/filters/detectors/injection/mention.ts'])

/** Documents, and comments, command-line texts and errors in code speak plain English with an actor. Tests are left out. */
export function judgeLanguage(files: readonly SourceFile[]): Finding[] {
  return files.filter(({ path }) => isJudged(path)).flatMap(judgeFile)
}

function isJudged(path: string): boolean {
  if (lists.has(path)) return false
  if (path.endsWith('.md')) return /^(?:docs\/|\.github\/|[^/]+$)/.test(path)
  return isTypeScript(path) && !isTest(path) && /^(?:server\/src|tools)\//.test(path) && !path.includes('/fixtures/')
}

function judgeFile({ path, text }: SourceFile): Finding[] {
  const lines = text.split('\n')
  const prose = path.endsWith('.md') ? proseOfDocument(lines) : lines.map(proseOfCode)
  return lines.flatMap((content, index) => {
    const found = [...findWords(words, path, content), ...findWords(proseWords, path, prose[index] ?? '')]
    if (found.length === 0 || isAllowed(lines, index + 1)) return []
    return found.map((message) => ({ rule: 'language', path, line: index + 1, message }))
  })
}

function findWords(list: readonly Word[], path: string, content: string): string[] {
  return list.flatMap(({ pattern, instead, kept = [] }) => {
    const found = pattern.exec(content)?.[0]
    return found === undefined || kept.some((start) => path.startsWith(start)) ? [] : [`"${found}": ${instead}`]
  })
}

/** Blocks of code are not prose; nor are the cells of a generated table that hold one word of the code. */
function proseOfDocument(lines: readonly string[]): string[] {
  let isCode = false
  return lines.map((line) => {
    const isFence = line.startsWith('```')
    if (isFence) isCode = !isCode
    return isCode || isFence ? '' : withoutSpans(line).replaceAll(/\| \w+ (?=\|)/g, '')
  })
}

function proseOfCode(line: string): string {
  return withoutSpans(/^\s*(?:\/\/|\/\*\*?|\*)(.*)$/.exec(line)?.[1] ?? / \/\/ (.*)$/.exec(line)?.[1] ?? '')
}

/** Without code spans and the targets of links. */
function withoutSpans(text: string): string {
  return text.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '')
}
