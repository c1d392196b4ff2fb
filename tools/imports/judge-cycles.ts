import type { Finding } from '../lib/finding.ts'
import type { Module } from './read-modules.ts'

/** No file reaches itself through its imports, not even through types. */
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
