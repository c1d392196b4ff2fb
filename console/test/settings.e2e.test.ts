import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { createPerson, signIn, type TestPerson, totpOf } from './setup/people.ts'

/** Signs a person in with a password and opens the settings. */
async function openSettings({ world, page, open }: ConsoleTest): Promise<TestPerson & { readonly userId: string }> {
  const person = await createPerson(world)
  await open('/settings')
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const { rows } = await world.gateway.pool.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
    person.email,
  ])
  return { ...person, userId: rows[0]?.id ?? '' }
}

async function signOut({ page }: Pick<ConsoleTest, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/console/sign-in')
}

consoleTest('a person changes name and password, and ends a session elsewhere', async (test) => {
  const { world, page, look, tolerate } = test
  const person = await openSettings(test)
  await world.gateway.signIn(person.userId)
  await page.getByLabel('Name').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText('Name saved.').waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Grace Hopper')
  const sessions = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Sessions' }) })
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2)
  await look('settings')
  await sessions.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByText('Session signed out.').waitFor()
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1)
  tolerate(/status of 400/)
  await page.getByLabel('Current password').fill('not my password')
  await page.getByLabel('New password').fill('a new battery staple')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Current password').fill(person.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').waitFor()
  await signOut(test)
  await signIn(page, { email: person.email, password: 'a new battery staple' })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

consoleTest('a second factor is turned on, asked for at sign-in, and turned off', async (test) => {
  const { page, open, look } = test
  const person = await openSettings(test)
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Two-factor authentication' }) })
  await card.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('dialog').getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Code from your authenticator app').waitFor()
  const [key = '', codes = ''] = await page.getByRole('dialog').locator('pre').allTextContents()
  await look('settings-second-factor')
  await page.getByLabel('Code from your authenticator app').fill(totpOf(key, Date.now()))
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await card.getByText('On', { exact: true }).waitFor()
  await signOut(test)
  await signIn(page, person)
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByLabel('Backup code').fill(codes.split('\n')[0] ?? '')
  await look('sign-in-second-factor')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await open('/settings')
  await card.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByLabel('Password').fill(person.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await card.getByText('Off', { exact: true }).waitFor()
})

consoleTest('a passkey is added, signs in without a password, and is removed', async (test) => {
  const { context, page, open } = test
  const authenticator = await context.newCDPSession(page)
  await authenticator.send('WebAuthn.enable')
  await authenticator.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await openSettings(test)
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Passkeys' }) })
  await card.getByRole('button', { name: 'Add passkey' }).click()
  await card.getByRole('listitem').waitFor()
  await signOut(test)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await open('/settings')
  await card.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('Passkey removed.').waitFor()
  await card.getByText('instead of a password.', { exact: false }).waitFor()
  // The next test uses the same tab and must not find these passkeys.
  await authenticator.detach()
})

consoleTest('a person downloads all own data, with amounts as the ledger has them', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId, key } = await world.gateway.createClient({ usd: '5.000000007' })
  const call = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
  expect((await world.gateway.as(key).post('/v1/chat/completions', call)).status).toBe(200)
  await signInAs(userId)
  await open('/settings')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download data' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^weir-\d{4}-\d\d-\d\d\.ndjson$/)
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const kinds = new Set(records.map(({ kind }) => kind))
  expect([...kinds].toSorted()).toEqual(['generation', 'key', 'profile', 'transfer'])
  const granted = records.find(({ transfer }) => transfer === 'grant')
  expect(granted?.['amount_usd']).toBe('5.000000007')
  expect(lines.join('')).not.toContain(key)
})

consoleTest('an account is deleted after its address was typed and its person signed in again', async (test) => {
  const { world, page, look, tolerate } = test
  const person = await openSettings(test)
  const { rows: wallets } = await world.gateway.pool.query<{ id: string }>(
    'SELECT id FROM wallets WHERE owner_id = $1',
    [person.userId],
  )
  await world.gateway.credit(wallets[0]?.id ?? '', '3.000000001')
  const { key } = await world.gateway.addKey(person.userId)
  await world.gateway.pool.query(
    `UPDATE auth_sessions SET created_at = created_at - interval '11 minutes' WHERE user_id = $1`,
    [person.userId],
  )
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByText('Your 1 API key.', { exact: false }).waitFor()
  expect(await dialog.locator('[data-nano]').getAttribute('data-nano')).toBe('3000000001')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText("This doesn't match your account's email address.").waitFor()
  await dialog.getByLabel(`Type ${person.email} to confirm`).fill(person.email)
  await look('settings-delete')
  tolerate(/status of 403/)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  const proof = page.getByRole('dialog', { name: "Confirm it's you" })
  await proof.getByLabel('Password').fill(person.password)
  await look('step-up')
  await proof.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Your account has been deleted.').waitFor()
  await look('account-deleted')
  const { rows } = await world.gateway.pool.query('SELECT name, email FROM users WHERE id = $1', [person.userId])
  expect(rows).toEqual([{ name: '', email: `deleted:${person.userId}` }])
  await expect.poll(async () => (await world.gateway.as(key).get('/v1/key')).status).toBe(401)
  tolerate(/status of 401/)
  await signIn(page, person)
  await page.getByRole('alert').waitFor()
})
