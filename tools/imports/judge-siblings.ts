import type { Finding } from '../lib/finding.ts'
import { childOf } from './child-of.ts'
import { type Module, sourceFolder } from './read-modules.ts'

/** Folders whose subfolders do not import each other. */
const families = [{ parent: `${sourceFolder}providers/vendors/`, member: 'vendor' }] as const satisfies readonly {
  parent: string
  member: string
}[]

/** A vendor imports no other vendor; shared code is above them. */
export function judgeSiblings(modules: readonly Module[]): Finding[] {
  return families.flatMap(({ parent, member }) =>
    modules.flatMap(({ path, imports }) => {
      const from = childOf(parent, path)
      if (from === undefined) return []
      return imports.flatMap(({ target, line }) => {
        const to = target === undefined ? undefined : childOf(parent, target)
        if (to === undefined || to === from) return []
        return [{ rule: member, path, line, message: `the ${member} ${from} imports the ${member} ${to}` }]
      })
    }),
  )
}
