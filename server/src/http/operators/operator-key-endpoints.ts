import { Type } from 'typebox'
import type { KeyDeps } from '#control/keys/change-key.ts'
import { revokeOperatorKey } from '#control/operators/revoke-operator-key.ts'
import type { JsonObject } from '#lib/json.ts'
import type { OperatorKeyListing, OperatorKeys } from '#ports/keys.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import { operatorKeyListSchema } from './operator-people-schema.ts'

const common = { tag: 'Operators', access: 'operators.people' } as const

/** The keys of machines that operate the platform. Only the command line creates them. */
export function operatorKeyEndpoints(
  deps: KeyDeps & { readonly operatorKeys: Pick<OperatorKeys, 'list'> },
): Endpoint[] {
  return [
    {
      ...common,
      name: 'listOperatorKeys',
      method: 'GET',
      paths: ['/api/admin/operator-keys'],
      summary: 'List operator keys',
      reply: {
        status: 200,
        description: 'All operator keys, newest first, without secrets.',
        schema: operatorKeyListSchema,
      },
      handle: async () => ({ body: { data: (await deps.operatorKeys.list()).map(render) } }),
    },
    {
      ...common,
      name: 'revokeOperatorKey',
      method: 'DELETE',
      paths: ['/api/admin/operator-keys/:operatorKeyId'],
      summary: 'Revoke an operator key',
      reply: { status: 204, description: 'The key no longer works.', schema: Type.Null() },
      errors: ['notFound'],
      handle: async (request) => {
        await revokeOperatorKey(deps, referenceOf(request, 'operatorKeyId').toLowerCase(), changeAuthorOf(request))
        return { status: 204 }
      },
    },
  ]
}

function render({ prefix, suffix, expiresAtMs, createdAtMs, allowedCidrs, ...key }: OperatorKeyListing): JsonObject {
  return {
    ...key,
    hint: `${prefix}…${suffix}`,
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    createdAt: new Date(createdAtMs).toISOString(),
    allowedCidrs: [...allowedCidrs],
  }
}
