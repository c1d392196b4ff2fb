import type { Finding } from '../lib/finding.ts'
import type { Module } from './read-modules.ts'

/** Every relative or alias import leads to a file; an import of a missing file would escape all other rules. */
export function judgeResolution(modules: readonly Module[]): Finding[] {
  return modules.flatMap(({ path, imports }) =>
    imports
      .filter(({ exists }) => !exists)
      .map(({ specifier, line }) => ({ rule: 'missing', path, line, message: `${specifier} leads to no file` })),
  )
}
