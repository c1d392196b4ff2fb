import type { Fault } from './fault.ts'

const refundTopUp = 'server/src/control/payments/refund-top-up.ts'
const alerts = 'server/src/store/postgres/alerts/alerts.sql.ts'
const videoUsage = 'server/src/domain/video/video-usage.ts'
const walletRights = 'console/src/app/wallet-rights.ts'

const moneyBack = ['server/test/payments/money-back.test.ts']
const alertTests = ['server/test/payments/alerts.test.ts']
const videoTests = ['server/src/domain/video/video-usage.test.ts']
const rightsTests = ['console/src/app/wallet-rights.test.ts']
const commandLine = ['server/test/operators/command-line.alone.test.ts']

/** Faults in payments, videos, usage, the console and the command line. */
export const accountFaults: readonly Fault[] = [
  {
    id: 'P05',
    what: 'money that is disputed can be refunded once more',
    file: refundTopUp,
    find: 'sums.paid - (sums.refunded - sums.returned) - (sums.withdrawn - sums.reinstated)',
    replace: 'sums.paid - (sums.refunded - sums.returned)',
    tests: moneyBack,
    alsoTogether: true,
  },
  {
    id: 'P06',
    what: 'credit that running requests hold can be refunded',
    file: refundTopUp,
    find: 'wallet === null ? 0n : wallet.balance - wallet.held',
    replace: 'wallet === null ? 0n : wallet.balance',
    tests: moneyBack,
    alsoTogether: true,
  },
  {
    id: 'P08',
    what: 'the tax rate of local currencies comes before that of a country',
    file: 'server/src/domain/billing/tax-rates.ts',
    find: "exact ?? rates.get(country) ?? (channel === 'local' ? localPercent : 0)",
    replace: "exact ?? (channel === 'local' ? localPercent : (rates.get(country) ?? 0))",
    tests: ['server/src/domain/billing/tax-rates.test.ts'],
    alsoTogether: true,
  },
  {
    id: 'P09',
    what: 'an order is lost while another dispute of it is open',
    file: 'server/src/domain/payments/judge-payment.ts',
    find: "  if (sums.withdrawn > sums.reinstated + sums.lost) return 'disputed'\n  if (sums.lost > 0n) return 'lost'",
    replace:
      "  if (sums.lost > 0n) return 'lost'\n  if (sums.withdrawn > sums.reinstated + sums.lost) return 'disputed'",
    tests: ['server/src/domain/payments/judge-payment.test.ts'],
    alsoTogether: true,
  },
  {
    id: 'P11',
    what: 'a member who leaves a team for none keeps its keys',
    file: 'server/src/control/organizations/change-member.ts',
    find: 'before.teamId === null || before.teamId === after.teamId',
    replace: 'before.teamId === null || after.teamId === null || before.teamId === after.teamId',
    tests: ['server/test/organizations/members.test.ts'],
    alsoTogether: true,
  },
  {
    id: 'P20',
    what: 'the hold of a video leaves out the tokens of its input video',
    file: videoUsage,
    find: 'task.durationS + (task.inputVideo?.durationMs ?? 0) / 1_000',
    replace: 'task.durationS',
    tests: videoTests,
    alsoTogether: true,
  },
  {
    id: 'P21',
    what: 'videos of a failed job are kept as long as those of a completed one',
    file: 'server/src/jobs/video/move-job.ts',
    find: "return status === 'completed' ? endedAtMs + keepMs : endedAtMs",
    replace: 'return endedAtMs + keepMs',
    tests: ['server/src/jobs/video/record-of-job.test.ts'],
    alsoTogether: true,
  },
  {
    id: 'P24',
    what: 'tokens of input images are missing from the sums of usage',
    file: 'server/src/store/postgres/usage/generation-sums.ts',
    find: "\n      + coalesce((media->>'inputImageTokens')::bigint, 0))::bigint",
    replace: ')::bigint',
    tests: ['server/test/usage/summed-columns.test.ts'],
    alsoTogether: true,
  },
  {
    id: 'P27',
    what: 'the console shows a team_admin the books of the organization',
    file: walletRights,
    find: "wallet.kind === 'person' || mayAct(wallet, 'organization.read')",
    replace: "wallet.kind === 'person' || mayAct(wallet, 'organization.keys.read')",
    tests: rightsTests,
    alsoTogether: true,
  },
  {
    id: 'P28',
    what: 'the console shows a small debt as a small credit',
    file: 'console/src/lib/money.ts',
    find: '`${sign}<$0.01`',
    replace: '`<$0.01`',
    tests: ['console/src/lib/money.test.ts'],
    alsoTogether: true,
  },
  {
    id: 'P30',
    what: '`weir key list` leaves out revoked keys',
    file: 'server/src/bin/commands/key.ts',
    find: 'withRevoked: true',
    replace: 'withRevoked: false',
    tests: commandLine,
    alsoTogether: true,
  },
  {
    id: 'Q01',
    what: 'an invoice that is paid by card can be paid again by transfer',
    file: 'server/src/control/payments/book-transfer.ts',
    find: "[invoice.paidAtMs !== null && !invoice.hasTransfer, 'is already paid']",
    replace: "[false, 'is already paid']",
    tests: ['server/test/payments/monthly-invoices.test.ts'],
    alsoTogether: true,
  },
  {
    id: 'Q02',
    what: 'alerts of a low balance forget the credit line',
    file: alerts,
    find: '(w.balance_nano + w.credit_line_nano - w.customers_nano)::text AS balance',
    replace: '(w.balance_nano - w.customers_nano)::text AS balance',
    tests: alertTests,
    alsoTogether: true,
  },
  {
    id: 'Q03',
    what: 'alerts tell of limits of revoked keys',
    file: alerts,
    find: 'k.wallet_id = $1 AND k.revoked_at IS NULL AND k.spend_limit_nano',
    replace: 'k.wallet_id = $1 AND k.spend_limit_nano',
    tests: alertTests,
    alsoTogether: true,
  },
  {
    id: 'Q09',
    what: '`weir wallet show` shows what was charged as what was credited',
    file: 'server/src/bin/commands/wallet.ts',
    find: 'credited: formatUsd(wallet.credited)',
    replace: 'credited: formatUsd(wallet.charged)',
    tests: commandLine,
    // The commands have a single test, which ends at its first failure.
    alsoTogether: false,
  },
  {
    id: 'Q11',
    what: 'the console offers disputed money for a refund',
    file: 'console/src/pages/operator/refundable.ts',
    find: 'subtractCharged(paid, refunded, disputed)',
    replace: 'subtractCharged(paid, refunded)',
    tests: ['console/src/pages/operator/refundable.test.ts'],
    alsoTogether: true,
  },
  {
    id: 'Q12',
    what: 'the console rounds shares of usage down',
    file: 'console/src/pages/usage/shares-of.ts',
    find: '(toNano(spend) * 1_000n + whole / 2n) / whole',
    replace: '(toNano(spend) * 1_000n) / whole',
    tests: ['console/src/pages/usage/shares-of.test.ts'],
    alsoTogether: true,
  },
  {
    id: 'Q13',
    what: 'the console offers a billing_viewer to pay',
    file: walletRights,
    find: "function mayPay({ kind, role }: Viewed): boolean {\n  return kind === 'person' || role === 'org_admin'\n",
    replace:
      "function mayPay({ kind, role }: Viewed): boolean {\n  return kind === 'person' || role === 'org_admin' || role === 'billing_viewer'\n",
    tests: rightsTests,
    alsoTogether: true,
  },
  {
    id: 'Q14',
    what: 'a video of 720p is held as one of 480p',
    file: videoUsage,
    find: "if (resolution === '720p') return 768",
    replace: "if (resolution === '720p') return 480",
    tests: videoTests,
    alsoTogether: true,
  },
  {
    id: 'Q24',
    what: 'what happens to the wallet of an organization is told in the log of the platform alone',
    file: 'server/src/store/postgres/payments/auto-top-ups.sql.ts',
    find: 'return rows[0]?.owner_id ?? platformChain',
    replace: 'return platformChain',
    tests: ['server/test/payments/auto-top-up-organization.test.ts'],
    alsoTogether: true,
  },
]
