import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { answerCheckout, expectCheckout } from './setup/checkout.ts'
import { consoleTest } from './setup/console-test.ts'
import { issueInvoice } from './setup/monthly-invoice.ts'
import { createPerson, signIn } from './setup/people.ts'
import { payOrder } from './setup/paid-order.ts'

consoleTest('a payer says who receipts are for, and prints the receipt of a payment', async (test) => {
  const { world, page, context, open, signInAs, look } = test
  const payer = await world.gateway.createClient({ usd: '0' })
  await signInAs(payer.userId)
  await open('/billing')
  await page.getByLabel('Name').fill('Weir & Sons <Mill>')
  await page.getByLabel('Address').fill('Am Wehr 1\n12345 Weiler')
  await page.getByLabel('Country').fill('de')
  await look('billing')
  await page.getByRole('button', { name: 'Save billing details' }).click()
  await page.getByText("Billing details saved. Documents already issued don't change.").waitFor()
  await payOrder(world, payer, 25)
  await page.getByRole('link', { name: 'Invoices', exact: true }).click()
  const row = page.getByRole('row').filter({ has: page.locator('[data-charged="27.50 usd"]') })
  await row.getByText('Receipt').waitFor()
  await look('invoices')
  const number = (await row.getByRole('link').first().textContent()) ?? ''
  await row.getByRole('link', { name: number }).click()
  const sheet = page.getByRole('dialog', { name: `Receipt ${number}` })
  await sheet.locator('[data-verdict="equal"]').waitFor()
  await sheet.getByText('Weir & Sons <Mill>', { exact: false }).waitFor()
  const amounts = await sheet
    .locator('[data-charged]')
    .evaluateAll((found) => found.map((node) => node.dataset['charged']))
  expect(amounts).toEqual(['25.00 usd', '2.50 usd', '27.50 usd'])
  await look('invoice')
  const [printed] = await Promise.all([
    context.waitForEvent('page'),
    sheet.getByRole('link', { name: 'Print' }).click(),
  ])
  await printed.getByRole('heading', { name: 'Receipt' }).waitFor()
  await printed.getByText(number).first().waitFor()
  await printed.getByText('Weir & Sons <Mill>').waitFor()
  await printed.getByText('27.50').first().waitFor()
  expect((await printed.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
  await printed.close()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('link', { name: 'Download PDF' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`${number}.pdf`)
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
})

consoleTest('an administrator saves a card on the page of the provider, and has it forgotten', async (test) => {
  const { world, page, open, signInAs, look } = test
  expectCheckout(test)
  const { id, slug } = await world.gateway.createOrganization({ usd: '0', name: 'Lock and Card' })
  const { userId } = await world.gateway.addMember(id, { role: 'org_admin' })
  await signInAs(userId)
  await open(`/o/${slug}/billing`)
  await page.getByText('No saved cards.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Add card' }).click()
  await answerCheckout(page, /^Save the card/)
  await page.waitForURL(`**/console/o/${slug}/billing?card=saved`)
  await page.getByText('Visa ending in 4242 expires 12/2034').waitFor()
  await look('billing-card')
  await page.getByRole('button', { name: 'Remove Visa ending in 4242' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove card' }).click()
  await page.getByText('No saved cards.', { exact: false }).waitFor()
})

consoleTest('a card is charged by itself when little is left, and no longer once it is disabled', async (test) => {
  const { world, page, open, signInAs, look } = test
  expectCheckout(test)
  const { userId, walletId } = await world.gateway.createClient({ usd: '6' })
  await signInAs(userId)
  await open('/billing')
  await page.getByText('Add a card to turn on automatic top-up.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Add card' }).click()
  await answerCheckout(page, /^Save the card/)
  await page.getByText('Card saved.').waitFor()
  await page.getByLabel('Top up when credit falls below (USD)').fill('7.5')
  await page.getByLabel('Top up to (USD)').fill('20')
  await look('billing-auto-top-up')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Automatic top-up is on.').waitFor()
  await expect.poll(async () => (await world.gateway.walletOf(walletId)).balance).toBe('20')
  await open('/credits')
  await page.locator('#content [data-nano="20000000000"]').first().waitFor()
  await page
    .getByRole('row')
    .filter({ has: page.locator('[data-nano="14000000000"]') })
    .getByText('Paid')
    .waitFor()
  await page.getByRole('link', { name: 'Payment', exact: true }).click()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Automatic top-up is off.').waitFor()
  const { json } = await world.gateway
    .as({ cookie: await world.gateway.signIn(userId) })
    .get(`/api/wallets/${walletId}/auto-top-up`)
  expect(json).toMatchObject({ data: { enabled: false, bought_today: 14 } })
})

consoleTest('an owner chooses the amounts to be told of, and finds them again', async (test) => {
  const { world, page, open, look } = test
  const person = await createPerson(world)
  await open('/sign-in?next=%2Fbilling')
  await signIn(page, person)
  await page.waitForURL('**/console/billing')
  const alerts = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Alerts' }) })
  await alerts.getByLabel('Balance alerts (USD)').fill('five')
  await alerts.getByRole('button', { name: 'Save alerts' }).click()
  await alerts.getByText('Enter amounts in USD separated by commas', { exact: false }).waitFor()
  await alerts.getByLabel('Balance alerts (USD)').fill('2.5, 10')
  await alerts.getByLabel('Email me').check()
  await look('billing-alerts')
  await alerts.getByRole('button', { name: 'Save alerts' }).click()
  await page.getByText('Alerts saved.').waitFor()
  await page.reload()
  await expect.poll(() => alerts.getByLabel('Balance alerts (USD)').inputValue()).toBe('2.5, 10')
})

consoleTest('an administrator pays a monthly invoice to the cent, and the rest is carried', async (test) => {
  const { world, page, open, signInAs, look } = test
  expectCheckout(test)
  const organization = await world.gateway.createOrganization({ usd: '0', name: 'Monthly Mill', creditLineUsd: '1000' })
  const { userId } = await world.gateway.addMember(organization.id, { role: 'org_admin' })
  await issueInvoice(world, organization, 42_345_678_901n)
  await signInAs(userId)
  await open(`/o/${organization.slug}/invoices`)
  const row = page
    .getByRole('row')
    .filter({ hasText: 'Invoice' })
    .filter({ has: page.locator('[data-charged]') })
  await row.getByText(/^Due \d{4}-/).waitFor()
  await row.getByRole('link').first().click()
  const sheet = page.getByRole('dialog')
  await sheet.locator('[data-verdict="equal"]').waitFor()
  await sheet.locator('[data-nano="42345678901"]').waitFor()
  await look('invoice-monthly')
  await sheet.getByRole('button', { name: 'Pay $42.34' }).click()
  await answerCheckout(page, /^Pay 42.34 USD/)
  await page.waitForURL(`**/console/o/${organization.slug}/credits?top_up=*`)
  await page.getByRole('status').filter({ hasText: 'added to your balance' }).waitFor()
  expect((await world.gateway.walletOf(organization.walletId)).balance).toBe('-0.005678901')
  await page.locator('#content [data-nano="-5678901"]').waitFor()
  // A negative balance is normal with a credit line.
  expect(await page.getByText('Your balance is negative', { exact: false }).count()).toBe(0)
  await page.getByRole('link', { name: 'Invoices', exact: true }).click()
  await row.getByText('Paid', { exact: true }).waitFor()
  await look('invoices-paid')
})

consoleTest('a billing viewer reads invoices and how the organization pays, and a member neither', async (test) => {
  const { world, page, open, signInAs, context } = test
  const { id, slug } = await world.gateway.createOrganization({ usd: '0', name: 'Quiet Mill' })
  const viewer = await world.gateway.addMember(id, { role: 'billing_viewer' })
  const member = await world.gateway.addMember(id, { role: 'member' })
  await signInAs(viewer.userId)
  await open(`/o/${slug}/billing`)
  await page.getByText('No billing details yet.', { exact: false }).waitFor()
  expect(await page.getByRole('button', { name: /^Save/ }).count()).toBe(0)
  await open(`/o/${slug}/invoices`)
  await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
  await context.clearCookies()
  await signInAs(member.userId)
  await open(`/o/${slug}/billing`)
  await page.getByText("Your role can't view this page.", { exact: false }).waitFor()
  await open(`/o/${slug}/invoices`)
  await page.getByText("Your role can't view this page.", { exact: false }).waitFor()
})
