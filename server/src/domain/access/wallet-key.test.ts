import { expect, it } from 'vitest'
import { nameIn, walletIdIn, walletKey } from './wallet-key.ts'

it('names something by its wallet and its name, and reads both again', () => {
  const walletId = '01890000-0000-7000-8000-000000000001'
  const key = walletKey(walletId, 'acme')
  expect(key).toBe('01890000-0000-7000-8000-000000000001acme')
  expect([walletIdIn(key), nameIn(key)]).toEqual([walletId, 'acme'])
})
