import type { Finding } from '../lib/finding.ts'
import { childOf } from './child-of.ts'
import { type Module, sourceFolder } from './read-modules.ts'

/** Folders whose subfolders import each other in one direction only. */
const ordered: readonly string[] = [`${sourceFolder}store/postgres/`]

/** No file imports itself, directly or through other files or types. */
export function judgeCycles(modules: readonly Module[]): Finding[] {
  const graph = new Map(
    modules.map(({ path, imports }) => [path, imports.flatMap(({ target }) => (target === undefined ? [] : [target]))]),
  )
  return findCycles(graph).map((cycle) => ({
    rule: 'cycle',
    path: cycle[0] ?? '',
    message: [...cycle, cycle[0]].join(' → '),
  }))
}

/** The same for whole folders: if payments import wallets, then wallets import no file of payments. */
export function judgeFolderCycles(modules: readonly Module[]): Finding[] {
  return ordered.flatMap((parent) => {
    const graph = new Map<string, string[]>()
    for (const { path, imports } of modules) {
      const from = childOf(parent, path)
      if (from === undefined) continue
      const targets = imports.flatMap(({ target }) => childOf(parent, target ?? '') ?? [])
      graph.set(from, [...(graph.get(from) ?? []), ...targets.filter((to) => to !== from)])
    }
    const withoutRepeats = [...graph].map(([from, targets]) => [from, [...new Set(targets)]] as const)
    return findCycles(new Map(withoutRepeats)).map((cycle) => ({
      rule: 'folder-cycle',
      path: `${parent}${cycle[0]}/`,
      message: [...cycle, cycle[0]].join(' → '),
    }))
  })
}

/**
 * Walks the graph depth first. A file is `open` while the walk is below it and `done` after; an import of an open file
 * closes a cycle. Each such import is one finding, so all cycles are gone once there are none.
 */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const state = new Map<string, 'open' | 'done'>()
  const trail: string[] = []
  const cycles: string[][] = []

  const visit = (path: string) => {
    state.set(path, 'open')
    trail.push(path)
    for (const target of graph.get(path) ?? []) {
      if (state.get(target) === 'open') cycles.push(trail.slice(trail.indexOf(target)))
      else if (graph.has(target) && !state.has(target)) visit(target)
    }
    trail.pop()
    state.set(path, 'done')
  }

  for (const path of graph.keys()) if (!state.has(path)) visit(path)
  return cycles
}
