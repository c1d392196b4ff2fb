import { usdJson } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'
import type { Alerts, ChosenAlerts } from '#ports/alerts.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Egress } from '#ports/outbound.ts'
import { walletEntry } from '../payments/saved-methods.ts'
import { creditMax } from '../wallets/credit-wallet.ts'
import type { PayableWallet } from '../wallets/open-wallet-to-pay.ts'

const thresholdsMax = 10

/** Replaces the alert settings of a wallet. */
export async function chooseAlerts(
  { alerts, egress }: { readonly alerts: Alerts; readonly egress: Egress },
  { wallet, chosen }: { wallet: PayableWallet; chosen: ChosenAlerts },
  author: ChangeAuthor,
): Promise<void> {
  const { byMail, webhookUrl, balances, budgetPercents } = chosen
  if (balances.length > thresholdsMax || budgetPercents.length > thresholdsMax) {
    throw malformed(`Set at most ${thresholdsMax} thresholds of each kind.`)
  }
  if (balances.some((amount) => amount < 0n || amount > creditMax)) {
    throw malformed('balances must be USD amounts from 0 to 1000000.')
  }
  if (budgetPercents.some((percent) => !Number.isInteger(percent) || percent < 1 || percent > 100)) {
    throw malformed('budget_percents must be integers from 1 to 100.')
  }
  if (webhookUrl !== null)
    await assertUrl(egress, { url: webhookUrl, account: wallet.organizationId ?? wallet.walletId })
  const details = {
    mail: byMail,
    webhook: webhookUrl !== null,
    balances: balances.map(usdJson),
    budgetPercents: [...budgetPercents],
  }
  await alerts.put(wallet.walletId, chosen, walletEntry(wallet, author, { action: 'alerts.update', details }))
}

async function assertUrl(egress: Egress, { url, account }: { url: string; account: string }): Promise<void> {
  const text = egress.judgeText(url)
  const verdict = text.allowed ? await egress.judge(url, account) : text
  if (!verdict.allowed) throw malformed(`webhook_url must be a public https URL; this one ${verdict.message}`)
}
