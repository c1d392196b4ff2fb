import type { SortBy } from '../preferences.ts'
import { splitShortcuts } from '../split-shortcuts.ts'
import type { AutoTable } from './tiers.ts'

export interface AutoName {
  readonly table: AutoTable
  readonly sort: SortBy | null
  readonly online: boolean
}

/**
 * Reads the names that leave the choice of a model to us; null for all others. They are written in lower case only, and
 * the free one without shortcuts: its quota is known by its name.
 */
export function parseAutoName(name: string): AutoName | null {
  if (name === 'auto:free') return { table: 'free', sort: null, online: false }
  const { id, sort, online } = splitShortcuts(name)
  return id === 'auto' ? { table: 'paid', sort, online } : null
}
