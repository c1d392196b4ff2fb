import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { createPerson } from './setup/people.ts'

type Options = { readonly role?: 'org_admin' | 'billing_viewer' | 'team_admin' | 'member'; readonly teamId?: string }

/** Creates an organization. */
function found({ world: { gateway } }: ConsoleTest, name: string) {
  return gateway.createOrganization({ usd: '50', name })
}

/** Signs in a person with a role in the organization. */
async function enter({ world: { gateway }, signInAs }: ConsoleTest, id: string, options: Options = {}) {
  const member = await gateway.addMember(id, { role: 'org_admin', ...options })
  await signInAs(member.userId)
  return member
}

async function rename({ world: { gateway } }: ConsoleTest, userId: string, name: string): Promise<void> {
  await gateway.pool.query('UPDATE users SET name = $2 WHERE id = $1', [userId, name])
}

consoleTest('an administrator adds a member, changes role, team and budget, and removes them', async (test) => {
  const { world, page, open, look } = test
  const { gateway } = world
  const { id, slug } = await found(test, 'People Mill')
  await enter(test, id)
  const { teamId } = await gateway.addTeam(id, { name: 'Sluice' })
  const person = await createPerson(world)
  await open(`/o/${slug}/members`)
  await page.getByRole('button', { name: 'Add member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('nobody@example.com')
  await dialog.getByLabel('Team').selectOption('Sluice')
  await dialog.getByLabel('Monthly budget (USD)').fill('12.5x')
  await dialog.getByRole('button', { name: 'Add member' }).click()
  await dialog.getByText('Enter an amount', { exact: false }).waitFor()
  await dialog.getByLabel('Monthly budget (USD)').fill('0.000000007')
  test.tolerate(/status of 404/)
  await dialog.getByRole('button', { name: 'Add member' }).click()
  await dialog.getByText("nobody@example.com can't be added directly", { exact: false }).waitFor()
  await look('member-add')
  await dialog.getByLabel('Email').fill(person.email)
  await dialog.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('link', { name: person.name }).waitFor()
  await look('members')
  const { rows } = await gateway.pool.query<{ id: string; team_id: string; monthly_budget_nano: string }>(
    'SELECT m.id, m.team_id, m.monthly_budget_nano FROM members m JOIN users u ON u.id = m.user_id WHERE u.email = $1',
    [person.email],
  )
  const [member] = rows
  expect(member).toMatchObject({ team_id: teamId, monthly_budget_nano: '7' })
  const memberId = member?.id ?? ''
  const { key } = await gateway.addOrganizationKey(id, { memberId, terms: { name: 'of-the-member' } })
  await gateway.addOrganizationKey(id, { terms: { name: 'of-nobody' } })
  await page.getByRole('link', { name: person.name }).click()
  await page.waitForURL(`**/o/${slug}/members/${memberId}`)
  const sheet = page.getByRole('dialog', { name: person.name })
  await sheet.getByLabel('Team').selectOption('None')
  await sheet.getByLabel('Monthly budget (USD)').fill('25')
  await sheet.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(`${person.name} updated.`).waitFor()
  await sheet.getByRole('combobox', { name: 'Role' }).selectOption('billing_viewer')
  await sheet.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .poll(async () => {
      const text = 'SELECT role, team_id, monthly_budget_nano FROM members WHERE id = $1'
      return (await gateway.pool.query(text, [memberId])).rows[0] as unknown
    })
    .toEqual({ role: 'billing_viewer', team_id: null, monthly_budget_nano: '25000000000' })
  await sheet.getByRole('combobox', { name: 'Spend breaker' }).selectOption('on')
  await sheet.getByLabel('Limit per hour (USD)').fill('0.000000009')
  await sheet.getByRole('button', { name: 'Save breaker' }).click()
  await page.getByText('Spend breaker is on.').waitFor()
  await look('member')
  await sheet.getByRole('link', { name: '1', exact: true }).click()
  await page.getByRole('link', { name: 'of-the-member' }).waitFor()
  expect(await page.getByRole('link', { name: 'of-nobody' }).count()).toBe(0)
  await page.goBack()
  await sheet.getByRole('button', { name: 'Remove member…' }).click()
  const question = page.getByRole('dialog', { name: `Remove ${person.name}?` })
  await question.getByText('1 API key is revoked', { exact: false }).waitFor()
  await look('member-remove')
  await question.getByRole('button', { name: 'Remove member' }).click()
  await page.waitForURL(`**/o/${slug}/members`)
  await page.getByText(`${person.name} removed.`).waitFor()
  await expect.poll(() => page.getByRole('link', { name: person.name }).count()).toBe(0)
  const body = { model: 'test/echo', messages: [{ role: 'user', content: 'Hello' }] }
  expect((await gateway.as(key).post('/v1/chat/completions', body)).status).toBe(401)
  await open(`/o/${slug}/members/${memberId}`)
  await page.getByRole('heading', { name: 'Member not found' }).waitFor()
})

consoleTest(
  'a list of ten thousand members shows its first rows with one call, and finds one of them',
  async (test) => {
    const { world, page, open, look } = test
    const { gateway } = world
    const { id, slug } = await found(test, 'Wide Mill')
    const admin = await enter(test, id)
    await rename(test, admin.userId, 'Wide Admin')
    await gateway.pool.query(
      `WITH made AS (INSERT INTO users (id, email, name)
        SELECT gen_random_uuid(), 'wide' || n || '@example.com', 'Person ' || n FROM generate_series(1, 9999) AS n RETURNING id)
      INSERT INTO members (id, organization_id, user_id, role, joined_at)
      SELECT gen_random_uuid(), $1, id, 'member', now() + interval '1 minute' FROM made`,
      [id],
    )
    const calls: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/v1/') && pathname.endsWith('/members')) calls.push(search)
    })
    await open(`/o/${slug}/members`)
    await page.getByRole('link', { name: 'Wide Admin' }).waitFor()
    expect(calls).toEqual(['?limit=50'])
    await look('members-many')
    await page.getByLabel('Search members').fill('WIDE7777@')
    await page.getByRole('link', { name: 'Person 7777' }).waitFor()
    await page.waitForURL(/q=WIDE7777/)
    await page.getByLabel('Search members').fill('no such person')
    await page.getByRole('heading', { name: 'No matching members' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'Wide Admin' }).waitFor()
    expect(await page.getByLabel('Search members').inputValue()).toBe('')
  },
)

consoleTest('a team is created, changed, shows its members and limits, and is deleted', async (test) => {
  const { world, page, open, look } = test
  const { gateway } = world
  const { id, slug } = await found(test, 'Team Mill')
  await enter(test, id)
  await open(`/o/${slug}/teams`)
  await page.getByRole('heading', { name: 'No teams yet' }).waitFor()
  await look('teams-empty')
  await page.getByRole('button', { name: 'Create team' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create team' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('Research')
  await dialog.getByLabel('Cost center').fill('CC-7')
  await dialog.getByLabel('Monthly budget (USD)').fill('100')
  await look('team-create')
  await dialog.getByRole('button', { name: 'Create team' }).click()
  await page.getByRole('link', { name: 'Research' }).waitFor()
  const text = 'SELECT id, cost_center_code, description, monthly_budget_nano FROM teams WHERE organization_id = $1'
  const read = async () =>
    (
      await gateway.pool.query<{
        id: string
        cost_center_code: string
        description: string | null
        monthly_budget_nano: string
      }>(text, [id])
    ).rows[0]
  const teamId = (await read())?.id ?? ''
  const member = await gateway.addMember(id, { role: 'team_admin', teamId })
  await rename(test, member.userId, 'Tess Team')
  await gateway.addOrganizationKey(id, { teamId })
  await look('teams')
  await page.getByRole('link', { name: 'Research' }).click()
  await page.waitForURL(`**/o/${slug}/teams/${teamId}`)
  const sheet = page.getByRole('dialog', { name: 'Research' })
  await sheet.getByRole('link', { name: 'Tess Team' }).waitFor()
  await sheet.getByLabel('Description').fill('Finds things out.')
  await sheet.getByLabel('Monthly budget (USD)').fill('0.5')
  await sheet.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Research updated.').waitFor()
  expect(await read()).toMatchObject({
    cost_center_code: 'CC-7',
    description: 'Finds things out.',
    monthly_budget_nano: '500000000',
  })
  await sheet.getByText('All models.').waitFor()
  await look('team')
  await sheet.getByRole('button', { name: 'Delete team…' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Research?' })
  await question.getByText('1 member stays in Team Mill', { exact: false }).waitFor()
  await question.getByText('1 API key of the team is revoked', { exact: false }).waitFor()
  await look('team-delete')
  await question.getByRole('button', { name: 'Delete team' }).click()
  await page.getByRole('heading', { name: 'No teams yet' }).waitFor()
})

consoleTest('a team admin manages the own team alone', async (test) => {
  const { world, page, open, look } = test
  const { gateway } = world
  const { id, slug } = await found(test, 'Own Team Mill')
  const { teamId } = await gateway.addTeam(id, { name: 'Mine' })
  const other = await gateway.addTeam(id, { name: 'Theirs' })
  const [inside, outside] = await Promise.all([
    gateway.addMember(id, { teamId }),
    gateway.addMember(id, { teamId: other.teamId }),
  ])
  await rename(test, inside.userId, 'Ina Inside')
  await rename(test, outside.userId, 'Otto Outside')
  await enter(test, id, { role: 'team_admin', teamId })
  await open(`/o/${slug}/members`)
  await page.getByRole('link', { name: 'Ina Inside' }).waitFor()
  expect(await page.getByRole('link', { name: 'Otto Outside' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Ina Inside' }).click()
  const sheet = page.getByRole('dialog', { name: 'Ina Inside' })
  await sheet.getByLabel('Monthly budget (USD)').fill('3')
  expect(await sheet.getByRole('combobox', { name: 'Role' }).locator('option').allTextContents()).toEqual([
    'Member',
    'Team admin',
  ])
  await sheet.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Ina Inside updated.').waitFor()
  await look('member-by-team-admin')
  await open(`/o/${slug}/teams`)
  await page.getByRole('link', { name: 'Mine' }).click()
  const team = page.getByRole('dialog', { name: 'Mine' })
  await team.getByLabel('Description').fill('Ours.')
  await team.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Mine updated.').waitFor()
  expect(await team.getByRole('button', { name: 'Delete team…' }).count()).toBe(0)
  test.tolerate(/status of 403/)
  await open(`/o/${slug}/members/${outside.memberId}`)
  await page.getByRole('alert').getByText('Your role', { exact: false }).waitFor()
})

consoleTest('allowed models show which layer excludes a model, before and after the list is saved', async (test) => {
  const { world, page, open, look } = test
  const { gateway } = world
  const { id, slug } = await found(test, 'List Mill')
  await enter(test, id)
  const { teamId } = await gateway.addTeam(id, { name: 'Listed' })
  const member = await gateway.addMember(id, { teamId })
  await rename(test, member.userId, 'Lea Listed')
  const { key } = await gateway.addOrganizationKey(id, { memberId: member.memberId })
  await open(`/o/${slug}/allowed-models`)
  const row = (model: string) => page.getByRole('row').filter({ hasText: model })
  await page.getByLabel('Search models').fill('test/')
  await row('test/echo').getByText('Allowed', { exact: true }).waitFor()
  await page.getByLabel('Model or provider').fill('test/echo')
  await page.getByRole('button', { name: 'Add entry' }).click()
  await row('test/priced').getByText('Not in the list of the organization').waitFor()
  await page.getByText('After saving,', { exact: false }).waitFor()
  await look('allowed-models-draft')
  const send = async (model: string) => {
    const body = { model, messages: [{ role: 'user', content: 'Hello' }] }
    return (await gateway.as(key).post('/v1/chat/completions', body)).status
  }
  expect(await send('test/priced')).toBe(200)
  await page.getByRole('button', { name: 'Save list' }).click()
  await page.getByText('List saved.', { exact: false }).waitFor()
  await expect.poll(() => send('test/priced')).toBe(403)
  await page.getByLabel('Find a member').fill('lea')
  await page.getByRole('list', { name: 'Members found' }).getByRole('link', { name: 'Lea Listed' }).click()
  await page.waitForURL(/member=/)
  await page.getByLabel('Search models').fill('test/')
  await page.getByLabel('Model or provider').fill('test/slow')
  await page.getByRole('button', { name: 'Add entry' }).click()
  await row('test/echo').getByText('Not in the list of the member').waitFor()
  await row('test/priced').getByText('Not in the list of the organization and member').waitFor()
  await page.getByRole('button', { name: 'Save list' }).click()
  await expect.poll(() => send('test/echo')).toBe(403)
  await look('allowed-models-member')
})

consoleTest(
  'budgets are one picture of nested scopes, edited in place, that names what runs out first',
  async (test) => {
    const { world, page, open, look } = test
    const { gateway } = world
    const { id, slug } = await found(test, 'Nested Mill')
    await enter(test, id)
    const { teamId } = await gateway.addTeam(id, { name: 'Inner', monthlyBudgetUsd: '40' })
    const { memberId, userId } = await gateway.addMember(id, { teamId, monthlyBudgetUsd: '30' })
    await rename(test, userId, 'Nina Nested')
    const { key } = await gateway.addOrganizationKey(id, { memberId, teamId })
    const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
    expect((await gateway.as(key).post('/v1/chat/completions', body)).status).toBe(200)
    const spent = async () => {
      const text = `SELECT coalesce(sum(spent_nano), 0) AS nano FROM spend_days WHERE kind = 'member' AND owner_id = $1`
      return (await gateway.pool.query<{ nano: string }>(text, [memberId])).rows[0]?.nano ?? '0'
    }
    await expect.poll(spent).not.toBe('0')
    await open(`/o/${slug}/budgets`)
    const scope = (name: string) => page.locator(`[data-scope="${name}"]`)
    await scope('Inner').getByText('left of the monthly budget of Inner').waitFor()
    await scope('Nested Mill').getByText('No budget applies').waitFor()
    await page.getByRole('button', { name: 'Show what is inside Inner' }).click()
    await scope('Nina Nested').getByText('left of the monthly budget of Nina Nested').waitFor()
    expect(await scope('Nina Nested').locator('[data-nano]').first().getAttribute('data-nano')).toBe(await spent())
    await page.getByRole('button', { name: 'Edit: Weekly budget of Nested Mill' }).click()
    await page.getByLabel('Weekly budget of Nested Mill (USD)').fill('many')
    await page.keyboard.press('Enter')
    await page.getByText('Enter an amount', { exact: false }).waitFor()
    await page.getByLabel('Weekly budget of Nested Mill (USD)').fill('20')
    await page.keyboard.press('Enter')
    await scope('Nina Nested').getByText('left of the weekly budget of the organization').waitFor()
    await page.getByRole('button', { name: 'Edit: Monthly budget of Nina Nested' }).click()
    await page.getByLabel('Monthly budget of Nina Nested (USD)').fill('0.000000001')
    await page.keyboard.press('Enter')
    await scope('Nina Nested').getByText('left of the monthly budget of Nina Nested').waitFor()
    const text = `SELECT o.weekly_budget_nano, m.monthly_budget_nano FROM organizations o JOIN members m ON m.id = $2 WHERE o.id = $1`
    const { rows } = await gateway.pool.query(text, [id, memberId])
    expect(rows[0]).toEqual({ weekly_budget_nano: '20000000000', monthly_budget_nano: '1' })
    await expect.poll(async () => (await gateway.as(key).post('/v1/chat/completions', body)).status).toBe(402)
    await look('budgets')
  },
)

consoleTest('a billing viewer sees the budgets of the organization, and changes nothing', async (test) => {
  const { page, open, look } = test
  const { id, slug } = await found(test, 'Viewed Mill')
  await enter(test, id, { role: 'billing_viewer' })
  await open(`/o/${slug}/budgets`)
  await page.locator('[data-scope="Viewed Mill"]').waitFor()
  expect(await page.getByRole('button', { name: /^Edit: / }).count()).toBe(0)
  await look('budgets-billing-viewer')
})

consoleTest('the overview of an organization shows its month: budgets, forecast, models, people', async (test) => {
  const { world, page, open, look } = test
  const { gateway } = world
  const { id, slug, walletId } = await found(test, 'Month Mill')
  await gateway.pool.query('UPDATE organizations SET monthly_budget_nano = 9000000000 WHERE id = $1', [id])
  const admin = await enter(test, id)
  await rename(test, admin.userId, 'Idle Admin')
  const member = await gateway.addMember(id)
  await rename(test, member.userId, 'Mona Month')
  const { key } = await gateway.addOrganizationKey(id, { memberId: member.memberId })
  const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
  expect((await gateway.as(key).post('/v1/chat/completions', body)).status).toBe(200)
  const spent = async () => {
    const text = 'SELECT coalesce(sum(spent_nano), 0) AS nano FROM usage_hours WHERE wallet_id = $1'
    return (await gateway.pool.query<{ nano: string }>(text, [walletId])).rows[0]?.nano ?? '0'
  }
  await expect.poll(spent).not.toBe('0')
  await open(`/o/${slug}`)
  const card = (title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
  await card('Top people').getByRole('link', { name: 'Mona Month' }).waitFor()
  await card('Top models').getByRole('link', { name: 'test/priced' }).waitFor()
  expect(await card('Top people').locator('[data-nano]').first().getAttribute('data-nano')).toBe(await spent())
  const idle = card('People without spend')
  await idle.getByRole('link', { name: 'Idle Admin' }).waitFor()
  expect(await idle.getByRole('link', { name: 'Mona Month' }).count()).toBe(0)
  await card('Spend in').getByText('of $9.00', { exact: false }).waitFor()
  await look('organization-month')
  await idle.getByRole('link', { name: 'View all' }).click()
  await page.waitForURL(/members\?idle=true/)
  const rows = page.getByRole('table', { name: 'Members' }).getByRole('row')
  await rows.filter({ hasText: 'Idle Admin' }).waitFor()
  expect(await rows.filter({ hasText: 'Mona Month' }).count()).toBe(0)
})

consoleTest('roles show what each may do, as the access table says', async (test) => {
  const { page, open, look } = test
  const { id, slug } = await found(test, 'Role Mill')
  await enter(test, id)
  await open(`/o/${slug}/roles`)
  const cells = async (action: string) =>
    (await page.getByRole('row').filter({ hasText: action }).getByRole('cell').allTextContents()).join(' ')
  await page.getByText('Your role').waitFor()
  expect(await cells('Add, invite, change and remove members')).toBe('Yes No Own team No')
  expect(await cells("List and export an organization's audit log")).toBe('Yes No No No')
  await look('roles')
})

consoleTest('the settings of an organization show its terms, and rename it everywhere', async (test) => {
  const { world, page, open, look } = test
  const { id, slug } = await found(test, 'Former Mill')
  await world.gateway.pool.query('UPDATE organizations SET seats = 4 WHERE id = $1', [id])
  await enter(test, id)
  await open(`/o/${slug}/organization`)
  await page.getByText('1 of 4 seats used').waitFor()
  await page.getByText('Prepaid credit').waitFor()
  await page.getByLabel('Name').fill(' ')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Enter a name.').waitFor()
  await page.getByLabel('Name').fill('Later Mill')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Workspace: Later Mill' }).waitFor()
  await look('organization-settings')
  await page.reload()
  await page.getByRole('button', { name: 'Workspace: Later Mill' }).waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Later Mill')
})

consoleTest('the palette finds a member by a part of the email address', async (test) => {
  const { world, page, open } = test
  const { id, slug } = await found(test, 'Finder Mill')
  await enter(test, id)
  const { userId, memberId, email } = await world.gateway.addMember(id)
  await rename(test, userId, 'Flora Found')
  await open(`/o/${slug}/keys`)
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(email.slice(2).toUpperCase())
  await page.getByRole('option', { name: 'Flora Found' }).click()
  await page.waitForURL(`**/o/${slug}/members/${memberId}`)
  await page.getByRole('dialog', { name: 'Flora Found' }).waitFor()
})
