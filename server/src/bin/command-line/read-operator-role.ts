import { isOperatorRole, type OperatorRole, operatorRoles } from '#domain/access/operator-roles.ts'
import { UsageError } from './command.ts'

export function readOperatorRole(text: string): OperatorRole {
  if (isOperatorRole(text)) return text
  throw new UsageError(`The role must be one of ${operatorRoles.join(', ')}.`)
}
