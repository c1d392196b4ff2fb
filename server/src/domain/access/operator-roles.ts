/** The roles of operators. A person who operates the platform has one, and so has each operator key. */
export const operatorRoles = ['owner', 'support', 'finance', 'read_only'] as const
export type OperatorRole = (typeof operatorRoles)[number]

export function isOperatorRole(text: unknown): text is OperatorRole {
  return operatorRoles.some((role) => role === text)
}
