import { expect, it } from 'vitest'
import { responseOwner } from './response-owner.ts'

it.each([
  [{ userId: 'ada', teamId: 'mill' }, 'ada'],
  [{ userId: null, teamId: 'mill' }, 'mill'],
  [{ userId: null, teamId: null }, null],
])('[NEXT-167] a response belongs to a person, else to the team of a shared key: %o', (principal, personId) => {
  expect(responseOwner({ walletId: 'wallet', ...principal })).toEqual({ walletId: 'wallet', personId })
})
