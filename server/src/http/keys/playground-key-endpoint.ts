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

/** A session calls no models. The playground of the console calls them with a key that lives in the page's memory alone. */
export function playgroundKeyEndpoint(deps: KeyEndpointDeps): Endpoint {
  return {
    name: 'createPlaygroundKey',
    method: 'POST',
    paths: ['/api/playground-keys'],
    tag: 'Keys',
    summary: 'Make a key for the playground; it ends within an hour and is in no list',
    access: 'playground.create',
    query: Type.Object({ organization: ofOrganization }),
    body: playgroundWishSchema,
    reply: { status: 201, description: 'The key with its secret.', schema: playgroundKeySchema },
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
      description: 'Most that the key may spend, USD. Default 1, at most 5',
    }),
  ),
  expires_in: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 3600, description: 'How long it works, seconds. Default 3600' }),
  ),
})

const playgroundKeySchema = Type.Object({
  id: Type.String({ description: 'As in `api_key_id` of the requests that it makes' }),
  key: Type.String({ description: 'The secret. It is shown this once' }),
  limit: usd('Most that it may spend'),
  expires_at: Type.String({ description: 'ISO 8601' }),
  organization_id: optionalText('Whose wallet pays; null: that of the person'),
})
