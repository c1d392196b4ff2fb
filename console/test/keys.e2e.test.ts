import { expect } from 'vitest'
import { nanoUsd } from '../../server/src/domain/money/nano-usd.ts'
import { consoleTest } from './setup/console-test.ts'
import { placesWith } from './setup/places-with.ts'

consoleTest(
  'a person creates a key, sees its secret once, and the key works',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createClient()
    await signInAs(userId)
    await open('/keys')
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
    await look('keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('laptop')
    await page.getByLabel('Spend limit (USD)').fill('1234.123456789')
    await look('keys-create')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
    expect(secret).toMatch(/^sk-weir-/)
    await page.getByRole('button', { name: 'Try it now' }).click()
    await page.getByText('Water finds its way.').waitFor()
    await look('keys-secret')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    await row.getByText('total', { exact: true }).waitFor()
    expect(await row.locator('data').last().getAttribute('data-nano')).toBe('1234123456789')
    expect(await placesWith(page, secret)).toEqual([])
    await page.getByRole('button', { name: 'View API calls' }).click()
    await page.getByRole('dialog').locator('pre').filter({ hasText: '-X POST' }).waitFor()
    expect(await placesWith(page, secret)).toEqual([])
    const reply = await world.gateway.as(secret).get('/v1/key')
    expect(reply.status).toBe(200)
  },
)

consoleTest(
  'keys are found by name through the URL, turned off and deleted',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createClient()
    const laptop = await world.gateway.addKey(userId, { name: 'laptop' })
    await world.gateway.addKey(userId, { name: 'nightly-report' })
    await signInAs(userId)
    await open('/keys')
    await page.getByRole('row').filter({ hasText: 'nightly-report' }).waitFor()
    await page.getByLabel('Search keys').fill('lap')
    await page.waitForURL('**/console/keys?q=lap')
    await page.getByRole('row').filter({ hasText: 'nightly-report' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions for laptop' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await page.getByRole('row').filter({ hasText: 'laptop' }).getByText('Disabled', { exact: true }).waitFor()
    expect((await world.gateway.as(laptop.key).get('/v1/key')).status).toBe(401)
    await page.getByRole('button', { name: 'Actions for laptop' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await look('keys-delete')
    await page.getByRole('button', { name: 'Delete key' }).click()
    await page.getByRole('heading', { name: 'No matching API keys' }).waitFor()
  },
)

consoleTest(
  'a key is rotated: the new secret is shown once, and the former one works on for the overlap',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createClient()
    const former = await world.gateway.addKey(userId, { name: 'laptop' })
    await signInAs(userId)
    await open('/keys')
    const rotate = async (overlap: string): Promise<string> => {
      await page.getByRole('button', { name: 'Actions for laptop' }).click()
      await page.getByRole('menuitem', { name: 'Rotate…' }).click()
      await page.getByLabel('Old secret expires').selectOption(overlap)
      await page.getByRole('button', { name: 'Rotate key' }).click()
      const secret = page.getByRole('dialog', { name: 'Copy your secret now' }).locator('pre')
      return (await secret.textContent()) ?? ''
    }
    const statusOf = async (key: string) => (await world.gateway.as(key).get('/v1/key')).status
    const second = await rotate('3600')
    await page.getByText('The old secret works until').waitFor()
    await page.getByRole('button', { name: 'Try it now' }).click()
    await page.getByText('Water finds its way.').waitFor()
    await look('keys-rotated')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(second)
    expect(await Promise.all([second, former.key].map(statusOf))).toEqual([200, 200])
    await page
      .getByRole('row')
      .filter({ hasText: second.slice(-4) })
      .waitFor()
    const third = await rotate('0')
    await page.getByText('The old secret stops working within 15 seconds.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await Promise.all([third, second, former.key].map(statusOf))).toEqual([200, 401, 401])
  },
)

consoleTest(
  'the sheet of a key names the tightest of its limits and what is left of each',
  async ({ world, page, open, signInAs, look }) => {
    const { userId, walletId } = await world.gateway.createClient({ usd: '3' })
    const { keyId, key } = await world.gateway.addKey(userId, {
      name: 'laptop',
      limit: nanoUsd(2_000_000_001n),
      period: 'day',
    })
    const call = { model: 'test/priced', messages: [{ role: 'user', content: 'one two three' }] }
    expect((await world.gateway.as(key).post('/v1/chat/completions', call)).status).toBe(200)
    const { charged } = await world.gateway.walletOf(walletId)
    const spent = BigInt(charged.replace('.', '').padEnd(10, '0'))
    await signInAs(userId)
    await open('/keys')
    await page.getByRole('link', { name: 'laptop' }).click()
    await page.waitForURL(`**/console/keys/${keyId}`)
    const sheet = page.getByRole('dialog')
    await sheet.getByText('Remaining under the daily limit for this key').waitFor()
    const limits = sheet.locator('[data-nano]:not(figure [data-nano])')
    const amounts = await limits.evaluateAll((found) => found.map((node) => node.dataset['nano']))
    const own = 2_000_000_001n - spent
    const wallet = 3_000_000_000n - spent
    expect(amounts).toEqual(
      [own, wallet, wallet, 0n, own, 2_000_000_001n, spent, spent, spent, spent, spent].map(String),
    )
    await look('key')
    await sheet.getByRole('button', { name: 'Disable' }).click()
    await sheet.getByText('Disabled', { exact: true }).waitFor()
    await sheet.getByRole('button', { name: 'Delete key…' }).click()
    await page.getByRole('button', { name: 'Delete key', exact: true }).click()
    await page.waitForURL('**/console/keys')
    await page.getByRole('row').filter({ hasText: 'laptop' }).waitFor({ state: 'detached' })
  },
)

consoleTest('the bar of a limit shows its share, and turns amber and red before and at its end', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId, walletId } = await world.gateway.createClient({ usd: '3' })
  const { keyId, key } = await world.gateway.addKey(userId, { name: 'laptop' })
  const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
  expect((await world.gateway.as(key).post('/v1/chat/completions', body)).status).toBe(200)
  await expect.poll(async () => (await world.gateway.walletOf(walletId)).charged).toBe('0.000004')
  await signInAs(userId)
  await open(`/keys/${keyId}`)
  const sheet = page.getByRole('dialog', { name: 'laptop' })
  const limit = sheet.locator('[data-limit="Lifetime limit for this key"]')
  const meter = limit.getByRole('meter')
  for (const [usd, percent, words, tone] of [
    ['0.000008', '50', '', 'bg-accent'],
    ['0.0000045', '88', 'Nearly used up', 'bg-warn'],
    ['0.000004', '100', 'Used up', 'bg-bad'],
  ] as const) {
    await sheet.getByRole('button', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit laptop' })
    await dialog.getByLabel('Spend limit (USD)').fill(usd)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe(percent)
    await expect.poll(() => meter.locator('span').first().getAttribute('style')).toBe(`width: ${percent}%;`)
    expect(await meter.locator('span').first().getAttribute('class')).toContain(tone)
    expect(await limit.getByText(/sed up$/).allTextContents()).toEqual(words === '' ? [] : [words])
  }
  // What is left of the balance is nearly all of it.
  expect(await sheet.locator('[data-limit="Balance"]').getByRole('meter').getAttribute('aria-valuenow')).toBe('0')
})

consoleTest(
  'the limit and the addresses of a key are edited, and the next request is judged by them',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createClient({ usd: '3' })
    const { keyId, key } = await world.gateway.addKey(userId, { name: 'laptop' })
    const call = () =>
      world.gateway
        .as(key)
        .post('/v1/chat/completions', { model: 'test/priced', messages: [{ role: 'user', content: 'one two' }] })
    expect((await call()).status).toBe(200)
    await signInAs(userId)
    await open(`/keys/${keyId}`)
    const sheet = page.getByRole('dialog', { name: 'laptop' })
    await sheet.getByRole('figure', { name: 'Spend by day and model' }).waitFor()
    const edit = async (fields: Readonly<Record<string, string>>) => {
      await sheet.getByRole('button', { name: 'Edit…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit laptop' })
      for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
      await look(`key-edit-${Object.keys(fields).length}`)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await edit({ 'Spend limit (USD)': '0.000000001' })
    await sheet.getByText('Used up').waitFor()
    await look('key-used-up')
    expect((await call()).status).toBe(402)
    await edit({ 'Spend limit (USD)': '', 'Allowed IP addresses': '192.0.2.1' })
    await sheet.getByText('192.0.2.1').waitFor()
    expect((await call()).status).toBe(401)
    await edit({ 'Spend limit (USD)': '', 'Allowed IP addresses': '' })
    await sheet.getByText('Any', { exact: true }).waitFor()
    expect((await call()).status).toBe(200)
  },
)
