import { Type } from 'typebox'
import { explainRoute, type ExplainRouteDeps } from '#control/operators/explain-route.ts'
import { malformed } from '#errors/malformed.ts'
import type { Endpoint } from '../endpoint.ts'
import { textOf } from '../request-values.ts'
import { optionalText } from '../schema-types.ts'

/** Why a request would go where it goes. */
export function routeExplanationEndpoint(deps: ExplainRouteDeps): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.routes.read',
    name: 'explainRoute',
    method: 'GET',
    paths: ['/api/admin/routes/explanation'],
    summary: 'Explain where a request would be sent',
    description:
      'The accounts that a request without routing preferences would try, in order, then the accounts that it skips.',
    query: querySchema,
    reply: { status: 200, description: 'The accounts with the reason for each.', schema: explanationSchema },
    errors: ['malformedRequest', 'modelNotFound', 'notFound'],
    handle: async ({ query, nowMs }) => {
      const name = textOf(query, 'model')
      if (name === null) throw malformed('Set the query parameter model.')
      const { steps, ...explained } = await explainRoute(deps, { name, customer: textOf(query, 'customer') }, nowMs)
      const accounts = steps.map(({ upstreamModel, isOwnKey, ...step }) => {
        return { ...step, upstream_model: upstreamModel, own_key: isOwnKey }
      })
      return { body: { data: { ...explained, accounts } } }
    },
  }
}

const querySchema = Type.Object({
  model: Type.String({ description: 'Model ID or alias, as a client sends it.' }),
  customer: Type.Optional(
    Type.String({
      description:
        "A wallet ID, its owner's ID, an email address or an organization slug. Adds the rules and BYOK keys of an organization.",
    }),
  ),
})

const explanationSchema = Type.Object({
  data: Type.Object(
    {
      model: Type.String(),
      pattern: optionalText('Pattern whose routes decide. Null if every account that sells the model is used.'),
      refusal: optionalText('Why the request would be rejected. Null if it would not.'),
      accounts: Type.Array(
        Type.Object({
          account: Type.String(),
          provider: Type.String(),
          upstream_model: optionalText("The provider's name of the model. Null if the account has no candidate."),
          own_key: Type.Boolean({ description: 'Whether it is a BYOK key of the organization.' }),
          verdict: Type.Enum(['first', 'fallback', 'skipped'], {
            description: 'Several accounts are `first` if they share requests by weight.',
          }),
          reason: Type.String(),
        }),
      ),
    },
    { $id: 'RouteExplanation' },
  ),
})
