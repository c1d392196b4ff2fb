import { Instrumenter } from '@stryker-mutator/instrumenter'
import type { SourceFile } from '../lib/source-file.ts'
import { cutLine } from './lib/cut-line.ts'

/** Inserts all mutants into the files, each behind a switch. */
export async function instrument(files: readonly SourceFile[]): Promise<Instrumented> {
  const inputs = files.map(({ path, text }) => ({ name: path, content: text, mutate: true }))
  const { files: outputs, mutants } = await new Instrumenter(silent).instrument(inputs, {
    plugins: null,
    ignorers: [],
    excludedMutations: [],
  })
  const sources = new Map(files.map(({ path, text }) => [path, text.split('\n')]))
  return {
    files: outputs.map(({ name, content }) => ({ path: name, text: content })),
    mutants: numberAlike(
      mutants.map(({ id, fileName, mutatorName, replacement, location: { start, end } }) => {
        const lines = sources.get(fileName) ?? []
        // Stryker counts lines from 0.
        return {
          id,
          path: fileName,
          line: start.line + 1,
          place: cutLine(lines[start.line] ?? ''),
          kind: mutatorName,
          original: textBetween(lines, start, end),
          replacement,
        }
      }),
    ),
  }
}

/** Numbers mutants with the same texts on lines with the same text: `#2` is the second in the file. */
function numberAlike(mutants: readonly Mutant[]): Mutant[] {
  const counts = new Map<string, number>()
  return mutants.map((mutant) => {
    const key = [mutant.path, mutant.place, cutLine(mutant.original), cutLine(mutant.replacement)].join('\t')
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 ? mutant : { ...mutant, place: `${mutant.place} #${count}` }
  })
}

interface Instrumented {
  readonly files: readonly SourceFile[]
  readonly mutants: readonly Mutant[]
}

export interface Mutant {
  readonly id: string
  readonly path: string
  readonly line: number
  /** Text of the line, which stays the same when lines above it change. */
  readonly place: string
  /** Name of the mutation rule, such as `EqualityOperator`. */
  readonly kind: string
  readonly original: string
  readonly replacement: string
}

type Position = { readonly line: number; readonly column: number }

function textBetween(lines: readonly string[], start: Position, end: Position): string {
  const chosen = lines.slice(start.line, end.line + 1)
  const last = chosen.length - 1
  return chosen
    .map((line, at) => line.slice(at === 0 ? start.column : 0, at === last ? end.column : undefined).trim())
    .join(' ')
}

const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
}
