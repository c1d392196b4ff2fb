import type { Alerts } from '#ports/alerts.ts'
import type { Log } from '#lib/log.ts'
import type { Part } from '../part.ts'

export interface AlertJobDeps {
  readonly alerts: Pick<Alerts, 'listMoved' | 'tell'>
  /** The console's page for credit, which emails link to. */
  readonly creditsUrl: string
  readonly everyMs: number
  readonly log: Pick<Log, 'info'>
  readonly nowMs: () => number
}

const walletsAtOnce = 100

/** Checks wallets with new bookings, and sends the alerts that their owners want. */
export function alertPart({ alerts, creditsUrl, everyMs, log, nowMs }: AlertJobDeps): Part {
  return {
    name: 'alerts',
    everyMs,
    run: async () => {
      const wallets = await alerts.listMoved(walletsAtOnce)
      let told = 0
      for (const walletId of wallets) told += await alerts.tell(walletId, { creditsUrl, nowMs: nowMs() })
      if (told > 0) log.info({ told }, 'sent balance and budget alerts')
      return wallets.length >= walletsAtOnce
    },
  }
}
