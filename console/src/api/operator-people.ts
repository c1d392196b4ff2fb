import { queryOptions } from '@tanstack/react-query'
import { dataOf } from './client.ts'
import type { Exact } from './exact-json.ts'
import { operators } from './operator.ts'
import type { components } from './schema.d.ts'

export type OperatorPerson = Exact<components['schemas']['Operator']>
export type OperatorKey = Exact<components['schemas']['OperatorKeyList']>['data'][number]
type Role = OperatorPerson['role']

/** The people who operate the platform, by email address. */
export const operatorPeopleQuery = queryOptions({
  queryKey: ['operator', 'people'],
  queryFn: async () => (await dataOf(operators.GET('/api/admin/operators'))).data,
})

/** The keys of machines, newest first. */
export const operatorKeysQuery = queryOptions({
  queryKey: ['operator', 'keys'],
  queryFn: async () => (await dataOf(operators.GET('/api/admin/operator-keys'))).data,
})

export interface NewOperator {
  readonly email: string
  readonly role: Role
}

export function addOperator(body: NewOperator): Promise<OperatorPerson> {
  return dataOf(operators.POST('/api/admin/operators', { body }))
}

export function changeOperator(userId: string, role: Role): Promise<OperatorPerson> {
  const params = { path: { operatorRef: userId } }
  return dataOf(operators.PATCH('/api/admin/operators/{operatorRef}', { params, body: { role } }))
}

export function removeOperator(userId: string) {
  return operators.DELETE('/api/admin/operators/{operatorRef}', { params: { path: { operatorRef: userId } } })
}

export function revokeOperatorKey(operatorKeyId: string) {
  return operators.DELETE('/api/admin/operator-keys/{operatorKeyId}', { params: { path: { operatorKeyId } } })
}
