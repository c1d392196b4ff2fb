import { formatUsd } from '#domain/money/nano-usd.ts'
import type { Log } from '#lib/log.ts'
import type { Grants } from '#ports/ledger.ts'
import type { Part } from './part.ts'

interface ExpireGrantsDeps {
  readonly grants: Grants
  readonly nowMs: () => number
  readonly log: Pick<Log, 'info'>
}

const walletsAtOnce = 100

/** Removes the unused part of expired grants from wallets. */
export function expireGrants({ grants, nowMs, log }: ExpireGrantsDeps): Part['run'] {
  return async () => {
    const { wallets, returned } = await grants.expire(walletsAtOnce, nowMs())
    if (wallets > 0) log.info({ wallets, returnedUsd: formatUsd(returned) }, 'processed expired grants')
    return wallets >= walletsAtOnce
  }
}
