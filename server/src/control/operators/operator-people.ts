import { isOperatorRole, type OperatorRole, operatorRoles } from '#domain/access/operator-roles.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { OperatorChange, OperatorPeople, OperatorPerson } from '#ports/operator-people.ts'
import type { Users } from '#ports/people.ts'
import { platformEntry } from './platform-entry.ts'

/**
 * Makes a person an operator. The address must be verified: a stranger could have signed up with it before its owner.
 */
export async function addOperator(
  deps: { people: OperatorPeople; users: Pick<Users, 'findVerified'> },
  input: { email: string; role: string },
  author: ChangeAuthor,
): Promise<OperatorPerson> {
  const role = parseOperatorRole(input.role)
  const user = await deps.users.findVerified(input.email.trim())
  if (user === null) {
    throw new GatewayError('notFound', { message: `No account with the verified address ${input.email}.` })
  }
  const entry = describe(author, { action: 'operator.add', userId: user.id, after: role })
  if (!(await deps.people.add({ userId: user.id, role }, entry))) {
    throw new GatewayError('conflict', { message: `${user.email} is an operator already.` })
  }
  return readOperator(deps.people, user.id)
}

/** Changes the role of an operator, given by id or email address. */
export async function changeOperator(
  people: OperatorPeople,
  input: { reference: string; role: string },
  author: ChangeAuthor,
): Promise<OperatorPerson> {
  const role = parseOperatorRole(input.role)
  const { userId } = await readOperator(people, input.reference)
  const change = await people.changeRole({ userId, role }, (before) =>
    describe(author, { action: 'operator.update', userId, before, after: role }),
  )
  refuseUndone(change, input.reference)
  return readOperator(people, userId)
}

/** The person keeps the account, and can no longer act as an operator from the next request on. */
export async function removeOperator(
  people: OperatorPeople,
  reference: string,
  author: ChangeAuthor,
): Promise<OperatorPerson> {
  const operator = await readOperator(people, reference)
  const { userId } = operator
  const change = await people.remove(userId, (before) =>
    describe(author, { action: 'operator.remove', userId, before }),
  )
  refuseUndone(change, reference)
  return operator
}

function parseOperatorRole(text: string): OperatorRole {
  if (isOperatorRole(text)) return text
  throw malformed(`role must be one of ${operatorRoles.join(', ')}.`)
}

async function readOperator(people: OperatorPeople, reference: string): Promise<OperatorPerson> {
  const wanted = reference.trim().toLowerCase()
  const isWanted = ({ userId, email }: OperatorPerson): boolean =>
    isUuid(wanted) ? userId === wanted : email.toLowerCase() === wanted
  const operator = (await people.list()).find(isWanted)
  if (operator === undefined) throw missingOperator(reference)
  return operator
}

function missingOperator(reference: string): GatewayError {
  return new GatewayError('notFound', { message: `Operator ${reference} not found.` })
}

function refuseUndone(change: OperatorChange, reference: string): void {
  if (change === 'missing') throw missingOperator(reference)
  if (change === 'last owner') {
    throw new GatewayError('conflict', {
      message: 'This is the last owner. Give another operator the role owner first.',
    })
  }
}

function describe(
  author: ChangeAuthor,
  what: {
    action: 'operator.add' | 'operator.update' | 'operator.remove'
    userId: Uuid
    before?: OperatorRole
    after?: OperatorRole
  },
): AuditEntry {
  const { action, userId, before, after } = what
  return platformEntry(author, {
    action,
    target: { kind: 'user', id: userId },
    before: before === undefined ? null : { role: before },
    after: after === undefined ? null : { role: after },
  })
}
