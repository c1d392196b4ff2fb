import { expect } from 'vitest'
import { tamper } from '../../server/test/audit/audit-world.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { addFilter } from './setup/filters.ts'
import { startSimulator } from '../../server/test/simulators/start-simulator.ts'
import { jsonAnswer } from '../../server/test/simulators/scenarios/json-answer.ts'
import { startWorld } from './setup/world.ts'

/** Creates an organization, and signs in a person who administers it. */
async function enter({ world: { gateway }, signInAs }: ConsoleTest, name: string) {
  const organization = await gateway.createOrganization({ usd: '50', name })
  const { userId } = await gateway.addMember(organization.id, { role: 'org_admin' })
  await signInAs(userId)
  return organization
}

consoleTest('a content filter is tried before it is saved, blocks, is disabled and deleted', async (test) => {
  const { page, open, look, world } = test
  const { id, slug } = await enter(test, 'Sieve Mill')
  const { key } = await world.gateway.addOrganizationKey(id)
  const send = async (content: string) => {
    const body = { model: 'test/priced', messages: [{ role: 'user', content }] }
    return (await world.gateway.as(key).post('/v1/chat/completions', body)).status
  }
  await open(`/o/${slug}/filters`)
  await page.getByRole('heading', { name: 'No content filters yet' }).waitFor()
  await look('filters-empty')
  await page.getByRole('button', { name: 'Create filter' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Test this filter').last().fill('Write to ada@example.com today')
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await dialog.getByText('Choose what the filter matches first.').waitFor()
  await dialog.getByRole('button', { name: 'Create filter' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('No addresses')
  await dialog.getByLabel('Template').selectOption('email_address')
  await dialog.getByLabel('Action').selectOption('redact')
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await dialog.getByText('Write to [REDACTED] today').waitFor()
  expect(await dialog.locator('mark').allTextContents()).toEqual(['ada@example.com'])
  await look('filter-create')
  await dialog.getByLabel('Action').selectOption('block')
  await dialog.getByRole('button', { name: 'Create filter' }).click()
  await page.getByRole('link', { name: 'No addresses' }).waitFor()
  await expect.poll(() => send('Write to ada@example.com')).toBe(403)
  expect(await send('Write to nobody')).toBe(200)
  await page.getByLabel('Text', { exact: true }).fill('ada@example.com and bob@example.com')
  await page.getByRole('button', { name: 'Test filters' }).click()
  await page.getByText('2 matches').first().waitFor()
  await look('filters')
  await page.getByRole('link', { name: 'No addresses' }).click()
  await page.waitForURL(/\/filters\/[0-9a-f-]{36}$/)
  await dialog.getByLabel('Enabled').uncheck()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('cell', { name: 'Disabled' }).waitFor()
  await expect.poll(() => send('Write to ada@example.com')).toBe(200)
  await page.getByRole('button', { name: 'Actions for No addresses' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete filter' }).click()
  await page.getByRole('heading', { name: 'No content filters yet' }).waitFor()
})

consoleTest('the audit log names actor and change, and the browser verifies its chain', async (test) => {
  const { page, open, look, world } = test
  const { id, slug } = await enter(test, 'Ledger Mill')
  const admin = await world.gateway.addMember(id, { role: 'org_admin' })
  const { key } = await world.gateway.addKey(admin.userId, { type: 'management' })
  const client = world.gateway.as(key)
  const rule = { name: 'No names', action: 'flag', matcher: { kind: 'keyword', keyword: 'ada' } }
  const made = await client.post(`/api/orgs/${id}/content-filters`, rule)
  const { data } = JSON.parse(made.text) as { data: { id: string } }
  await client.patch(`/api/orgs/${id}/content-filters/${data.id}`, { action: 'block' })
  await client.patch(`/v1/orgs/${id}`, { name: 'Ledger Mill North' })
  await open(`/o/${slug}/audit`)
  await page.getByRole('link', { name: 'Organization changed' }).waitFor()
  await look('audit-log')
  await page.getByRole('link', { name: 'Content filter changed' }).click()
  await page.waitForURL(/\/audit\/\d+$/)
  const sheet = page.getByRole('dialog')
  const changed = sheet.getByRole('row', { name: /^Action/ }).getByRole('cell')
  await expect.poll(() => changed.allTextContents()).toEqual(['flag', 'block'])
  await look('audit-entry')
  await sheet.getByTitle('Show only this actor').click()
  await page.waitForURL(/actor=/)
  await page.getByRole('button', { name: /^Remove filter Actor:/ }).click()
  await page.waitForURL((url) => !url.searchParams.has('actor'))
  await addFilter(page, 'Action', 'Content filters')
  await page.waitForURL(/action=filter/)
  await expect.poll(() => page.getByRole('link', { name: 'Organization changed' }).count()).toBe(0)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/)
  const verify = async () => {
    await page.getByRole('button', { name: 'Verify log…' }).click()
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
  }
  const { rows } = await world.gateway.pool.query<{ count: string }>(
    'SELECT count(*) FROM audit_entries WHERE chain_id = $1',
    [id],
  )
  await verify()
  await page.getByText(`${rows[0]?.count} entries verified`, { exact: true }).waitFor()
  await look('audit-verified')
  await page.getByLabel('Saved hash (optional)').fill('00')
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await page.getByText("The saved hash isn't in the log", { exact: false }).waitFor()
  await page.getByRole('dialog').getByText('Close', { exact: true }).click()
  await tamper(world.gateway.pool, [
    `UPDATE audit_entries SET action = 'org.create' WHERE chain_id = $1 AND sequence = 2`,
    [id],
  ])
  await verify()
  await page.getByText('Verification failed at entry 2.', { exact: false }).waitFor()
})

consoleTest('a person of an institution enters by code, and the session is seen and revoked', async (test) => {
  const { page, open, look, world } = test
  const { id, slug } = await enter(test, 'Campus Mill')
  await open(`/o/${slug}/institutions`)
  await page.getByRole('heading', { name: 'No institution keys yet' }).waitFor()
  await look('institutions-empty')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Campus')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Enter at least one domain.').waitFor()
  await dialog.getByLabel('Email domains').fill('mill.example, cs.mill.example')
  await dialog.getByLabel('Requests per session').fill('20')
  await look('institution-create')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog', { name: 'Copy your secret now' }).waitFor()
  const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
  expect(secret).toMatch(/^sk-edu-/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Campus', exact: true }).waitFor()
  expect(await page.content()).not.toContain(secret)
  const post = (path: string, body: object) =>
    fetch(`${world.origin}/api/edu/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const email = 'ada@mill.example'
  expect((await post('request-code', { key: secret, email })).status).toBe(200)
  const code = /\b\d{6}\b/.exec((await world.mail.nextTo(email)).text)?.[0] ?? ''
  const entered = await post('verify', { key: secret, email, code })
  const { token } = (await entered.json()) as { token: string }
  const ask = async () => {
    const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
    return (await world.gateway.as(token).post('/v1/chat/completions', body)).status
  }
  expect(await ask()).toBe(200)
  await page.getByRole('link', { name: 'Campus', exact: true }).click()
  await page.waitForURL(/\/institutions\/[0-9a-f-]{36}$/)
  const row = page.getByRole('row').filter({ hasText: email })
  await row.getByText('1 of 20').waitFor()
  await look('institution')
  await page.getByRole('button', { name: 'Edit…' }).click()
  await dialog.getByLabel('Sessions per person').fill('2')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Institution key saved.').waitFor()
  const { rows } = await world.gateway.pool.query<Record<string, unknown>>(
    `SELECT after FROM audit_entries WHERE chain_id = $1 AND action = 'institution.key.update'`,
    [id],
  )
  expect(rows).toEqual([{ after: { maxSessionsPerEmailPerKey: 2 } }])
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Revoke all sessions of this person…' }).click()
  await page.getByRole('button', { name: 'Revoke sessions' }).click()
  await page.getByText(`1 session of ${email} revoked.`).waitFor()
  await expect.poll(ask).toBe(401)
  await page.getByRole('heading', { name: 'No live sessions' }).waitFor()
  await page.getByLabel('Status').selectOption('all')
  await row.getByText('Revoked').waitFor()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete key' }).click()
  await page.getByRole('heading', { name: 'No institution keys yet' }).waitFor()
})

consoleTest(
  'an institution is told that no mail server is configured',
  async (test) => {
    const { page, open, look } = test
    const { slug } = await enter(test, 'Mute Mill')
    await open(`/o/${slug}/institutions`)
    await page.getByText('No mail server is configured', { exact: false }).waitFor()
    await look('institutions-no-mail')
  },
  () => startWorld({ sendsMail: false }),
)

consoleTest('reports by person, team, model and cost center add up, are exported and printed', async (test) => {
  const { page, open, look, world } = test
  const { gateway } = world
  const { id, slug } = await enter(test, 'Tally Mill')
  const { teamId } = await gateway.addTeam(id, { name: 'Millers', monthlyBudgetUsd: '9' })
  await gateway.pool.query(`UPDATE teams SET cost_center_code = 'CC-7' WHERE id = $1`, [teamId])
  const member = await gateway.addMember(id, { teamId, monthlyBudgetUsd: '4' })
  const keys = [
    await gateway.addOrganizationKey(id, { memberId: member.memberId, teamId }),
    await gateway.addOrganizationKey(id),
  ]
  for (const { key } of keys) {
    const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
    expect((await gateway.as(key).post('/v1/chat/completions', body)).status).toBe(200)
  }
  await open(`/o/${slug}/reports`)
  // The worker adds up requests within seconds.
  const counted = async () => {
    const answer = await page.request.get(`/api/orgs/${id}/reports/overview`)
    return ((await answer.json()) as { requests: number }).requests
  }
  await expect.poll(counted).toBe(2)
  const { rows } = await gateway.pool.query<{ spent: string }>(
    `SELECT sum(cost_nano)::text AS spent FROM generations
     WHERE wallet_id = (SELECT id FROM wallets WHERE owner_id = $1)`,
    [id],
  )
  await page.reload()
  const total = page.locator(`tfoot data[data-nano="${rows[0]?.spent}"]`)
  await total.waitFor()
  await page.getByRole('row').filter({ hasText: 'Keys without a member' }).waitFor()
  await look('reports-by-person')
  for (const [name, row] of [
    ['By team', 'Millers'],
    ['By cost center', 'CC-7'],
    ['By model', 'test/priced'],
    ['By day', new Date().toISOString().slice(0, 10)],
  ] as const) {
    await page.getByRole('tab', { name }).click()
    await page.getByRole('row').filter({ hasText: row }).first().waitFor()
    await total.waitFor()
  }
  await look('reports-by-day')
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    return file.suggestedFilename()
  }
  expect(await download()).toMatch(/^report-overview-\d{4}-\d\d\.csv$/)
  await page.getByRole('tab', { name: 'By team' }).click()
  await page.getByRole('row').filter({ hasText: 'Millers' }).waitFor()
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('heading', { name: /^Tally Mill: spend by team, / }).waitFor()
  expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0)
  await look('reports-printed')
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('tab', { name: 'By model' }).click()
  await page.getByRole('link', { name: 'test/priced' }).click()
  await page.waitForURL(/\/requests\?.*model=test/)
  await page.getByRole('heading', { name: 'Requests' }).waitFor()
})

consoleTest('a billing viewer reads the reports, but not who spent what', async (test) => {
  const { page, open, world, signInAs } = test
  const { id, slug } = await world.gateway.createOrganization({ usd: '5', name: 'Quiet Mill' })
  const { userId } = await world.gateway.addMember(id, { role: 'billing_viewer' })
  await signInAs(userId)
  await open(`/o/${slug}/reports?view=members`)
  await page.getByRole('tab', { name: 'By team' }).waitFor()
  expect(await page.getByRole('tab', { name: 'By person' }).count()).toBe(0)
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  expect(await links.filter({ hasText: 'Reports' }).count()).toBeGreaterThan(0)
  for (const name of ['Audit log', 'Content filters', 'Institution keys']) {
    expect(await links.filter({ hasText: name }).count(), name).toBe(0)
  }
})

consoleTest('own keys are added, mapped, disabled and deleted, and their secret is never shown', async (test) => {
  const { page, open, look } = test
  const { slug } = await enter(test, 'Source Mill')
  const provider = await startSimulator()
  provider.playNext(jsonAnswer(401, { error: { message: 'Incorrect API key provided.' } }))
  await open(`/o/${slug}/own-keys`)
  await page.getByRole('heading', { name: 'No own keys yet' }).waitFor()
  await look('own-keys-empty')
  await page.getByRole('button', { name: 'Add key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Provider', { exact: true }).selectOption({ label: 'Anthropic' })
  await dialog.getByText('Leave empty for https://api.anthropic.com').waitFor()
  await dialog.getByLabel('Provider', { exact: true }).selectOption({ label: 'Azure OpenAI' })
  await dialog.getByLabel('Name').fill('Our account')
  await dialog.getByLabel('Secret key').fill('sk-own-0123456789wxyz')
  await dialog.getByRole('button', { name: 'Add key' }).click()
  await dialog.getByText("Enter the address of the provider's API.").waitFor()
  await dialog.getByLabel('Provider', { exact: true }).selectOption({ label: 'Any, with an OpenAI compatible API' })
  await dialog.getByLabel('Base URL').fill(`${provider.url}/v1`)
  await dialog.getByLabel('Secret key').fill('sk-own-0123456789wxyz')
  await look('own-key-add')
  await dialog.getByRole('button', { name: 'Add key' }).click()
  await page.waitForURL(/\/own-keys\/[0-9a-f-]{36}$/)
  await dialog.getByText('No models yet', { exact: false }).waitFor()
  await dialog.getByText('Failing', { exact: true }).waitFor()
  expect(await page.content()).not.toContain('0123456789')
  await dialog.getByLabel('Model', { exact: true }).fill('openai/no-such-model')
  await dialog.getByLabel('Name at the provider').fill('ours')
  test.tolerate(/status of 400/)
  await dialog.getByRole('button', { name: 'Add model' }).click()
  await dialog.getByText('not found', { exact: false }).waitFor()
  await look('own-key')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByText('Disabled', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Delete key…' }).click()
  await page.getByRole('button', { name: 'Delete key', exact: true }).click()
  await page.getByRole('heading', { name: 'No own keys yet' }).waitFor()
  await provider.close()
})

consoleTest("an administrator sets and deletes the secret of the organization's webhooks", async (test) => {
  const { page, open, look, world } = test
  const { id, slug } = await enter(test, 'Signal Mill')
  await open(`/o/${slug}/webhooks`)
  await page.getByRole('button', { name: 'Create secret' }).click()
  const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
  expect(secret).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Webhooks are signed with a secret').waitFor()
  expect(await page.content()).not.toContain(secret)
  await look('organization-webhooks')
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete secret' }).click()
  await page.getByText("Webhooks aren't signed.", { exact: false }).waitFor()
  const member = await world.gateway.addMember(id, { role: 'member' })
  await test.signInAs(member.userId)
  await open(`/o/${slug}/webhooks`)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Signing secret' }).count()).toBe(0)
})
