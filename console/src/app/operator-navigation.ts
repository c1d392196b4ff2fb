import {
  Activity,
  Boxes,
  ChartColumn,
  FileText,
  HeartPulse,
  Landmark,
  ListTodo,
  OctagonX,
  Receipt,
  Route,
  Scale,
  ScrollText,
  Server,
  ShieldAlert,
  Tags,
  TicketPercent,
  UserCog,
  UsersRound,
} from 'lucide-react'
import type { NavigationEntry, NavigationGroup } from './navigation-entry.ts'
import { forOperators } from './operator-rights.ts'

const customers: NavigationGroup = {
  heading: 'Customers',
  entries: [
    {
      path: '/operator/customers',
      label: 'Customers',
      icon: UsersRound,
      words: 'operator user organization tenant wallet balance suspend credit note',
      isOnPhones: true,
      isFor: forOperators('operators.customers'),
    },
    {
      path: '/operator/requests',
      label: 'Requests',
      icon: Activity,
      words: 'operator search req gen charged twice failed refused error',
      isOnPhones: true,
      isFor: forOperators('operators.requests'),
    },
    {
      path: '/operator/evidence',
      label: 'Blocked prompts',
      icon: ShieldAlert,
      words: 'operator moderation evidence abuse',
      isFor: forOperators('operators.evidence'),
    },
  ],
}

const health: NavigationGroup = {
  heading: null,
  entries: [
    {
      path: '/operator/health',
      label: 'Health',
      icon: HeartPulse,
      words: 'operator status doctor providers failing circuits queue spool ledger disk database',
      isOnPhones: true,
      isFor: forOperators('operators.health'),
    },
  ],
}

const supply: NavigationGroup = {
  heading: 'Supply',
  entries: [
    {
      path: '/operator/providers',
      label: 'Providers',
      icon: Server,
      words: 'operator upstream account key circuit failing discount traits',
      isFor: forOperators('operators.providers.read'),
    },
    {
      path: '/operator/routes',
      label: 'Routes',
      icon: Route,
      words: 'operator routing explain priority weight pattern',
      isFor: forOperators('operators.routes.read'),
    },
    {
      path: '/operator/catalogue',
      label: 'Catalog',
      icon: Boxes,
      words: 'operator catalogue models prices history offers',
      isFor: forOperators('operators.providers.read'),
    },
    {
      path: '/operator/prices',
      label: 'Prices',
      icon: Tags,
      words: 'operator plan import approve undo reject catalogue changes',
      isFor: forOperators('operators.providers.read'),
    },
    {
      path: '/operator/jobs',
      label: 'Jobs',
      icon: ListTodo,
      words: 'operator workers videos webhooks emails event sinks queue failed',
      isFor: forOperators('operators.jobs.read'),
    },
  ],
}

/** The pages of Orders share a head with tabs. */
export const orderTabs = [
  { path: '/operator/orders', label: 'Orders', words: 'operator refund mismatch payments' },
  {
    path: '/operator/disputes',
    label: 'Disputes',
    words: 'operator chargeback inquiry bank evidence deadline',
  },
] as const satisfies NavigationEntry['tabs']

/** The pages of Revenue share a head with tabs. */
export const revenueTabs = [
  { path: '/operator/revenue', label: 'Revenue', words: 'operator earnings margin profit provider cost month' },
  {
    path: '/operator/accounting',
    label: 'Accounting',
    words: 'operator journal close month vat tax report double entry',
  },
] as const satisfies NavigationEntry['tabs']

const money: NavigationGroup = {
  heading: 'Money',
  entries: [
    {
      path: '/operator/revenue',
      label: 'Revenue',
      icon: ChartColumn,
      words: 'operator earnings margin profit',
      tabs: revenueTabs,
      isFor: forOperators('operators.payments.read'),
    },
    {
      path: '/operator/orders',
      label: 'Orders',
      icon: Receipt,
      words: 'operator refund mismatch dispute payments',
      tabs: orderTabs,
      isOnPhones: true,
      isFor: forOperators('operators.payments.read'),
    },
    {
      path: '/operator/invoices',
      label: 'Invoices',
      icon: FileText,
      words: 'operator receipt credit note bill',
      isFor: forOperators('operators.payments.read'),
    },
    {
      path: '/operator/codes',
      label: 'Codes',
      icon: TicketPercent,
      words: 'operator campaigns redemption',
      isFor: forOperators('operators.codes.read'),
    },
    {
      path: '/operator/transfers',
      label: 'Transfers',
      icon: Landmark,
      words: 'operator bank transfer write off debt',
      isFor: forOperators('operators.credit'),
    },
    {
      path: '/operator/books',
      label: 'Reconciliation',
      icon: Scale,
      words: 'operator provider audit compare reconcile reconciliation',
      isFor: forOperators('operators.payments.read'),
    },
  ],
}

const platform: NavigationGroup = {
  heading: 'Platform',
  entries: [
    {
      path: '/operator/operators',
      label: 'Operators',
      icon: UserCog,
      words: 'operator people roles owner support finance keys machines add remove',
      isFor: forOperators('operators.people'),
    },
    {
      path: '/operator/audit-log',
      label: 'Audit log',
      icon: ScrollText,
      words: 'operator history actor change price',
      isFor: forOperators('operators.audit'),
    },
    {
      path: '/operator/brake',
      label: 'Emergency brake',
      icon: OctagonX,
      words: 'operator kill switch stop all requests incident',
      isFor: forOperators('operators.brake.read'),
    },
  ],
}

/** The pages of the operator's scope. */
export const operatorNavigation: readonly NavigationGroup[] = [health, customers, supply, money, platform]
