import { Type } from 'typebox'
import { addOperator, changeOperator, removeOperator } from '#control/operators/operator-people.ts'
import { createFieldReader } from '#control/read-fields.ts'
import type { JsonObject } from '#lib/json.ts'
import type { OperatorPeople, OperatorPerson } from '#ports/operator-people.ts'
import type { Users } from '#ports/people.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import {
  newOperatorSchema,
  operatorChangeSchema,
  operatorListSchema,
  operatorPersonSchema,
} from './operator-people-schema.ts'

const common = { tag: 'Operators', access: 'operators.people' } as const
const onePath = ['/api/admin/operators/:operatorRef']

/** The people who operate the platform. Operators are identified by user id or email address. */
export function operatorPeopleEndpoints(deps: {
  readonly people: OperatorPeople
  readonly users: Pick<Users, 'findVerified'>
}): Endpoint[] {
  const { people } = deps
  return [
    {
      ...common,
      name: 'listOperators',
      method: 'GET',
      paths: ['/api/admin/operators'],
      summary: 'List operators',
      reply: { status: 200, description: 'All operators, by email address.', schema: operatorListSchema },
      handle: async () => ({ body: { data: (await people.list()).map(render) } }),
    },
    {
      ...common,
      name: 'addOperator',
      method: 'POST',
      paths: ['/api/admin/operators'],
      summary: 'Add an operator',
      body: newOperatorSchema,
      reply: { status: 201, description: 'The new operator.', schema: operatorPersonSchema },
      errors: ['notFound', 'conflict', 'missingRequiredField'],
      handle: async (request) => {
        const reader = createFieldReader(request.body)
        const input = { email: reader.requiredText('email'), role: reader.requiredText('role') }
        return { status: 201, body: render(await addOperator(deps, input, changeAuthorOf(request))) }
      },
    },
    {
      ...common,
      name: 'changeOperator',
      method: 'PATCH',
      paths: onePath,
      summary: 'Change the role of an operator',
      body: operatorChangeSchema,
      reply: { status: 200, description: 'The operator.', schema: operatorPersonSchema },
      errors: ['notFound', 'conflict', 'missingRequiredField'],
      handle: async (request) => {
        const role = createFieldReader(request.body).requiredText('role')
        const change = { reference: referenceOf(request, 'operatorRef'), role }
        return { body: render(await changeOperator(people, change, changeAuthorOf(request))) }
      },
    },
    {
      ...common,
      name: 'removeOperator',
      method: 'DELETE',
      paths: onePath,
      summary: 'Remove an operator',
      description: 'The person keeps the account. The last owner cannot be removed.',
      reply: { status: 204, description: 'The person is no longer an operator.', schema: Type.Null() },
      errors: ['notFound', 'conflict'],
      handle: async (request) => {
        await removeOperator(people, referenceOf(request, 'operatorRef'), changeAuthorOf(request))
        return { status: 204 }
      },
    },
  ]
}

function render({ addedAtMs, ...operator }: OperatorPerson): JsonObject {
  return { ...operator, addedAt: new Date(addedAtMs).toISOString() }
}
