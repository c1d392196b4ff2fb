import { Type } from 'typebox'
import { chooseAutoTopUp } from '#control/payments/choose-auto-top-up.ts'
import { requireSaved, walletEntry } from '#control/payments/saved-methods.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { openWalletToRead } from '#control/wallets/open-wallet-to-read.ts'
import { openWalletToPay } from '#control/wallets/open-wallet-to-pay.ts'
import { type NanoUsd, nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import { usdOf } from '#domain/money/usd-of.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AutoTopUps } from '#ports/auto-top-up.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import { optionalText, optionalUsd, usd } from '../schema-types.ts'
import type { SavedMethodEndpointDeps } from './saved-method-endpoints.ts'

export type AutoTopUpEndpointDeps = Omit<SavedMethodEndpointDeps, 'audit'>

const paths = ['/api/wallets/:walletId/auto-top-up']

/** Whether a wallet is topped up by itself. It is not unless its owner has chosen so. */
export function autoTopUpEndpoints(deps: AutoTopUpEndpointDeps): Endpoint[] {
  return [
    {
      tag: 'Account',
      access: 'wallet.read',
      name: 'getAutoTopUp',
      method: 'GET',
      paths,
      summary: 'Read whether and how a wallet is topped up by itself',
      reply: { status: 200, description: 'The rule, and how it is doing.', schema: autoTopUpSchema },
      errors: ['notFound'],
      handle: async (request) => {
        const walletId = await openWalletToRead(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
        return { body: { data: await render(deps.autoTopUps, walletId, request.nowMs) } }
      },
    },
    {
      tag: 'Account',
      access: 'wallet.pay',
      name: 'putAutoTopUp',
      method: 'PUT',
      paths,
      summary: 'Have a wallet topped up by itself, or no longer',
      body: autoTopUpBody,
      reply: { status: 200, description: 'The rule as it is now.', schema: autoTopUpSchema },
      errors: ['notFound', 'staleSession', 'missingRequiredField', 'paymentsOff', 'paymentsUnavailable'],
      handle: async (request) => {
        const wallet = await openWalletToPay(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
        requireFreshSession(request)
        const { body } = request
        const author = changeAuthorOf(request)
        const fields = createFieldReader(body)
        const enabled = fields.flag('enabled')
        if (enabled === undefined) throw new GatewayError('missingRequiredField', { message: 'enabled is required.' })
        if (enabled) {
          const provider = requireSaved(deps.providers)
          const wish = { ...ruleIn(body), methodRef: fields.requiredText('method_id') }
          await chooseAutoTopUp({ ...deps, provider }, { wallet, wish }, author)
        } else {
          const entry = walletEntry(wallet, author, { action: 'auto_top_up.off' })
          await deps.autoTopUps.switchOff(wallet.walletId, { methodRef: null, entry })
        }
        return { body: { data: await render(deps.autoTopUps, wallet.walletId, request.nowMs) } }
      },
    },
  ]
}

function ruleIn(body: JsonObject) {
  return {
    threshold: amountIn(body, 'threshold'),
    target: amountIn(body, 'target'),
    dayMax: amountIn(body, 'day_max'),
    monthMax: amountIn(body, 'month_max'),
  }
}

function amountIn(body: JsonObject, name: string): NanoUsd {
  const amount = usdOf(body[name])
  if (amount === undefined) throw malformed(`${name} must be a number in USD.`)
  return amount
}

async function render(autoTopUps: AutoTopUps, walletId: Uuid, nowMs: number): Promise<JsonObject> {
  const chosen = await autoTopUps.find(walletId)
  const { boughtToday, boughtThisMonth } = await autoTopUps.readStanding(walletId, nowMs)
  const isPaused = chosen?.isOn === true && chosen.failures > 0 && chosen.lookAtMs > nowMs
  return {
    enabled: chosen?.isOn ?? false,
    threshold: nullableUsdJson(chosen?.threshold ?? null),
    target: nullableUsdJson(chosen?.target ?? null),
    day_max: nullableUsdJson(chosen?.dayMax ?? null),
    month_max: nullableUsdJson(chosen?.monthMax ?? null),
    method_id: chosen?.methodRef ?? null,
    bought_today: usdJson(boughtToday),
    bought_this_month: usdJson(boughtThisMonth),
    failures: chosen?.failures ?? 0,
    last_failure: chosen?.lastFailure ?? null,
    paused_until: isPaused ? new Date(chosen.lookAtMs).toISOString() : null,
  }
}

const autoTopUpBody = Type.Object({
  enabled: Type.Boolean({ description: 'False: nothing is bought by itself, and the other fields are not read' }),
  threshold: Type.Optional(Type.Number({ description: 'Below this much available credit the card is charged; USD' })),
  target: Type.Optional(Type.Number({ description: 'What is available afterwards; USD' })),
  day_max: Type.Optional(Type.Number({ description: 'The most credit that is bought so in a day by UTC; USD' })),
  month_max: Type.Optional(Type.Number({ description: 'The same in a month' })),
  method_id: Type.Optional(Type.String({ description: 'A card that is saved for the wallet' })),
})

const autoTopUpSchema = Type.Object({
  data: Type.Object(
    {
      enabled: Type.Boolean(),
      threshold: optionalUsd('Below this much available credit the card is charged; null: never chosen'),
      target: optionalUsd('What is available afterwards'),
      day_max: optionalUsd('The most credit that is bought so in a day by UTC'),
      month_max: optionalUsd('The same in a month'),
      method_id: optionalText('The card'),
      bought_today: usd('Credit that was bought so in this day'),
      bought_this_month: usd('Credit that was bought so in this month'),
      failures: Type.Integer({ description: 'How often in a row the card was refused' }),
      last_failure: Type.Union([Type.Enum(['declined', 'authentication_required']), Type.Null()], {
        description: 'Why it was refused last',
      }),
      paused_until: optionalText('ISO 8601; the card is not charged before, because it was refused'),
    },
    { $id: 'AutoTopUp' },
  ),
})
