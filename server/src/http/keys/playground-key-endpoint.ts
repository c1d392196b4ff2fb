import { Type } from 'typebox'
import { createPlaygroundKey, openPlaygroundOwner } from '#control/keys/create-playground-key.ts'
import { createFieldReader, parseOptionalUsd, readField } from '#control/read-fields.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { scopeQuestionOf } from '../request-values.ts'
import { ofOrganization, optionalText, usd } from '../schema-types.ts'
import type { KeyEndpointDeps } from './key-endpoints.ts'

/** A session cannot call models. The console's playground uses a key that exists only in the page's memory. */
export function playgroundKeyEndpoint(deps: KeyEndpointDeps): Endpoint {
  return {
    name: 'createPlaygroundKey',
    method: 'POST',
    paths: ['/api/playground-keys'],
    tag: 'Keys',
    summary: 'Create a playground key',
    description: 'The key expires within one hour and is not listed.',
    access: 'playground.create',
    query: Type.Object({ organization: ofOrganization }),
    body: playgroundWishSchema,
    reply: {
      status: 201,
      description: 'The created key with its secret. It expires within one hour and is not included in key lists.',
      schema: playgroundKeySchema,
    },
    errors: ['notFound'],
    handle: async (request) => {
      const { client, organization } = scopeQuestionOf(request)
      assert(client.kind === 'session', 'only a session makes playground keys')
      const owner = await openPlaygroundOwner(deps.memberships, client, organization)
      const wish = {
        limit: readField(request.body, { limit: parseOptionalUsd }) ?? null,
        lifetimeS: createFieldReader(request.body).whole('expires_in') ?? null,
      }
      const author = changeAuthorOf(request)
      const made = await createPlaygroundKey(deps, { owner, wish, author, person: client.person })
      return {
        status: 201,
        body: {
          id: made.id,
          key: made.secret,
          limit: usdJson(made.limit),
          expires_at: new Date(made.expiresAtMs).toISOString(),
          organization_id: owner.kind === 'organization' ? owner.organizationId : null,
        },
      }
    },
  }
}

const playgroundWishSchema = Type.Object({
  limit: Type.Optional(
    Type.Union([Type.Number({ minimum: 0, maximum: 5 }), Type.Null()], {
      description: 'Spend limit of the key in USD, at most 5. Defaults to 1.',
    }),
  ),
  expires_in: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 3600,
      description: 'Lifetime of the key in seconds, from 60 to 3600. Defaults to 3600.',
    }),
  ),
})

const playgroundKeySchema = Type.Object({
  id: Type.String({ description: 'Key ID, as in `api_key_id` of its requests.' }),
  key: Type.String({ description: 'Secret of the key. Returned only once.' }),
  limit: usd('Spend limit of the key'),
  expires_at: Type.String({ description: 'When the key expires, in ISO 8601 format.' }),
  organization_id: optionalText('ID of the organization whose wallet pays, or null if your own wallet pays.'),
})
