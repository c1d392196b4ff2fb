import { redeemCode, type RedeemDeps } from '#control/redemptions/redeem-code.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { openWalletToPay } from '#control/wallets/open-wallet-to-pay.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { Memberships } from '#ports/organizations.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import { redemptionBodySchema, redemptionSchema } from './redemption-schema.ts'

/** Redeems a code for credit of a wallet. */
export function redemptionEndpoint(deps: RedeemDeps & { readonly memberships: Memberships }): Endpoint {
  return {
    name: 'redeemCode',
    method: 'POST',
    paths: ['/api/wallets/:walletId/redemptions'],
    tag: 'Account',
    summary: 'Redeem a code',
    access: 'wallet.pay',
    body: redemptionBodySchema,
    reply: {
      status: 201,
      description: 'The redemption. The credit was added to the wallet.',
      schema: redemptionSchema,
    },
    errors: ['notFound', 'missingRequiredField', 'codeNotRedeemable'],
    handle: async (request) => {
      const wallet = await openWalletToPay(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
      const code = createFieldReader(request.body).requiredText('code')
      const input = { code, wallet, clientIp: request.clientIp }
      const { id, campaign, balance } = await redeemCode(deps, input, changeAuthorOf(request))
      const { amount, creditExpiresAtMs: endMs } = campaign
      const expiresAt = endMs === null ? null : new Date(endMs).toISOString()
      const sums = { amount: usdJson(amount), balance: usdJson(balance) }
      return { status: 201, body: { data: { id, wallet_id: wallet.walletId, ...sums, expires_at: expiresAt } } }
    },
  }
}
