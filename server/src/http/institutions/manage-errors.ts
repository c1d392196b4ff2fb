import type { ErrorName } from '#errors/catalogue.ts'

export const manageErrors = [
  'unauthenticated',
  'forbidden',
  'accountSuspended',
  'notFound',
  'rateLimited',
  'penaltyBlocked',
  'storeUnavailable',
] as const satisfies ErrorName[]
