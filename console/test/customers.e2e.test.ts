import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'

// A request costs $0.000004.
const ann = 'ann+1@mill.example'

/** Sends a request for a customer, and waits for its record if it was served. */
async function callFor({ world: { gateway } }: ConsoleTest, key: string, customer: string): Promise<number> {
  const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
  const options = { headers: { 'x-weir-customer': customer } }
  const { status, headers } = await gateway.as(key).post('/v1/chat/completions', body, options)
  const recorded = `SELECT 1 FROM generations WHERE 'gen-' || replace(id::text, '-', '') = $1`
  const values = [headers.get('x-generation-id') ?? '']
  if (status === 200) await expect.poll(async () => (await gateway.pool.query(recorded, values)).rowCount).toBe(1)
  return status
}

/** Signs in a person with $3 and a key. */
async function enter({ world: { gateway }, signInAs }: ConsoleTest) {
  const client = await gateway.createClient({ usd: '3' })
  await signInAs(client.userId)
  return client
}

consoleTest('a person adds a customer with a limit, and finds customers that requests named', async (test) => {
  const { page, open, look, tolerate } = test
  tolerate(/status of 409/)
  const { key } = await enter(test)
  await open('/customers')
  await page.getByRole('heading', { name: 'No customers yet' }).waitFor()
  await look('customers-empty')
  await page.getByRole('button', { name: 'Add customer' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add customer' })
  await dialog.getByRole('button', { name: 'Add customer' }).click()
  await dialog.getByText('Enter an ID.').waitFor()
  await dialog.getByLabel('ID', { exact: true }).fill('ann smith')
  await dialog.getByText('Use 1 to 128 letters', { exact: false }).waitFor()
  await dialog.getByLabel('ID', { exact: true }).fill(ann)
  await dialog.getByLabel('Name').fill('Ann')
  await dialog.getByLabel('Daily limit (USD)').fill('0.000000001')
  await look('customer-add')
  await dialog.getByRole('button', { name: 'Add customer' }).click()
  await page.getByRole('link', { name: ann }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(await callFor(test, key, ann)).toBe(402)
  expect(await callFor(test, key, 'acme-7')).toBe(200)
  await page.reload()
  await page.getByRole('link', { name: 'acme-7' }).waitFor()
  expect(await page.locator('#content tbody').getByRole('link').allTextContents()).toEqual(['acme-7', ann])
  const row = page.getByRole('row').filter({ hasText: 'acme-7' })
  expect(await amountsIn(row)).toEqual(['4000', '4000', '4000'])
  await look('customers')
  await page.getByLabel('Search customers').fill('ann+')
  await page.getByRole('link', { name: 'acme-7' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: ann }).waitFor()
  await page.getByRole('button', { name: 'Add customer' }).click()
  await dialog.getByLabel('ID', { exact: true }).fill(ann)
  await dialog.getByRole('button', { name: 'Add customer' }).click()
  await dialog.getByText('You already have a customer with this ID.').waitFor()
})

const amountsIn = (place: Locator): Promise<(string | undefined)[]> =>
  place.locator('[data-nano]').evaluateAll((found) => found.map((node) => node.dataset['nano']))

consoleTest('the sheet of a customer shows spend and limits, which the next request is judged by', async (test) => {
  const { page, open, look } = test
  const { key } = await enter(test)
  expect(await callFor(test, key, ann)).toBe(200)
  await open('/customers')
  await page.getByRole('link', { name: ann }).click()
  await page.waitForURL(/\/console\/customers\/[^/]+\/details$/)
  // The id ends like a file name, and the page is loaded again nevertheless.
  await page.reload()
  const sheet = page.getByRole('dialog', { name: ann, exact: true })
  await sheet.getByRole('figure', { name: 'Spend by day' }).waitFor()
  const daily = sheet.locator('[data-limit="Daily limit"]')
  const total = sheet.locator('[data-limit="Total limit"]')
  expect([await amountsIn(daily), await amountsIn(total)]).toEqual([['4000'], ['4000']])
  await sheet.getByText('for 1 request (days in UTC)').waitFor()
  const edit = async (fields: Readonly<Record<string, string>>) => {
    await sheet.getByRole('button', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog', { name: `Edit ${ann}` })
    for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
    await look(`customer-edit-${Object.keys(fields).length}`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await edit({ 'Total limit (USD)': '0.000008', 'Daily limit (USD)': '5' })
  await expect.poll(() => total.getByRole('meter').getAttribute('aria-valuenow')).toBe('50')
  expect(await amountsIn(daily)).toEqual(['4000', '5000000000'])
  await look('customer')
  await edit({ 'Total limit (USD)': '0.000004' })
  await total.getByText('Used up').waitFor()
  expect(await callFor(test, key, ann)).toBe(402)
  await edit({ 'Total limit (USD)': '', 'Daily limit (USD)': '' })
  await expect.poll(() => sheet.getByRole('meter').count()).toBe(0)
  expect(await callFor(test, key, ann)).toBe(200)
})

consoleTest('a customer is suspended and resumed, and others go on', async (test) => {
  const { page, open, look } = test
  const { key } = await enter(test)
  expect(await callFor(test, key, ann)).toBe(200)
  await open(`/customers/${encodeURIComponent(ann)}/details`)
  const sheet = page.getByRole('dialog', { name: ann, exact: true })
  await sheet.getByText('Active', { exact: true }).waitFor()
  await sheet.getByRole('button', { name: 'Suspend…' }).click()
  const suspension = page.getByRole('dialog', { name: `Suspend ${ann}?` })
  await suspension.getByText('has made 1 request totaling', { exact: false }).waitFor()
  await look('customer-suspend')
  await suspension.getByRole('button', { name: 'Suspend customer' }).click()
  await sheet.getByText('Suspended', { exact: true }).waitFor()
  expect(await callFor(test, key, ann)).toBe(403)
  expect(await callFor(test, key, 'acme-7')).toBe(200)
  await sheet.getByRole('button', { name: 'Resume…' }).click()
  const resumption = page.getByRole('dialog', { name: `Resume ${ann}?` })
  await look('customer-resume')
  await resumption.getByRole('button', { name: 'Resume customer' }).click()
  await sheet.getByText('Active', { exact: true }).waitFor()
  expect(await callFor(test, key, ann)).toBe(200)
})

consoleTest('a markup makes the statement of a customer, and tokens of its devices are revoked', async (test) => {
  const { world, page, open, look } = test
  const { key, keyId, userId } = await enter(test)
  await open('/customers')
  await page.getByRole('button', { name: 'Defaults…' }).click()
  const defaults = page.getByRole('dialog', { name: 'Customer defaults' })
  await defaults.getByLabel('Markup (%)').fill('1.234')
  await defaults.getByRole('button', { name: 'Save defaults' }).click()
  await defaults.getByText('Enter 0 to 1000, such as 15 or 2.5.').waitFor()
  await defaults.getByLabel('Markup (%)').fill('50')
  await defaults.getByLabel('Daily limit (USD)').fill('5')
  await look('customer-defaults')
  await defaults.getByRole('button', { name: 'Save defaults' }).click()
  await page.getByText('Defaults saved.').waitFor()
  expect(await callFor(test, key, ann)).toBe(200)
  const { key: manager } = await world.gateway.addKey(userId, { type: 'management' })
  const tokens = `/v1/customers/${encodeURIComponent(ann)}/tokens`
  const made = await world.gateway.as(manager).post(tokens, { api_key_id: keyId, limit: 0.5 })
  expect(made.status, made.text).toBe(201)
  await open(`/customers/${encodeURIComponent(ann)}/details`)
  const sheet = page.getByRole('dialog', { name: ann, exact: true })
  await sheet.getByText('Your default').waitFor()
  expect(await amountsIn(sheet.locator('[data-limit="Daily limit"]'))).toEqual(['4000', '5000000000'])
  const statement = sheet.getByRole('link', { name: /\(CSV\)$/ }).first()
  const file = await page.request.get(String(await statement.getAttribute('href')))
  expect(await file.text()).toContain('0.000006')
  await look('customer-tokens')
  await sheet.getByRole('button', { name: 'Revoke' }).click()
  await sheet.getByText('Revoked').waitFor()
})

consoleTest('[NEXT-26] [NEXT-122] money is added to the balance of a customer, and taken back', async (test) => {
  const { page, open, look, tolerate } = test
  tolerate(/status of 40[29]/)
  const { key } = await enter(test)
  expect(await callFor(test, key, ann)).toBe(200)
  await open(`/customers/${encodeURIComponent(ann)}/details`)
  const sheet = page.getByRole('dialog', { name: ann, exact: true })
  await sheet.getByText("No prepaid balance. Your wallet pays for this customer's requests.").waitFor()
  await sheet.getByRole('button', { name: 'Add money…' }).click()
  const adding = page.getByRole('dialog', { name: `Add money to ${ann}` })
  await adding.getByRole('button', { name: 'Add money' }).click()
  await adding.getByText('Enter an amount.').waitFor()
  await adding.getByLabel('Amount (USD)').fill('3')
  await adding.getByRole('button', { name: 'Add money' }).click()
  await adding.getByText('of the wallet is available', { exact: false }).waitFor()
  await adding.getByLabel('Amount (USD)').fill('1')
  await look('customer-add-money')
  await adding.getByRole('button', { name: 'Add money' }).click()
  await adding.waitFor({ state: 'detached' })
  await sheet.getByRole('button', { name: 'Take money back…' }).waitFor()
  await look('customer-balance')
  expect(await callFor(test, key, ann)).toBe(200)
  await sheet.getByRole('button', { name: 'Take money back…' }).click()
  const taking = page.getByRole('dialog', { name: `Take money back from ${ann}` })
  await taking.getByLabel('Amount (USD)').fill('0.999996')
  await taking.getByRole('button', { name: 'Take money back' }).click()
  await taking.waitFor({ state: 'detached' })
  await sheet.getByRole('button', { name: 'Take money back…' }).waitFor({ state: 'detached' })
  const transfers = sheet.getByRole('list', { name: 'Transfers' }).getByRole('listitem')
  await transfers.nth(1).waitFor()
  expect(await transfers.allInnerTexts()).toEqual([
    expect.stringMatching(/^Taken back[^]*0\.999\s?996$/),
    expect.stringMatching(/^Added[^]*1\.00$/),
  ])
  expect(await callFor(test, key, ann)).toBe(402)
})

consoleTest('a phone shows customers as cards', async (test) => {
  const { world, page, open, look } = test
  const { key, walletId } = await enter(test)
  expect(await callFor(test, key, ann)).toBe(200)
  await world.gateway.pool.query(
    `UPDATE end_customers SET name = 'Ann', month_limit_nano = 5000 WHERE wallet_id = $1`,
    [walletId],
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/customers')
  const card = page.locator('#content li[data-row]').first()
  await card.getByText('Spent this month', { exact: true }).waitFor()
  expect(await amountsIn(card)).toEqual(['4000', '5000', '4000'])
  for (const figure of await card.locator('[data-figure]').all()) {
    expect(await figure.evaluate((node) => node.scrollWidth > node.clientWidth)).toBe(false)
  }
  expect(await page.locator('#content table').count()).toBe(0)
  await look('phone-customers')
  await page.setViewportSize({ width: 390, height: 844 })
  await card.getByRole('link', { name: ann }).click()
  const sheet = page.getByRole('dialog', { name: 'Ann' })
  await sheet.getByText('Nearly used up').waitFor()
  expect(await sheet.evaluate((node) => node.scrollWidth > node.clientWidth)).toBe(false)
  await look('phone-customer')
})

consoleTest(
  'customers of an organization: its admin limits them, billing reads them, members see no page',
  async (test) => {
    const { world, page, open, signInAs } = test
    const { id, slug } = await world.gateway.createOrganization({ usd: '5', name: 'Tenant Mill' })
    const { key } = await world.gateway.addOrganizationKey(id)
    expect(await callFor(test, key, 'acme-7')).toBe(200)
    const enterAs = async (role: 'org_admin' | 'billing_viewer' | 'member', path: string) => {
      await signInAs((await world.gateway.addMember(id, { role })).userId)
      await open(`/o/${slug}${path}`)
    }
    await enterAs('org_admin', '/customers')
    await page.getByRole('link', { name: 'acme-7' }).click()
    const sheet = page.getByRole('dialog', { name: 'acme-7', exact: true })
    await sheet.getByRole('button', { name: 'Suspend…' }).click()
    await page.getByRole('button', { name: 'Suspend customer' }).click()
    await sheet.getByText('Suspended', { exact: true }).waitFor()
    expect(await callFor(test, key, 'acme-7')).toBe(403)
    await open(`/o/${slug}/audit`)
    await page.getByText('Customer changed').first().waitFor()
    await enterAs('billing_viewer', '/customers/acme-7/details')
    await sheet.getByText('Suspended', { exact: true }).waitFor()
    expect(await sheet.getByRole('button', { name: /Resume|Edit/ }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Add customer' }).count()).toBe(0)
    await enterAs('member', '/customers')
    await page.getByText("Your role can't view this page.", { exact: false }).waitFor()
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).count()).toBe(0)
  },
)
