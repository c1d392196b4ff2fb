import type { KeyAccount } from '#domain/access/key-account.ts'
import { Type } from 'typebox'
import { openKeyAccount } from '#control/keys/read-keys.ts'
import { putWebhookSecret } from '#control/webhooks/put-webhook-secret.ts'
import type { SealingKey } from '#lib/seal.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { WebhookSecrets } from '#ports/webhooks.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint, type EndpointRequest, organizationOf } from '../endpoint.ts'

interface WebhookSecretDeps {
  readonly secrets: WebhookSecrets
  readonly memberships: Memberships
  readonly sealingKey: SealingKey
}

/** Whose secret it is: that of the account of the credential, or of the organization in the path. */
interface Way {
  readonly common: Pick<Endpoint, 'paths' | 'tag' | 'access'>
  /** Ends the names of the operations, which are unique. */
  readonly noun: string
  readonly read: (request: EndpointRequest) => Promise<KeyAccount>
  readonly change: (request: EndpointRequest) => Promise<KeyAccount>
}

const moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

/** The secret that signs the webhooks of an account or an organization. Without one they are not signed. */
export function webhookSecretEndpoints(deps: WebhookSecretDeps): Endpoint[] {
  const open = (action: Parameters<typeof openKeyAccount>[2]) => (request: EndpointRequest) =>
    openKeyAccount(deps.memberships, clientOf(request), action)
  const ways: readonly Way[] = [
    {
      common: { paths: ['/v1/webhooks/secret'], tag: 'Account', access: 'keys.manage' },
      noun: 'WebhookSecret',
      read: open('organization.keys.read'),
      change: open('organization.keys.change'),
    },
    {
      common: {
        paths: ['/api/orgs/:orgId/webhook-secret'],
        tag: 'Organizations',
        access: 'organization.webhookSecret',
      },
      noun: 'OrganizationWebhookSecret',
      read: readPathAccount,
      change: readPathAccount,
    },
  ]
  return ways.flatMap((way) => endpointsOf(deps, way))
}

function endpointsOf(deps: WebhookSecretDeps, way: Way): Endpoint[] {
  return [
    {
      ...way.common,
      name: `get${way.noun}`,
      method: 'GET',
      summary: 'Get webhook signing status',
      reply: {
        status: 200,
        description: 'Whether a signing secret is set, and since when. The secret itself is never returned.',
        schema: Type.Object({ data: Type.Object({ is_set: Type.Boolean(), created_at: moment }) }),
      },
      handle: async (request) => {
        const found = await deps.secrets.find(await way.read(request))
        const created_at = found === null ? null : new Date(found.createdAtMs).toISOString()
        return { body: { data: { is_set: found !== null, created_at } } }
      },
    },
    {
      ...way.common,
      name: `put${way.noun}`,
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
        const secret = await putWebhookSecret(deps, await way.change(request), changeAuthorOf(request))
        return { body: { data: { secret } } }
      },
    },
    {
      ...way.common,
      name: `delete${way.noun}`,
      method: 'DELETE',
      summary: 'Delete the webhook secret',
      reply: { status: 204, description: 'The secret is deleted. Webhooks are no longer signed.', schema: Type.Null() },
      handle: async (request) => {
        await deps.secrets.remove(await way.change(request), changeAuthorOf(request))
        return { status: 204 }
      },
    },
  ]
}

async function readPathAccount(request: EndpointRequest): Promise<KeyAccount> {
  return { kind: 'organization', organizationId: organizationOf(request).organizationId }
}
