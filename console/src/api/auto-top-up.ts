import { queryOptions } from '@tanstack/react-query'
import { amountBody } from './amount-body.ts'
import { api, dataOf } from './client.ts'

export type AutoTopUp = Awaited<ReturnType<typeof readAutoTopUp>>

/** Automatic top-up settings of a wallet. */
export function autoTopUpQuery(ownerId: string) {
  return queryOptions({ queryKey: ['auto-top-up', ownerId], queryFn: () => readAutoTopUp(ownerId) })
}

async function readAutoTopUp(walletId: string) {
  return (await dataOf(api.GET('/api/wallets/{walletId}/auto-top-up', { params: { path: { walletId } } }))).data
}

/** Amounts are US dollars, as typed. */
export interface AutoTopUpRule {
  readonly threshold: string
  readonly target: string
  readonly dayMax: string
  readonly monthMax: string
  readonly methodId: string
}

/** Saves the automatic top-up rule. Null turns automatic top-up off. */
export async function chooseAutoTopUp(walletId: string, rule: AutoTopUpRule | null): Promise<AutoTopUp> {
  const params = { path: { walletId } }
  const body =
    rule === null
      ? { enabled: false }
      : {
          enabled: true,
          threshold: amountBody(rule.threshold),
          target: amountBody(rule.target),
          day_max: amountBody(rule.dayMax),
          month_max: amountBody(rule.monthMax),
          method_id: rule.methodId,
        }
  return (await dataOf(api.PUT('/api/wallets/{walletId}/auto-top-up', { params, body }))).data
}
