import {
  Activity,
  Boxes,
  Cable,
  ChartColumn,
  CircleGauge,
  Clapperboard,
  Contact,
  Filter,
  FingerprintPattern,
  GraduationCap,
  KeyRound,
  ListChecks,
  MessagesSquare,
  Network,
  RefreshCw,
  Rocket,
  ScrollText,
  Settings,
  ShieldAlert,
  Table2,
  UserCog,
  Users,
  WalletCards,
  Webhook,
  Waypoints,
} from 'lucide-react'
import type { NavigationEntry, NavigationGroup } from './navigation-entry.ts'
import { operatorNavigation } from './operator-navigation.ts'
import {
  forRoles,
  mayChangeKeys,
  seesBooks,
  seesBudgets,
  seesCustomers,
  seesKeys,
  type Viewed,
} from './wallet-rights.ts'

/** Whose pages are shown: the person's, an organization's, or those of the whole installation. */
export type ScopeKind = Viewed['kind'] | 'operator'

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
      path: '/customers',
      label: 'Customers',
      icon: Contact,
      words: 'end users tenants accounts spend limit suspend resume x-weir-customer',
      isFor: seesCustomers,
    },
    {
      path: '/runs',
      label: 'Runs',
      icon: Waypoints,
      words: 'agents loops budget stop tree x-weir-run',
      isFor: seesCustomers,
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

/** The pages of Members share a head with tabs. */
export const peopleTabs = [
  { path: '/members', label: 'Members', words: 'people users roles add remove budget' },
  { path: '/invitations', label: 'Invitations', words: 'invite email link pending resend revoke' },
  { path: '/import', label: 'Import', words: 'csv file upload bulk people' },
] as const satisfies NavigationEntry['tabs']

const people: NavigationGroup = {
  heading: 'People',
  entries: [
    {
      path: '/members',
      label: 'Members',
      icon: Users,
      words: 'people users',
      tabs: peopleTabs,
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
    {
      path: '/sign-on',
      label: 'Single sign-on',
      icon: FingerprintPattern,
      words: 'sso single sign-on oidc openid saml identity provider okta entra google domain verify groups',
      isFor: forRoles('signOn.manage'),
    },
    {
      path: '/provisioning',
      label: 'Provisioning',
      icon: RefreshCw,
      words: 'scim directory entra okta sync token groups deprovision',
      isFor: forRoles('provisioning.manage'),
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

/** All pages in the navigation by scope. A page adds its row here and its route in `router.tsx`. */
const navigation: Readonly<Record<ScopeKind, readonly NavigationGroup[]>> = {
  person: [overview, build, observe, billing, { heading: 'Limits', entries: [breaker] }],
  organization: [overview, people, controls, build, observeOrganization, billingAndSettings],
  operator: operatorNavigation,
}

/** The groups of a scope with the pages that the role may see. */
export function navigationOf(scope: ScopeKind, wallet: Viewed): readonly NavigationGroup[] {
  return navigation[scope]
    .map(({ heading, entries }) => ({ heading, entries: entries.filter(({ isFor }) => isFor?.(wallet) ?? true) }))
    .filter(({ entries }) => entries.length > 0)
}

/** The entry of a page that other roles of the scope may see, but not this one. */
export function entryOfOthers(scope: ScopeKind, wallet: Viewed, pathname: string): NavigationEntry | undefined {
  const entries = navigation[scope].flatMap((group) => group.entries)
  return entries.find((entry) => isActive(entry, pathname) && entry.isFor?.(wallet) === false)
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
