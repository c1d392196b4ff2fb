import { platformChain } from '#domain/audit/audit-entry.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { hashRedemptionCode, parseRedemptionCode } from '#domain/payments/redemption-code.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { notRedeemable } from '#errors/not-redeemable.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { PersonIdentity, Redeemed, Redemptions } from '#ports/redemptions.ts'
import type { PayableWallet } from '../wallets/open-wallet-to-pay.ts'
import type { LimitGuesses } from './limit-guesses.ts'

export interface RedeemDeps {
  readonly redemptions: Redemptions
  readonly identity: PersonIdentity
  readonly limitGuesses: LimitGuesses
  readonly announce: Announce
}

interface RedeemInput {
  /** The code as typed. */
  readonly code: string
  readonly wallet: PayableWallet
  readonly clientIp: string | null
}

/** Credits a wallet with a code. The ledger transaction has the redemption's id. */
export async function redeemCode(
  deps: RedeemDeps,
  input: RedeemInput,
  author: ChangeAuthor,
): Promise<Redeemed & { readonly id: Uuid }> {
  const { wallet, clientIp } = input
  const ended = await deps.limitGuesses({ userId: wallet.userId, clientIp })
  const redeemed = await redeem(deps, input, author).catch(async (error: unknown) => {
    const isWrong = error instanceof GatewayError && error.errorName === 'codeNotRedeemable'
    await ended(isWrong ? 'not redeemable' : 'anything else')
    throw error
  })
  await ended('anything else')
  await deps.announce({ walletId: wallet.walletId })
  return redeemed
}

async function redeem(
  { redemptions, identity }: RedeemDeps,
  { code, wallet }: RedeemInput,
  { actor, requestId, nowMs }: ChangeAuthor,
): Promise<Redeemed & { readonly id: Uuid }> {
  const bytes = parseRedemptionCode(code)
  if (bytes === undefined) throw notRedeemable('not a well-formed code')
  const id = newUuid(nowMs)
  const { walletId, userId, organizationId } = wallet
  const redeemed = await redemptions.redeem({
    id,
    codeHash: hashRedemptionCode(bytes),
    walletId,
    userId,
    identity,
    nowMs,
    describe: (campaign) => ({
      chainId: organizationId ?? platformChain,
      actor,
      requestId,
      action: 'wallet.redeem',
      target: { kind: 'wallet', id: walletId },
      details: { transactionId: id, campaignId: campaign.id, amount: usdJson(campaign.amount) },
    }),
  })
  return { ...redeemed, id }
}
