import type { ErrorName } from '#errors/catalogue.ts'

/** What any call of the operators' API may be refused with. */
export const operatorErrors = [
  'unauthenticated',
  'forbidden',
  'rateLimited',
  'penaltyBlocked',
  'storeUnavailable',
] as const satisfies ErrorName[]
