import type { LucideIcon } from 'lucide-react'
import type { Viewed } from './wallet-rights.ts'

export interface NavigationEntry {
  /** Path below `/console`. */
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** Search keywords for the command palette. */
  readonly words: string
  /** Pages that share this entry. The entry is active on each of them. */
  readonly tabs?: readonly { readonly path: string; readonly label: string; readonly words: string }[]
  /** Whether the bottom bar of phones shows it. At most four entries of a scope do. */
  readonly isOnPhones?: true
  /** Without it, every role sees the page. The API rejects other roles. */
  readonly isFor?: (wallet: Viewed) => boolean
}

export interface NavigationGroup {
  /** Null for pages that stand alone. */
  readonly heading: string | null
  /** At most six. */
  readonly entries: readonly NavigationEntry[]
}
