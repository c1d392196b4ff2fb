import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createWalletWatch, type WalletWatch } from '#control/wallets/wallet-watch.ts'
import { logFault } from '#lib/log-fault.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createWalletMarks } from '#store/postgres/wallets/wallet-marks.sql.ts'

const everyMs = 1_000

export function wireWalletWatch({ pools, logger }: { pools: PostgresPools; logger: Logger }): WalletWatch {
  const fault = logFault(logger, 'live figures of wallets wait for Postgres', { level: 'warn', overAfterMs: 60_000 })
  return createWalletWatch({
    marks: createWalletMarks(pools.general),
    pause: () => wait(everyMs, undefined, { ref: false }),
    onFault: fault.failed,
  })
}
