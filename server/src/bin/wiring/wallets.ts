import type { Config } from '#config/config-schema.ts'
import { createLimitGuesses } from '#control/redemptions/limit-guesses.ts'
import { createPersonIdentity } from '#control/redemptions/person-identity.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { noticeEndpoints } from '#http/notices/notice-endpoints.ts'
import { campaignEndpoints } from '#http/redemptions/campaign-endpoints.ts'
import { redemptionEndpoint } from '#http/redemptions/redemption-endpoint.ts'
import type { WalletWatch } from '#control/wallets/wallet-watch.ts'
import { walletEndpoints } from '#http/wallets/wallet-endpoints.ts'
import { walletEventsEndpoint } from '#http/wallets/wallet-events-endpoint.ts'
import type { Memberships } from '#ports/organizations.ts'
import { createNotices } from '#store/postgres/announcements/postgres-notices.ts'
import { createLedgerReads } from '#store/postgres/ledger/postgres-ledger-reads.ts'
import { createRedemptions } from '#store/postgres/payments/postgres-redemptions.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import type { Admission } from './admission.ts'
import type { Metrics } from './metrics.ts'

/** Wallet endpoints for owners, notices, and redemption of codes. */
export function wireWallets(deps: {
  config: Config
  metrics: Metrics
  pools: PostgresPools
  admission: Admission
  memberships: Memberships
  walletWatch: WalletWatch
  nowMs: () => number
}): Endpoint[] {
  const { config, metrics, admission, memberships, nowMs } = deps
  const redemptions = createRedemptions(deps.pools.general)
  const identity = createPersonIdentity({ masterSecret: config.secret, sendsMail: config.mail.url !== null })
  const limitGuesses = createLimitGuesses({
    failures: admission.failures,
    failuresMax: config.limits.signInFailures,
    onFailure: () => metrics.codesRefused.inc(),
    nowMs,
  })
  return [
    ...walletEndpoints({ ledger: createLedgerReads(deps.pools.general), memberships }),
    ...noticeEndpoints({ notices: createNotices(deps.pools.general), memberships }),
    walletEventsEndpoint({ watch: deps.walletWatch, memberships }),
    redemptionEndpoint({ redemptions, identity, limitGuesses, announce: admission.announce, memberships }),
    ...campaignEndpoints(redemptions),
  ]
}
