import { Activity, ChartColumn, CircleGauge, type LucideIcon, KeyRound, ScrollText, Settings } from 'lucide-react'

/** Who sees an entry: everybody with an account, or people who look at the wallet of an organization. */
export type Audience = 'person' | 'organization'

export interface NavigationEntry {
  /** Below `/console`. */
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  readonly audience: Audience
  /** Words that the command palette finds it by. */
  readonly words: string
  /** Whether it stands in the bottom bar of phones; at most five do. */
  readonly isOnPhones?: true
}

/** The one table of pages that can be navigated to. A page adds its row here and its route in `router.tsx`. */
export const navigation: readonly NavigationEntry[] = [
  {
    path: '/',
    label: 'Overview',
    icon: CircleGauge,
    audience: 'person',
    words: 'home balance start',
    isOnPhones: true,
  },
  {
    path: '/requests',
    label: 'Requests',
    icon: Activity,
    audience: 'person',
    words: 'generations log history receipt cost',
    isOnPhones: true,
  },
  {
    path: '/usage',
    label: 'Usage',
    icon: ChartColumn,
    audience: 'person',
    words: 'insights spend chart tokens models cost',
  },
  {
    path: '/ledger',
    label: 'Ledger',
    icon: ScrollText,
    audience: 'person',
    words: 'statement transactions balance holds month credits',
  },
  {
    path: '/keys',
    label: 'Keys',
    icon: KeyRound,
    audience: 'person',
    words: 'api key secret create revoke',
    isOnPhones: true,
  },
  {
    path: '/settings',
    label: 'Settings',
    icon: Settings,
    audience: 'person',
    words: 'profile sessions passkeys second factor password',
    isOnPhones: true,
  },
]

/** The entries that somebody sees who looks at this wallet. */
export function entriesFor(wallet: { readonly kind: Audience }): readonly NavigationEntry[] {
  return navigation.filter(({ audience }) => audience === 'person' || audience === wallet.kind)
}
