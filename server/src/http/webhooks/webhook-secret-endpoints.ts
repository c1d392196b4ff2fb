import { Type } from 'typebox'
import { openKeyAccount } from '#control/keys/read-keys.ts'
import { putWebhookSecret } from '#control/webhooks/put-webhook-secret.ts'
import type { SealingKey } from '#lib/seal.ts'
import type { KeyAccount } from '#ports/keys.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { WebhookSecrets } from '#ports/webhooks.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint, type EndpointRequest } from '../endpoint.ts'

interface WebhookSecretDeps {
  readonly secrets: WebhookSecrets
  readonly memberships: Memberships
  readonly sealingKey: SealingKey
}

const common = { paths: ['/v1/webhooks/secret'], tag: 'Account', access: 'keys.manage' } as const
const moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

/** The secret that signs an account's webhooks. Without one they are not signed. */
export function webhookSecretEndpoints(deps: WebhookSecretDeps): Endpoint[] {
  return [
    {
      ...common,
      name: 'getWebhookSecret',
      method: 'GET',
      summary: 'Get webhook signing status',
      reply: {
        status: 200,
        description: 'Whether a signing secret is set, and since when. The secret itself is never returned.',
        schema: Type.Object({ data: Type.Object({ is_set: Type.Boolean(), created_at: moment }) }),
      },
      handle: async (request) => {
        const account = await openKeyAccount(deps.memberships, clientOf(request), 'organization.keys.read')
        const found = await deps.secrets.find(account)
        const created_at = found === null ? null : new Date(found.createdAtMs).toISOString()
        return { body: { data: { is_set: found !== null, created_at } } }
      },
    },
    {
      ...common,
      name: 'putWebhookSecret',
      method: 'PUT',
      summary: 'Create or replace the webhook secret',
      description: 'The response contains the secret. It is not shown again.',
      reply: {
        status: 201,
        description: 'The new secret, used from the next delivery on. It is returned only once.',
        schema: Type.Object({
          data: Type.Object({ secret: Type.String({ description: 'Signing secret, prefixed with `whsec_`.' }) }),
        }),
      },
      handle: async (request) => {
        const secret = await putWebhookSecret(deps, await changedAccount(deps, request), changeAuthorOf(request))
        return { body: { data: { secret } } }
      },
    },
    {
      ...common,
      name: 'deleteWebhookSecret',
      method: 'DELETE',
      summary: 'Delete the webhook secret',
      reply: { status: 204, description: 'The secret is deleted. Webhooks are no longer signed.', schema: Type.Null() },
      handle: async (request) => {
        await deps.secrets.remove(await changedAccount(deps, request), changeAuthorOf(request))
        return { status: 204 }
      },
    },
  ]
}

function changedAccount({ memberships }: WebhookSecretDeps, request: EndpointRequest): Promise<KeyAccount> {
  return openKeyAccount(memberships, clientOf(request), 'organization.keys.change')
}
