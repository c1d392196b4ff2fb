import type { SortBy } from '../preferences.ts'
import { splitShortcuts } from '../split-shortcuts.ts'
import type { AutoTable } from './tiers.ts'

export interface AutoName {
  readonly table: AutoTable
  readonly sort: SortBy | null
  readonly online: boolean
}

/**
 * Parses the names of the auto router; null for all others. They are case-sensitive, and the free one has no shortcuts,
 * because its quota is stored under its name.
 */
export function parseAutoName(name: string): AutoName | null {
  if (name === 'auto:free') return { table: 'free', sort: null, online: false }
  const { id, sort, online } = splitShortcuts(name)
  return id === 'auto' ? { table: 'paid', sort, online } : null
}
