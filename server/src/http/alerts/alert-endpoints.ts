import { Type } from 'typebox'
import { chooseAlerts } from '#control/alerts/choose-alerts.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { openWalletToRead } from '#control/wallets/open-wallet-to-read.ts'
import { openWalletToPay } from '#control/wallets/open-wallet-to-pay.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { usdOf } from '#domain/money/usd-of.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { ExactNumber } from '#lib/exact-number.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Alerts } from '#ports/alerts.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { Egress } from '#ports/outbound.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import { optionalText, usd } from '../schema-types.ts'

interface AlertEndpointDeps {
  readonly alerts: Alerts
  readonly egress: Egress
  readonly memberships: Memberships
}

const paths = ['/api/wallets/:walletId/alerts']

/** Alerts about low credit and exhausted budgets. */
export function alertEndpoints(deps: AlertEndpointDeps): Endpoint[] {
  return [
    {
      tag: 'Account',
      access: 'wallet.read',
      name: 'getAlerts',
      method: 'GET',
      paths,
      summary: 'Get the alert settings of a wallet',
      reply: { status: 200, description: 'The alert settings.', schema: Type.Object({ data: alertsSchema }) },
      errors: ['notFound'],
      handle: async (request) => {
        const walletId = await openWalletToRead(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
        return { body: { data: await render(deps.alerts, walletId) } }
      },
    },
    {
      tag: 'Account',
      access: 'wallet.pay',
      name: 'putAlerts',
      method: 'PUT',
      paths,
      summary: 'Set low-balance and budget alerts',
      description: 'Alerts are sent by email and by webhook.',
      body: alertsBody,
      reply: { status: 200, description: 'The updated alert settings.', schema: Type.Object({ data: alertsSchema }) },
      errors: ['notFound'],
      handle: async (request) => {
        const wallet = await openWalletToPay(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
        const { body } = request
        const fields = createFieldReader(body)
        const chosen = {
          byMail: fields.flag('mail') ?? false,
          webhookUrl: fields.nullableText('webhook_url') ?? null,
          balances: listIn(body, 'balances').map((value) => {
            const amount = usdOf(value)
            if (amount === undefined) throw malformed('balances must be an array of numbers in USD.')
            return amount
          }),
          budgetPercents: listIn(body, 'budget_percents').map((value) =>
            Number(value instanceof ExactNumber ? value.text : value),
          ),
        }
        await chooseAlerts(deps, { wallet, chosen }, changeAuthorOf(request))
        return { body: { data: await render(deps.alerts, wallet.walletId) } }
      },
    },
  ]
}

function listIn(body: JsonObject, name: string): JsonValue[] {
  const value = body[name] ?? []
  if (!Array.isArray(value)) throw malformed(`${name} must be an array.`)
  return value
}

async function render(alerts: Alerts, walletId: Uuid): Promise<JsonObject> {
  const chosen = await alerts.find(walletId)
  return {
    mail: chosen?.byMail ?? false,
    webhook_url: chosen?.webhookUrl ?? null,
    balances: (chosen?.balances ?? []).map(usdJson),
    budget_percents: [...(chosen?.budgetPercents ?? [])],
  }
}

const alertsSchema = Type.Object(
  {
    mail: Type.Boolean({
      description: 'Whether alerts are emailed to the owner, or to the admins and billing viewers of the organization.',
    }),
    webhook_url: optionalText(
      'URL that receives each alert as a webhook, signed with the secret from `/v1/webhooks/secret`. Null if there is none.',
    ),
    balances: Type.Array(usd('Balance below which an alert is sent'), {
      description: 'Balance thresholds for alerts, at most 10.',
    }),
    budget_percents: Type.Array(
      Type.Integer({ description: 'Percentage of a budget, from 1 to 100, at which an alert is sent.' }),
      {
        description:
          'Budget thresholds for alerts, at most 10. They apply to every budget of the organization, its teams, members and keys.',
      },
    ),
  },
  { $id: 'WalletAlerts' },
)

const alertsBody = Type.Object({
  mail: Type.Optional(Type.Boolean({ description: 'Whether to send alerts by email. Defaults to false.' })),
  webhook_url: Type.Optional(optionalText('Public https URL that receives alerts. Null for none.')),
  balances: Type.Optional(Type.Array(Type.Number({ description: 'Balance in USD below which an alert is sent.' }))),
  budget_percents: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 100 }))),
})
