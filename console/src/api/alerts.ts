import { queryOptions } from '@tanstack/react-query'
import { amountBody } from './amount-body.ts'
import { api, dataOf } from './client.ts'

export type WalletAlerts = Awaited<ReturnType<typeof readAlerts>>

/** Alert settings of a wallet. */
export function alertsQuery(ownerId: string) {
  return queryOptions({ queryKey: ['alerts', ownerId], queryFn: () => readAlerts(ownerId) })
}

async function readAlerts(walletId: string) {
  return (await dataOf(api.GET('/api/wallets/{walletId}/alerts', { params: { path: { walletId } } }))).data
}

export interface AlertWish {
  readonly mail: boolean
  readonly webhookUrl: string | null
  /** Thresholds in US dollars, as typed. */
  readonly balances: readonly string[]
  readonly budgetPercents: readonly number[]
}

export async function chooseAlerts(walletId: string, wish: AlertWish): Promise<WalletAlerts> {
  const body = {
    mail: wish.mail,
    webhook_url: wish.webhookUrl,
    balances: wish.balances.map(amountBody),
    budget_percents: [...wish.budgetPercents],
  }
  return (await dataOf(api.PUT('/api/wallets/{walletId}/alerts', { params: { path: { walletId } }, body }))).data
}
