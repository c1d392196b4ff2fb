import { Type } from 'typebox'
import { missingAccount } from '#control/operators/change-provider-account.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { uuidTimeMs } from '#lib/uuid.ts'
import type { OperatedRequests } from '#ports/operated-requests.ts'
import type { Operators } from '#ports/operators.ts'
import type { Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import { optionalCount, optionalText } from '../schema-types.ts'

const failuresMax = 10

/** The provider's own words, which the state of a circuit does not have. */
export function providerFailuresEndpoint({
  operators,
  requests,
}: {
  readonly operators: Pick<Operators, 'listAccounts'>
  readonly requests: Pick<OperatedRequests, 'listFailures'>
}): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.providers.read',
    name: 'listProviderFailures',
    method: 'GET',
    paths: ['/api/admin/providers/:accountName/failures'],
    summary: 'List recent failures of a provider account',
    description: `The newest ${failuresMax} failed attempts among the last 10,000 requests of the last day.`,
    reply: { status: 200, description: 'The failed attempts, newest first.', schema: failuresSchema },
    errors: ['notFound'],
    handle: async (request) => {
      const account = referenceOf(request, 'accountName')
      const accounts = await operators.listAccounts()
      if (!accounts.some(({ name }) => name === account)) throw missingAccount(account)
      const failures = await requests.listFailures({ account, limit: failuresMax })
      return {
        body: {
          data: failures.map(({ requestId, model, outcome, status, said }) => ({
            id: publicGenerationId(requestId),
            received_at: new Date(uuidTimeMs(requestId)).toISOString(),
            model,
            outcome,
            status,
            said: said ?? null,
          })),
        },
      }
    },
  }
}

const failuresSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        id: Type.String({ description: 'Generation ID of the request.' }),
        received_at: Type.String({ format: 'date-time' }),
        model: Type.String(),
        outcome: Type.String({ description: 'How the gateway classified the failure.' }),
        status: optionalCount('HTTP status of the provider. Null if it did not respond.'),
        said: optionalText("The provider's error message."),
      },
      { $id: 'ProviderFailure' },
    ),
  ),
})
