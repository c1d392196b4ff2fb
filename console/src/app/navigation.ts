import {
  Activity,
  Boxes,
  Cable,
  ChartColumn,
  CircleGauge,
  Clapperboard,
  FileText,
  Filter,
  GraduationCap,
  KeyRound,
  Landmark,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  Network,
  Receipt,
  Rocket,
  Scale,
  ScrollText,
  Settings,
  ShieldAlert,
  Table2,
  TicketPercent,
  UserCog,
  Users,
  WalletCards,
  Webhook,
} from 'lucide-react'
import { forRoles, mayChangeKeys, seesBooks, seesBudgets, seesKeys, type Viewed } from './wallet-rights.ts'

/** Whose pages are shown: the person's, an organization's, or those of the whole installation. */
export type ScopeKind = Viewed['kind'] | 'operator'

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

const overview: NavigationGroup = {
  heading: null,
  entries: [{ path: '/', label: 'Overview', icon: CircleGauge, words: 'home balance start', isOnPhones: true }],
}

const build: NavigationGroup = {
  heading: 'Build',
  entries: [
    {
      path: '/playground',
      label: 'Playground',
      icon: MessagesSquare,
      words: 'chat try test compare image speech video prompt',
      isOnPhones: true,
      isFor: mayChangeKeys,
    },
    {
      path: '/models',
      label: 'Models',
      icon: Boxes,
      words: 'catalogue price context provider compare',
    },
    {
      path: '/keys',
      label: 'API keys',
      icon: KeyRound,
      words: 'api key secret create revoke',
      isOnPhones: true,
      isFor: seesKeys,
    },
    {
      path: '/start',
      label: 'Get started',
      icon: Rocket,
      words: 'tools sdk openai anthropic claude code codex cursor cline aider base url',
    },
  ],
}

const observe: NavigationGroup = {
  heading: 'Observe',
  entries: [
    {
      path: '/requests',
      label: 'Requests',
      icon: Activity,
      words: 'generations log history receipt cost',
      isOnPhones: true,
    },
    { path: '/usage', label: 'Usage', icon: ChartColumn, words: 'insights spend chart tokens models cost' },
    { path: '/videos', label: 'Videos', icon: Clapperboard, words: 'films jobs player download' },
    { path: '/webhooks', label: 'Webhooks', icon: Webhook, words: 'callback deliveries signature verify' },
  ],
}

const observeOrganization: NavigationGroup = {
  heading: 'Observe',
  entries: [
    ...observe.entries,
    {
      path: '/reports',
      label: 'Reports',
      icon: Table2,
      words: 'month spend person team model cost center csv print export',
      isFor: forRoles('reports.read'),
    },
    {
      path: '/audit',
      label: 'Audit log',
      icon: ScrollText,
      words: 'history changes who actor verify hash export compliance',
      isFor: forRoles('audit.read'),
    },
  ],
}

/** The pages of Billing share a head with tabs. */
export const billingTabs = [
  {
    path: '/credits',
    label: 'Credits',
    words: 'buy top up pay payment card order code redeem money balance',
  },
  {
    path: '/billing',
    label: 'Payment',
    words: 'card payment method auto top up address tax vat company alert',
  },
  { path: '/invoices', label: 'Invoices', words: 'receipt credit note invoice print pdf bill' },
  { path: '/ledger', label: 'Ledger', words: 'statement transactions balance holds month credits' },
] as const satisfies NavigationEntry['tabs']

const billing: NavigationGroup = {
  heading: null,
  entries: [
    {
      path: '/credits',
      label: 'Billing',
      icon: WalletCards,
      words: 'money',
      tabs: billingTabs,
      isFor: seesBooks,
    },
  ],
}

const breaker: NavigationEntry = {
  path: '/breaker',
  label: 'Spend breaker',
  icon: ShieldAlert,
  words: 'limit budget minute hour circuit stop',
}

const people: NavigationGroup = {
  heading: 'People',
  entries: [
    {
      path: '/members',
      label: 'Members',
      icon: Users,
      words: 'people users roles add invite remove budget',
      isFor: forRoles('members.read'),
    },
    {
      path: '/teams',
      label: 'Teams',
      icon: Network,
      words: 'groups departments cost center budget',
      isFor: forRoles('teams.read'),
    },
    {
      path: '/roles',
      label: 'Roles',
      icon: UserCog,
      words: 'rights permissions access matrix admin viewer',
      isFor: forRoles('members.read'),
    },
  ],
}

/** The terms of an organization stand beside its bill. */
const billingAndSettings: NavigationGroup = {
  heading: null,
  entries: [
    ...billing.entries,
    {
      path: '/organization',
      label: 'Organization settings',
      icon: Settings,
      words: 'name slug seats plan billing mode',
      isFor: forRoles('organization.read'),
    },
  ],
}

/** What an organization forbids, limits and supplies. */
const controls: NavigationGroup = {
  heading: 'Controls',
  entries: [
    {
      path: '/budgets',
      label: 'Budgets',
      icon: ShieldAlert,
      words: 'limit spend breaker weekly monthly held minute hour circuit stop',
      isFor: seesBudgets,
    },
    {
      path: '/allowed-models',
      label: 'Allowed models',
      icon: ListChecks,
      words: 'allow list block restrict providers layers',
      isFor: forRoles('allowedModels.read'),
    },
    {
      path: '/filters',
      label: 'Content filters',
      icon: Filter,
      words: 'rules block redact flag personal data regex keyword prompt injection',
      isFor: forRoles('filters.manage'),
    },
    {
      path: '/own-keys',
      label: 'Own keys',
      icon: Cable,
      words: 'byok bring your own provider upstream account secret health',
      isFor: forRoles('organization.ownKeys'),
    },
    {
      path: '/institutions',
      label: 'Institution keys',
      icon: GraduationCap,
      words: 'campus university school library students code email sessions edu',
      isFor: forRoles('institutions.manage'),
    },
  ],
}

const operator: NavigationGroup = {
  heading: null,
  entries: [
    {
      path: '/operator/orders',
      label: 'All orders',
      icon: Receipt,
      words: 'operator refund mismatch dispute payments',
      isOnPhones: true,
    },
    {
      path: '/operator/invoices',
      label: 'All invoices',
      icon: FileText,
      words: 'operator receipt credit note bill',
      isOnPhones: true,
    },
    {
      path: '/operator/codes',
      label: 'Redemption codes',
      icon: TicketPercent,
      words: 'operator campaigns redemption',
    },
    {
      path: '/operator/transfers',
      label: 'Bank transfers',
      icon: Landmark,
      words: 'operator bank transfer write off debt',
      isOnPhones: true,
    },
    {
      path: '/operator/books',
      label: 'Reconciliation',
      icon: Scale,
      words: 'operator provider audit compare reconcile books',
    },
  ],
}

/** All pages in the navigation by scope. A page adds its row here and its route in `router.tsx`. */
const navigation: Readonly<Record<ScopeKind, readonly NavigationGroup[]>> = {
  person: [overview, build, observe, billing, { heading: 'Limits', entries: [breaker] }],
  organization: [overview, people, controls, build, observeOrganization, billingAndSettings],
  operator: [operator],
}

/** The groups of a scope with the pages that the role may see. */
export function navigationOf(scope: ScopeKind, wallet: Viewed): readonly NavigationGroup[] {
  return navigation[scope]
    .map(({ heading, entries }) => ({ heading, entries: entries.filter(({ isFor }) => isFor?.(wallet) ?? true) }))
    .filter(({ entries }) => entries.length > 0)
}

/** Whether the entry leads to the page of this path, or to one of its objects. */
export function isActive({ path, tabs }: Pick<NavigationEntry, 'path' | 'tabs'>, pathname: string): boolean {
  if (tabs !== undefined) return tabs.some((tab) => isActive({ path: tab.path }, pathname))
  return pathname === path || (path !== '/' && pathname.startsWith(`${path}/`))
}

/** The list behind a path, if the groups have it, or else their first page. */
export function pathWithin(groups: readonly NavigationGroup[], pathname: string): string {
  const entries = groups.flatMap((group) => group.entries)
  const pages = entries.flatMap(({ path, tabs }): readonly { readonly path: string }[] => tabs ?? [{ path }])
  return pages.find((page) => isActive(page, pathname))?.path ?? entries[0]?.path ?? '/'
}
