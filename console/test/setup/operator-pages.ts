/**
 * What the pages of operators offer: the operation behind each button and link, which `server/test/oracle/access.tsv`
 * allows to some roles. Pages without a read of their own name the operation that they need.
 */
export interface OperatorPage {
  readonly needs?: string
  readonly buttons?: Readonly<Record<string, string>>
}

export const operatorPages: Readonly<Record<string, OperatorPage>> = {
  '/operators': { buttons: { 'Add operator': 'POST /api/admin/operators' } },
  '/audit-log': { buttons: { 'Export CSV': 'GET /api/admin/audit-log/export' } },
  '/brake': { buttons: { 'Stop all requests…': 'PUT /api/admin/brake' } },
  '/providers': { buttons: { 'Add account': 'POST /api/admin/providers' } },
  '/routes': { buttons: { 'Add route': 'POST /api/admin/routes' } },
  '/prices': { buttons: { 'Plan from file…': 'POST /api/admin/catalogue/plan' } },
  '/codes': { buttons: { 'Create codes': 'POST /api/admin/redemption-campaigns' } },
  '/transfers': {
    needs: 'POST /api/admin/wallets/{walletRef}/transfers',
    buttons: {
      'Record transfer': 'POST /api/admin/wallets/{walletRef}/transfers',
      'Write off…': 'POST /api/admin/wallets/{walletRef}/write-off',
    },
  },
}

/** The buttons of pages of one customer, order or month, which no navigation has. */
export const objectButtons = {
  customer: {
    'View as this customer…': 'POST /api/admin/users/{userRef}/view',
    'Add credit…': 'POST /api/admin/wallets/{walletRef}/credit',
    'Suspend…': 'POST /api/admin/users/{userRef}/suspend',
    'Add note': 'POST /api/admin/customers/{customerRef}/notes',
    Requests: 'GET /api/admin/requests',
    'Audit log': 'GET /api/admin/audit-log',
    Statement: 'GET /api/admin/wallets/{walletRef}/statement',
  },
  account: {
    'Replace key…': 'PUT /api/admin/providers/{accountName}/key',
    'Edit…': 'PATCH /api/admin/providers/{accountName}',
    'Disable…': 'PATCH /api/admin/providers/{accountName}',
  },
  order: { 'Refund…': 'POST /api/admin/top-ups/{topUpId}/refund' },
  month: { 'Close month…': 'POST /api/admin/accounting/{month}/close' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>
