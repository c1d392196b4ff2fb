import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { answerCheckout, expectCheckout, headerBalance } from './setup/checkout.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { createPerson, signIn } from './setup/people.ts'

function quoteOf(page: Page): Promise<(string | null)[]> {
  return page
    .getByLabel('Price breakdown')
    .locator('[data-charged]')
    .evaluateAll((found) => found.map((node) => node.getAttribute('data-charged')))
}

async function openOrganization({ world, signInAs }: ConsoleTest, role: 'org_admin' | 'billing_viewer' | 'member') {
  const organization = await world.gateway.createOrganization({ usd: '7.000000001', name: `Lock ${role}` })
  const { userId } = await world.gateway.addMember(organization.id, { role })
  await signInAs(userId)
  return { ...organization, userId }
}

async function issueCode({ world }: ConsoleTest, amountUsd: number): Promise<string> {
  const { key } = await world.gateway.addOperatorKey()
  const body = { name: 'spring', amountUsd, codes: 1 }
  const { text } = await world.gateway.as(key).send('POST', '/api/admin/redemption-campaigns', body)
  const [, line = ''] = text.split(/\r?\n/)
  return line.split(',')[0] ?? ''
}

consoleTest('a person buys $25.00 on the page of the provider, and comes back to it', async (test) => {
  const { world, page, open, signInAs, look } = test
  expectCheckout(test)
  const { userId, walletId } = await world.gateway.createClient({ usd: '0' })
  await signInAs(userId)
  await open('/credits')
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor()
  await page.getByText('Payments are in test mode.', { exact: false }).waitFor()
  await expect.poll(() => quoteOf(page)).toEqual(['25.00 usd', '2.50 usd', '27.50 usd'])
  await look('credits')
  await page.getByLabel('Credit amount (USD)').fill('4')
  await page.getByText('Enter at least $5.00.').waitFor()
  expect(await page.getByRole('button', { name: 'Pay' }).isDisabled()).toBe(true)
  await page.getByLabel('Credit amount (USD)').fill('12.34')
  await page.getByLabel('Currency').selectOption('cny')
  await expect.poll(() => quoteOf(page)).toEqual(['89.47 cny', '8.99 cny', '4.50 cny', '102.96 cny'])
  await page.getByLabel('Currency').selectOption('usd')
  await page.getByRole('button', { name: '$25', exact: true }).click()
  await page.getByRole('button', { name: 'Pay $27.50' }).click()
  await answerCheckout(page, /^Pay 27.50 USD/)
  await page.waitForURL(/\/console\/credits\?top_up=/)
  const note = page.getByRole('status').filter({ hasText: 'added to your balance' })
  expect(await note.locator('[data-nano]').getAttribute('data-nano')).toBe('25000000000')
  await expect.poll(() => headerBalance(page)).toBe('25000000000')
  expect((await world.gateway.walletOf(walletId)).balance).toBe('25')
  await look('credits-paid')
  await note.getByRole('link', { name: 'View order' }).click()
  const sheet = page.getByRole('dialog', { name: 'Credit order' })
  await sheet.getByText('Payment received.', { exact: false }).waitFor()
  const amounts = await sheet.locator('[data-nano]').evaluateAll((found) => found.map((node) => node.dataset['nano']))
  expect(amounts).toEqual(['25000000000', '2500000000', '25000000000'])
  await look('credits-order')
  await page.keyboard.press('Escape')
  await page.getByRole('row').filter({ hasText: 'Paid' }).locator('[data-charged="27.50 usd"]').waitFor()
})

consoleTest('a payment that takes days changes the balance without a reload once it has come', async (test) => {
  const { world, page, open, signInAs, look } = test
  expectCheckout(test)
  const { userId } = await world.gateway.createClient({ usd: '0.5' })
  await signInAs(userId)
  await open('/')
  await page
    .getByText('Less than $1.00 available', { exact: false })
    .or(page.getByText('No requests yet. Send one'))
    .waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Available credit' }).click()
  await page.getByRole('button', { name: '$50', exact: true }).click()
  await page.getByRole('button', { name: 'Pay $55.00' }).click()
  await answerCheckout(page, /takes days/)
  await page.getByText('Waiting for the payment provider', { exact: false }).waitFor()
  await look('credits-waiting')
  expect(await headerBalance(page)).toBe('500000000')
  await page.evaluate('window.isSame = true')
  const id = new URL(page.url()).searchParams.get('top_up') ?? ''
  world.payments.state.succeedLate(world.payments.state.sessionOf(id)?.id ?? '')
  await page.getByRole('status').filter({ hasText: 'added to your balance' }).waitFor()
  await expect.poll(() => headerBalance(page)).toBe('50500000000')
  expect(await page.evaluate('window.isSame')).toBe(true)
})

consoleTest('an administrator buys for the organization, and comes back to its wallet', async (test) => {
  const { world, page, open, look } = test
  expectCheckout(test)
  const { slug, walletId } = await openOrganization(test, 'org_admin')
  await open(`/o/${slug}/credits`)
  await page.getByRole('button', { name: '$10', exact: true }).click()
  await page.getByRole('button', { name: 'Pay $11.00' }).click()
  await answerCheckout(page, /^Pay 11.00 USD/)
  await page.waitForURL(`**/console/o/${slug}/credits?top_up=*`)
  await page.getByRole('status').filter({ hasText: 'added to your balance' }).waitFor()
  await expect.poll(() => headerBalance(page)).toBe('17000000001')
  expect((await world.gateway.walletOf(walletId)).balance).toBe('17.000000001')
  await look('credits-organization')
})

consoleTest('a payment page that is left charges nothing, and can be gone back to', async (test) => {
  const { world, page, open, look, tolerate } = test
  expectCheckout(test)
  tolerate(/status of 403/)
  const person = await createPerson(world)
  await open('/sign-in?next=%2Fcredits')
  await signIn(page, person)
  await page
    .getByRole('heading', { name: 'Overview' })
    .or(page.getByRole('heading', { name: 'Billing', level: 1 }))
    .waitFor()
  // A purchase needs a sign-in within the last ten minutes.
  await world.gateway.pool.query(
    `UPDATE auth_sessions SET created_at = now() - interval '11 minutes'
      WHERE user_id = (SELECT id FROM auth_users WHERE email = $1)`,
    [person.email],
  )
  await open('/credits')
  await page.getByRole('button', { name: 'Pay $27.50' }).click()
  const proof = page.getByRole('dialog', { name: "Confirm it's you" })
  await proof.getByLabel('Password').fill(person.password)
  await proof.getByRole('button', { name: 'Sign in', exact: true }).click()
  await answerCheckout(page, /^Cancel/)
  await page.waitForURL(/\/console\/credits\?cancelled=/)
  await page.getByText("You left the payment page and weren't charged", { exact: false }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Pending' }).waitFor()
  await look('credits-cancelled')
  await page.getByRole('link', { name: 'Continue to payment' }).click()
  await answerCheckout(page, /^Pay 27.50 USD/)
  await page.getByRole('status').filter({ hasText: 'added to your balance' }).waitFor()
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await page.waitForURL(/\/console\/credits$/)
  expect(await page.getByRole('row').filter({ hasText: 'Paid' }).count()).toBe(1)
})

consoleTest('a refusal for want of credit leads to where it is bought', async (test) => {
  const { world, page, open, signInAs, tolerate } = test
  tolerate(/status of 402/)
  const { userId } = await world.gateway.createClient({ usd: '0' })
  await signInAs(userId)
  await open('/playground?models=test%2Fpriced')
  await page.getByLabel('Message').fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  const answer = page.getByRole('article', { name: 'Response from test/priced' })
  await answer.getByRole('link', { name: 'Buy credit' }).click()
  await page.waitForURL('**/console/credits')
  await page.getByRole('heading', { name: 'Buy credit' }).waitFor()
})

consoleTest('a code becomes credit once', async (test) => {
  const { world, page, open, signInAs, look, tolerate } = test
  tolerate(/status of 4\d\d/)
  const code = await issueCode(test, 3.5)
  const { userId } = await world.gateway.createClient({ usd: '1' })
  await signInAs(userId)
  await open('/credits')
  await page.getByLabel('Code').fill(code.toLowerCase())
  await page.getByRole('button', { name: 'Redeem' }).click()
  const said = page.getByRole('status').filter({ hasText: 'added to your balance' })
  expect(await said.locator('[data-nano]').getAttribute('data-nano')).toBe('3500000000')
  await expect.poll(() => headerBalance(page)).toBe('4500000000')
  await look('credits-redeemed')
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Redeem' }).click()
  await page.getByRole('alert').waitFor()
  expect(await headerBalance(page)).toBe('4500000000')
})

consoleTest('a billing viewer sees credit and orders of the organization, and buys nothing', async (test) => {
  const { page, open, look } = test
  const { slug } = await openOrganization(test, 'billing_viewer')
  await open(`/o/${slug}/credits`)
  await page.locator('#content [data-nano="7000000001"]').first().waitFor()
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor()
  expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
  expect(await page.getByLabel('Code').count()).toBe(0)
  await look('credits-billing-viewer')
})

consoleTest('a member is shown nothing of what the organization has', async (test) => {
  const { page, open, look } = test
  const { slug } = await openOrganization(test, 'member')
  await open(`/o/${slug}/credits`)
  await page.getByText("Your role can't view this page.", { exact: false }).waitFor()
  expect(await page.locator('[data-nano]').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
  await look('credits-member')
})
