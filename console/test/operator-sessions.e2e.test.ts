import { expect } from 'vitest'
import { consoleTest, type ConsoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'
import { createPerson, signIn, totpOf } from './setup/people.ts'

async function userIdOf({ world: { gateway } }: ConsoleTest, email: string): Promise<string> {
  const { rows } = await gateway.pool.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email])
  return rows[0]?.id ?? ''
}

async function age({ world: { gateway } }: ConsoleTest, userId: string, interval: string): Promise<void> {
  await gateway.pool.query('UPDATE auth_sessions SET created_at = now() - $2::interval WHERE user_id = $1', [
    userId,
    interval,
  ])
}

consoleTest('a person without a role is offered no operator pages, and is told so by a link', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId } = await world.gateway.createClient()
  await signInAs(userId, { secondFactor: true })
  await open('/operator/customers')
  await page.getByRole('heading', { name: "You're not an operator" }).waitFor()
  await look('operator-not')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Operator console' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Workspace: Personal' }).click()
  await page.getByRole('menuitem', { name: 'Personal' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Operator' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
})

consoleTest('an operator sets up a second factor on the spot, and later signs in with it again', async (test) => {
  const { world, page, context, open, look } = test
  const person = await createPerson(world)
  await world.gateway.addOperator(await userIdOf(test, person.email), 'owner')
  await open('/operator')
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Operators sign in with a second factor' }).waitFor()
  await look('operator-second-factor')
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn on two-factor authentication' })
  await dialog.getByLabel('Password').fill(person.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const key = (await dialog.locator('pre').first().textContent())?.trim() ?? ''
  await dialog.getByLabel('Code from your authenticator app').fill(totpOf(key, Date.now()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()

  // As if the session had begun before the second factor.
  await world.gateway.pool.query('UPDATE auth_sessions SET second_factor = false WHERE user_id = $1', [
    await userIdOf(test, person.email),
  ])
  await page.reload()
  await page.getByText('You signed in without your second factor.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  const proof = page.getByRole('dialog', { name: "Confirm it's you" })
  await proof.getByLabel('Password').fill(person.password)
  await proof.getByRole('button', { name: 'Sign in', exact: true }).click()
  await proof.getByLabel('Code from your authenticator app').fill(totpOf(key, Date.now()))
  await proof.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
  expect(await context.storageState()).toMatchObject({ origins: [] })
})

consoleTest(
  'an operator confirms a change with the sign-in after ten minutes, and signs in again after eight hours',
  async (test) => {
    const { world, page, open, look, tolerate } = test
    tolerate(/status of 403/)
    const person = await createPerson(world)
    const userId = await userIdOf(test, person.email)
    await world.gateway.addOperator(userId, 'finance')
    await open('/operator/codes')
    await signIn(page, person)
    await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
    const setUp = page.getByRole('dialog', { name: 'Turn on two-factor authentication' })
    await setUp.getByLabel('Password').fill(person.password)
    await setUp.getByRole('button', { name: 'Continue' }).click()
    const key = (await setUp.locator('pre').first().textContent())?.trim() ?? ''
    await setUp.getByLabel('Code from your authenticator app').fill(totpOf(key, Date.now()))
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor()

    await age(test, userId, '11 minutes')
    await page.getByRole('button', { name: 'Create codes' }).first().click()
    await page.getByLabel('Campaign name').fill('stale sign-in')
    await page.getByLabel('Credit per redemption (USD)').fill('1')
    await page.getByRole('dialog').getByRole('button', { name: 'Create codes' }).click()
    const proof = page.getByRole('dialog', { name: "Confirm it's you" })
    await proof.getByLabel('Password').fill(person.password)
    await look('operator-step-up')
    await proof.getByRole('button', { name: 'Sign in', exact: true }).click()
    await proof.getByLabel('Code from your authenticator app').fill(totpOf(key, Date.now()))
    await proof.getByRole('button', { name: 'Verify' }).click()
    const codes = page.getByRole('dialog', { name: 'Save these codes' })
    await codes.getByRole('button', { name: 'Done' }).click()

    await age(test, userId, '481 minutes')
    await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor()
    await look('operator-expired')
  },
)

consoleTest('an operator is told about a page that the role may not see', async (test) => {
  const { page } = test
  await enterOperator(test, '/transfers', 'support')
  await page.getByText("Your role can't view this page. Ask an owner for access.").waitFor()
  await page.getByRole('complementary', { name: 'Operator' }).getByText('Support', { exact: true }).waitFor()
})
