import { Type } from 'typebox'
import { operatesForMs } from '#domain/access/is-fresh-session.ts'
import { operatorRoles } from '#domain/access/operator-roles.ts'
import { assert } from '#lib/assert.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'

const selfSchema = Type.Object(
  {
    role: Type.Union([Type.Enum([...operatorRoles]), Type.Null()], { description: 'Null for other people.' }),
    secondFactor: Type.Boolean({
      description: 'Whether the session began with a second factor, which every request of an operator requires.',
    }),
    signInExpired: Type.Boolean({
      description: 'Whether the person signed in more than 8 hours ago, and must sign in again to operate.',
    }),
  },
  { $id: 'OperatorSelf' },
)

/** Lets the console know what a person may do as an operator, without a refused request. */
export function operatorSelfEndpoint(): Endpoint {
  return {
    tag: 'Operators',
    access: 'operator.self',
    name: 'getOperatorSelf',
    method: 'GET',
    paths: ['/api/operator'],
    summary: 'Get your own role as an operator',
    reply: { status: 200, description: 'The role, and whether this session may act in it.', schema: selfSchema },
    handle: async (request) => {
      const client = clientOf(request)
      assert(client.kind === 'session', 'an endpoint for sessions alone is called with one')
      const { operatorRole: role, passedSecondFactor: secondFactor, signedInAtMs } = client.person
      return { body: { role, secondFactor, signInExpired: request.nowMs - signedInAtMs > operatesForMs } }
    },
  }
}
