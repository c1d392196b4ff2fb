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

type AutoTopUpEndpointDeps = Omit<SavedMethodEndpointDeps, 'audit'>

const paths = ['/api/wallets/:walletId/auto-top-up']

/** The automatic top-up settings of a wallet. It is off by default. */
export function autoTopUpEndpoints(deps: AutoTopUpEndpointDeps): Endpoint[] {
  return [
    {
      tag: 'Account',
      access: 'wallet.read',
      name: 'getAutoTopUp',
      method: 'GET',
      paths,
      summary: 'Get automatic top-up settings',
      reply: {
        status: 200,
        description: 'The automatic top-up settings and their current status.',
        schema: autoTopUpSchema,
      },
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
      summary: 'Set automatic top-up',
      body: autoTopUpBody,
      reply: { status: 200, description: 'The updated automatic top-up settings.', schema: autoTopUpSchema },
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
  enabled: Type.Boolean({ description: 'Whether automatic top-up is on. If false, the other fields are ignored.' }),
  threshold: Type.Optional(
    Type.Number({ description: 'Available credit in USD below which the saved card is charged.' }),
  ),
  target: Type.Optional(Type.Number({ description: 'Available credit in USD after a top-up.' })),
  day_max: Type.Optional(Type.Number({ description: 'Maximum credit in USD bought by automatic top-up per UTC day.' })),
  month_max: Type.Optional(
    Type.Number({ description: 'Maximum credit in USD bought by automatic top-up per UTC month.' }),
  ),
  method_id: Type.Optional(Type.String({ description: 'ID of a card saved for the wallet.' })),
})

const autoTopUpSchema = Type.Object({
  data: Type.Object(
    {
      enabled: Type.Boolean(),
      threshold: optionalUsd('Available credit below which the saved card is charged (null if never set)'),
      target: optionalUsd('Available credit after a top-up'),
      day_max: optionalUsd('Maximum credit bought by automatic top-up per UTC day'),
      month_max: optionalUsd('Maximum credit bought by automatic top-up per UTC month'),
      method_id: optionalText('ID of the saved card to charge.'),
      bought_today: usd('Credit bought by automatic top-up today (UTC)'),
      bought_this_month: usd('Credit bought by automatic top-up this month (UTC)'),
      failures: Type.Integer({ description: 'Number of consecutive times the card was declined.' }),
      last_failure: Type.Union([Type.Enum(['declined', 'authentication_required']), Type.Null()], {
        description: 'Reason for the most recent decline.',
      }),
      paused_until: optionalText(
        'Time until which the card is not charged after a decline, as an ISO 8601 string. Null if charging is not paused.',
      ),
    },
    { $id: 'AutoTopUp' },
  ),
})
