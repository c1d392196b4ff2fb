import { formatUsd, type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { AutoTopUpRule } from '#domain/payments/auto-top-up.ts'
import { isWholeCents } from '#domain/payments/quote-top-up.ts'
import { malformed } from '#errors/malformed.ts'
import type { AutoTopUps } from '#ports/auto-top-up.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { creditMax as creditEver } from '../wallets/credit-wallet.ts'
import type { PayableWallet } from '../wallets/open-wallet-to-pay.ts'
import type { PaymentOffer } from './payment-offer.ts'
import { customerOf, listMethods, type SavedMethodDeps, walletEntry } from './saved-methods.ts'

interface AutoTopUpWish extends AutoTopUpRule {
  readonly methodRef: string
}

/** Enables automatic top-up of a wallet with a saved card. */
export async function chooseAutoTopUp(
  deps: SavedMethodDeps & { readonly autoTopUps: AutoTopUps; readonly offer: PaymentOffer },
  { wallet, wish }: { wallet: PayableWallet; wish: AutoTopUpWish },
  author: ChangeAuthor,
): Promise<void> {
  const { provider, customers, offer, autoTopUps } = deps
  const { walletId, userId } = wallet
  assertRule(wish, offer)
  const of = customerOf(provider, walletId)
  const customerRef = await customers.find(of)
  const methods = await listMethods(deps, walletId)
  if (customerRef === null || methods.every(({ ref }) => ref !== wish.methodRef)) {
    throw malformed('method_id must be a card saved for this wallet.')
  }
  const { threshold, target, dayMax, monthMax, methodRef } = wish
  const details = {
    threshold: usdJson(threshold),
    target: usdJson(target),
    dayMax: usdJson(dayMax),
    monthMax: usdJson(monthMax),
    methodRef,
  }
  const entry = walletEntry(wallet, author, { action: 'auto_top_up.update', details })
  await autoTopUps.put({ ...wish, ...of, payerId: userId, customerRef }, entry)
}

/** Every charge that the rule can cause must be within the amounts that the operator sells. */
function assertRule({ threshold, target, dayMax, monthMax }: AutoTopUpRule, { creditMin }: PaymentOffer): void {
  const amounts: [string, NanoUsd][] = [
    ['threshold', threshold],
    ['target', target],
    ['day_max', dayMax],
    ['month_max', monthMax],
  ]
  for (const [name, amount] of amounts) {
    if (amount < 0n || amount > creditEver || !isWholeCents(amount)) {
      throw malformed(`${name} must be from 0 to 1000000 USD in whole cents.`)
    }
  }
  const least = formatUsd(creditMin)
  if (target - threshold < creditMin) throw malformed(`target must be at least ${least} USD above threshold.`)
  if (dayMax < creditMin) throw malformed(`day_max must be at least ${least} USD.`)
  if (monthMax < dayMax) throw malformed('month_max must be at least day_max.')
}
