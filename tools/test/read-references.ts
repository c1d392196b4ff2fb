import { posix } from 'node:path'
import { hasSequence } from '../lib/has-sequence.ts'
import { readImports } from '../lib/read-imports.ts'
import { type Aliases, resolveSpecifier } from '../lib/resolve-specifier.ts'
import type { Token } from '../lib/tokenize.ts'

/**
 * The paths that a module needs at run time, from the repository's root: the modules it imports, and the files and
 * folders it reads or starts by relative location, `new URL('x', import.meta.url)` and `join(import.meta.dirname,
 * 'x')`. A folder stands for all files below it, and the empty path for the whole repository.
 */
export function readReferences(tokens: readonly Token[], path: string, aliases: Aliases): string[] {
  const imported = readImports(tokens)
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .flatMap(({ specifier }) => resolveSpecifier(specifier, path, aliases) ?? [])
  const placed = tokens.flatMap((_, at) =>
    hasSequence(tokens, at, ['import', '.', 'meta', '.']) ? [resolveBeside(path, nameAt(tokens, at))] : [],
  )
  return [...new Set([...imported, ...placed])]
}

/** The path with which an `import.meta` is joined. Without one, the module may use anything in its folder. */
function nameAt(tokens: readonly Token[], at: number): string {
  return nameInUrl(tokens, at) ?? namesInJoin(tokens, at + 5).join('/')
}

/** `new URL('x', import.meta.url)`. For a template, only the folders before its first expression are known. */
function nameInUrl(tokens: readonly Token[], at: number): string | undefined {
  const tokensMax = 16
  for (let start = at - 5; start >= 0 && start > at - tokensMax; start -= 1) {
    if (!hasSequence(tokens, start, ['new', 'URL', '('])) continue
    const name = textAt(tokens, start + 3)
    return tokens[start + 4]?.text === ',' ? name : name?.replace(/[^/]*$/, '')
  }
  return undefined
}

function namesInJoin(tokens: readonly Token[], start: number): string[] {
  const name = hasSequence(tokens, start, [',']) ? textAt(tokens, start + 1) : undefined
  return name === undefined ? [] : [name, ...namesInJoin(tokens, start + 2)]
}

function textAt(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at]
  return token?.kind === 'string' || token?.kind === 'template' ? token.text : undefined
}

function resolveBeside(path: string, name: string): string {
  const place = posix.normalize(posix.join(posix.dirname(path), name)).replace(/\/$/, '')
  return place === '.' ? '' : place
}
