import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ProviderState } from './provider-state.ts'

const maps = ['customers', 'methods', 'sessions', 'payments', 'charges', 'refunds', 'disputes'] as const
const lists = ['lines', 'events'] as const

type Saved = Readonly<Record<(typeof maps)[number] | (typeof lists)[number], readonly { readonly id: string }[]>>

/** Saves a provider's state for its next start. */
export function saveState(path: string, state: ProviderState): void {
  const things = [...maps.map((name) => [name, [...state[name].values()]]), ...lists.map((name) => [name, state[name]])]
  writeFileSync(path, JSON.stringify(Object.fromEntries(things)))
}

/** Open payment pages have the address of the stopped provider, so they have expired. */
export function restoreState(path: string, state: ProviderState): void {
  if (!existsSync(path)) return
  const saved: Saved = JSON.parse(readFileSync(path, 'utf8'))
  for (const name of maps) {
    const known: Map<string, object> = state[name]
    for (const thing of saved[name]) known.set(thing.id, thing)
  }
  for (const name of lists) {
    const known: object[] = state[name]
    known.push(...saved[name])
  }
  for (const { id, status } of state.sessions.values()) if (status === 'open') state.expire(id)
}
