import {
  Activity,
  Boxes,
  ChartColumn,
  CircleGauge,
  Clapperboard,
  CreditCard,
  FileText,
  KeyRound,
  Landmark,
  type LucideIcon,
  MessagesSquare,
  Receipt,
  Rocket,
  Scale,
  ScrollText,
  Settings,
  ShieldAlert,
  TicketPercent,
  WalletCards,
  Webhook,
} from 'lucide-react'

export interface NavigationEntry {
  /** Path below `/console`. */
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** Search keywords for the command palette. */
  readonly words: string
  /** Whether the bottom bar of phones shows it. At most five entries do. */
  readonly isOnPhones?: true
}

/** All pages in the navigation. A page adds its row here and its route in `router.tsx`. */
export const navigation: readonly NavigationEntry[] = [
  {
    path: '/',
    label: 'Overview',
    icon: CircleGauge,
    words: 'home balance start',
    isOnPhones: true,
  },
  {
    path: '/start',
    label: 'Get started',
    icon: Rocket,
    words: 'tools sdk openai anthropic claude code codex cursor cline aider base url',
  },
  {
    path: '/playground',
    label: 'Playground',
    icon: MessagesSquare,
    words: 'chat try test compare image speech video prompt',
    isOnPhones: true,
  },
  {
    path: '/models',
    label: 'Models',
    icon: Boxes,
    words: 'catalogue price context provider compare',
  },
  {
    path: '/requests',
    label: 'Requests',
    icon: Activity,
    words: 'generations log history receipt cost',
    isOnPhones: true,
  },
  {
    path: '/usage',
    label: 'Usage',
    icon: ChartColumn,
    words: 'insights spend chart tokens models cost',
  },
  {
    path: '/credits',
    label: 'Credits',
    icon: CreditCard,
    words: 'buy top up pay payment card order code redeem money balance',
  },
  {
    path: '/billing',
    label: 'Billing',
    icon: WalletCards,
    words: 'card payment method auto top up address tax vat company alert',
  },
  {
    path: '/invoices',
    label: 'Invoices',
    icon: FileText,
    words: 'receipt credit note invoice print pdf bill',
  },
  {
    path: '/ledger',
    label: 'Ledger',
    icon: ScrollText,
    words: 'statement transactions balance holds month credits',
  },
  {
    path: '/videos',
    label: 'Videos',
    icon: Clapperboard,
    words: 'films jobs player download',
  },
  {
    path: '/webhooks',
    label: 'Webhooks',
    icon: Webhook,
    words: 'callback deliveries signature verify',
  },
  {
    path: '/keys',
    label: 'API keys',
    icon: KeyRound,
    words: 'api key secret create revoke',
    isOnPhones: true,
  },
  {
    path: '/breaker',
    label: 'Spend breaker',
    icon: ShieldAlert,
    words: 'limit budget minute hour circuit stop',
  },
  {
    path: '/settings',
    label: 'Settings',
    icon: Settings,
    words: 'profile sessions passkeys two-factor second factor password export data delete account',
    isOnPhones: true,
  },
]

/** Operator pages, shown while the tab has an operator key. */
export const operatorNavigation: readonly NavigationEntry[] = [
  { path: '/operator/orders', label: 'All orders', icon: Receipt, words: 'operator refund mismatch dispute payments' },
  { path: '/operator/invoices', label: 'All invoices', icon: FileText, words: 'operator receipt credit note bill' },
  { path: '/operator/codes', label: 'Redemption codes', icon: TicketPercent, words: 'operator campaigns redemption' },
  {
    path: '/operator/transfers',
    label: 'Bank transfers',
    icon: Landmark,
    words: 'operator bank transfer write off debt',
  },
  {
    path: '/operator/books',
    label: 'Reconciliation',
    icon: Scale,
    words: 'operator provider audit compare reconcile books',
  },
]
