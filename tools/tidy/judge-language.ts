import type { Finding } from '../lib/finding.ts'
import { isTest, isTypeScript, type SourceFile } from '../lib/source-file.ts'
import { isAllowed } from './is-allowed.ts'

/**
 * Words that hide who does something, or that the field calls otherwise. Each says what to write instead. A word that stands alone in
 * quotes is a value of the code and not a text.
 */
const words = [
  { pattern: /\bwhoever\b/i, instead: 'name the actor: the client, the gateway, the worker, the operator' },
  { pattern: /(?<!['"`](?=nobody['"`]))\bnobody\b/i, instead: 'name the actor: no client, no worker, no provider' },
  { pattern: /\bsomebody\b/i, instead: 'name the actor: a client, a person, an operator' },
  { pattern: /\bcan not\b/i, instead: 'write "cannot"' },
  { pattern: /\bimage hosts?\b/i, instead: 'write "image publisher"' },
  { pattern: /\bnumber of a claim\b/i, instead: 'write "fencing token"' },
] as const

/** Files that list such words as data: this rule, and what an attack on a prompt may say. */
const lists = new Set(['tools/tidy/judge-language.ts', 'server/src/domain/filters/detectors/injection/mention.ts'])

/** Folders whose texts still have to be rewritten. */
const open = [
  'server/src/bin/',
  'server/src/control/',
  'server/src/pipeline/',
  'server/src/providers/',
  'server/src/store/',
]

/** Documents, and comments, command-line texts and errors in code speak plain English with an actor. Tests are left out. */
export function judgeLanguage(files: readonly SourceFile[]): Finding[] {
  return files.filter(({ path }) => isJudged(path)).flatMap(judgeFile)
}

function isJudged(path: string): boolean {
  if (lists.has(path) || open.some((folder) => path.startsWith(folder))) return false
  if (path.endsWith('.md')) return /^(?:docs\/|\.github\/|[^/]+$)/.test(path)
  return isTypeScript(path) && !isTest(path) && /^(?:server\/src|tools)\//.test(path) && !path.includes('/fixtures/')
}

function judgeFile({ path, text }: SourceFile): Finding[] {
  const lines = text.split('\n')
  return lines.flatMap((content, index) =>
    words.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(content)?.[0]
      if (found === undefined || isAllowed(lines, index + 1)) return []
      return [{ rule: 'language', path, line: index + 1, message: `"${found}": ${instead}` }]
    }),
  )
}
