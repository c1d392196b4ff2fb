import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAuth } from '#store/sign-in/create-auth.ts'
import { createProofs } from '#store/sign-in/proofs.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'

const notify = (): void => {}
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('has every table and column that the library expects, with everything switched on', async () => {
  const auth = createAuth({
    pool: database.pool,
    secret: 'x'.repeat(43),
    cookieName: 'weir_session',
    publicUrl: ownOrigin,
    notices: { confirmAddress: notify, choosePassword: notify, alreadyRegistered: notify },
    requireVerification: true,
    secondFactor: true,
    operatorSecondFactor: true,
    passkeys: true,
    providers: { google: { clientId: 'id', clientSecret: 'secret' } },
    onWarning: notify,
    issueToken: () => 'token',
    proofs: createProofs(),
  })
  const context = await auth.$context
  expect(Object.keys(context.tables).toSorted()).toEqual([
    'account',
    'passkey',
    'session',
    'twoFactor',
    'user',
    'verification',
  ])
  expect(context.explicitSchemaCheck).toBeTypeOf('function')
  await context.explicitSchemaCheck?.()
})
