import { expect } from 'vitest'
import { callModel } from './setup/call-model.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { createTeam, foundOrganization, type Home, setDefaults } from './setup/founding.ts'
import { countHands, type Hands } from './setup/hands.ts'
import { createOwnKey, joinByCalls, joinByMail, leave } from './setup/newcomer.ts'
import { inTurns, openThousandWorld, peopleCount } from './setup/thousand-world.ts'
import type { World } from './setup/world.ts'

/** What an administrator may be asked to do for a thousand people. */
const clicksMax = 60
const teamCount = 20
/** Less than the sum of the members of a team. */
const teamBudgetUsd = '5'

interface Row {
  readonly name: string
  readonly email: string
  readonly team: string
  readonly budget: string
}

const rows: readonly Row[] = Array.from({ length: peopleCount }, (_, at) => ({
  name: `Person ${at}`,
  email: `p${at}@thousand.example`,
  team: `Team ${at % teamCount}`,
  budget: '4.2',
}))

const wrong = ['nobody,,,', 'p0@thousand.example,,,', 'boss@thousand.example,,,much']

function csvOf(people: readonly Row[], { email }: Home, others: readonly string[] = []): string {
  const lines = people.map(({ email: address, name, team, budget }) => [address, name, team, budget].join())
  return ['email,name,team,monthly_budget', `${email},,,10`, ...lines, ...others].join('\n')
}

consoleTest(
  'a thousand people from a file have teams, budgets and keys, within 60 clicks',
  async (test) => {
    const { world, page, open } = test
    const hands = countHands()
    const home = await foundOrganization(test, hands, 'Thousand Mill')
    for (const name of ['Team 0', 'Team 1']) await createTeam(test, hands, name, teamBudgetUsd)
    await setDefaults(test, hands, '5')
    await importPeople(test, hands, home)
    console.log(`${peopleCount} people from a file: ${hands.clicks} clicks, ${hands.entries} entries`)
    expect(hands.clicks).toBeLessThanOrEqual(clicksMax)
    await importAgain(test, home)

    const keys: string[] = []
    for (const person of rows.slice(0, 3)) {
      await joinByMail(test, person)
      await page.waitForURL(`**/console/o/${home.slug}`)
      keys.push(await createOwnKey(test, 'laptop'))
    }
    await leave(test)
    keys.push(...(await inTurns(rows.slice(3), (person) => joinByCalls(world, home.id, person))))
    await inTurns(keys, (key) => callModel(world, key))
    await judgeMembers(test, home)
    await open('/sign-in')
  },
  openThousandWorld,
  // Each person's password is hashed twice.
  1_800_000,
)

/** Uploads a file with errors, then the corrected one, and imports it. */
async function importPeople({ page, look }: ConsoleTest, hands: Hands, home: Home): Promise<void> {
  await hands.click(page.getByRole('link', { name: 'Members', exact: true }))
  await hands.click(page.getByRole('link', { name: 'Import', exact: true }))
  await hands.click(page.getByLabel('Create teams that do not exist'))
  await hands.attach(page.getByLabel('CSV file'), csvOf(rows, home, wrong))
  await hands.click(page.getByRole('button', { name: 'Check file' }))
  await page.getByText(`${invited}, 1 changed, 3 errors`).waitFor()
  const table = page.getByRole('table', { name: 'Rows of the file' })
  await hands.click(table.getByRole('columnheader', { name: 'Result' }))
  for (const reason of [
    'This is not an email address.',
    'Row 3 has the same address.',
    'The monthly budget must be an amount in USD, such as 25 or 12.50, or none.',
  ]) {
    await table.getByText(reason).waitFor()
  }
  // Two teams have a budget of their own, 18 spend what their members may, and the administrator $10.
  const nano = BigInt(peopleCount / teamCount) * 18n * 4_200_000_000n + 2n * 5_000_000_000n + 10_000_000_000n
  const most = page.getByText('Members can spend at most').locator('[data-nano]')
  expect(await most.getAttribute('data-nano')).toBe(String(nano))
  await look('import-errors')
  await hands.attach(page.getByLabel('CSV file'), csvOf(rows, home))
  await hands.click(page.getByRole('button', { name: 'Check file' }))
  await page.getByText(`${invited}, 1 changed`, { exact: true }).waitFor()
  expect(await most.getAttribute('data-nano')).toBe(String(nano))
  await look('import-checked')
  await hands.click(page.getByRole('button', { name: /^Import [\d,]+ people$/ }))
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  await look('import-done')
}

const invited = `${peopleCount.toLocaleString('en')} invited`

/** The same file changes nothing, and a file with another budget changes that row alone. */
async function importAgain({ world, page }: ConsoleTest, home: Home): Promise<void> {
  const before = await readInvited(world, home)
  expect(before).toHaveLength(peopleCount)
  const check = async (text: string) => {
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('button', { name: 'Check file' }).click()
  }
  await check(csvOf(rows, home))
  await page.getByText(`${(peopleCount + 1).toLocaleString('en')} unchanged`, { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Import 0 people' }).isDisabled()).toBe(true)
  const changed = rows.with(7, { name: 'Person 7', email: 'p7@thousand.example', team: 'Team 7', budget: '9' })
  await check(csvOf(changed, home))
  await page.getByText(`1 changed, ${peopleCount.toLocaleString('en')} unchanged`, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Import 1 person' }).click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  const after = await readInvited(world, home)
  const expected = before.map((row) => (row.email === 'p7@thousand.example' ? { ...row, budget: '9000000000' } : row))
  expect(after).toEqual(expected)
  expect(after).not.toEqual(before)
}

/** All that an invitation gives, and its token and mail, which a repeated import must not replace. */
async function readInvited({ gateway }: World, { id }: Home) {
  const text = `SELECT i.email, i.name, t.name AS team, i.role, i.monthly_budget_nano AS budget, i.token_hash, i.sent_at
    FROM invitations i JOIN teams t ON t.id = i.team_id WHERE i.organization_id = $1 ORDER BY i.email`
  return (await gateway.pool.query<{ email: string; budget: string }>(text, [id])).rows
}

/** Everyone is in their team with their budget and has one key, which was charged. */
async function judgeMembers({ world: { gateway } }: ConsoleTest, { id, email }: Home): Promise<void> {
  const text = `SELECT u.email, t.name AS team, m.role, m.monthly_budget_nano AS budget,
      (SELECT count(*)::integer FROM api_keys k WHERE k.member_id = m.id) AS keys,
      (SELECT count(*)::integer FROM generations g WHERE g.member_id = m.id AND g.cost_nano > 0) AS charged
    FROM members m JOIN users u ON u.id = m.user_id LEFT JOIN teams t ON t.id = m.team_id
    WHERE m.organization_id = $1 AND u.email <> $2`
  const read = async () => (await gateway.pool.query<{ email: string }>(text, [id, email])).rows
  const expected = rows.map((row, at) => ({
    email: row.email,
    team: row.team,
    role: 'member',
    budget: at === 7 ? '9000000000' : '4200000000',
    keys: 1,
    charged: 1,
  }))
  await expect.poll(async () => (await read()).toSorted(byAddress)).toEqual(expected.toSorted(byAddress))
}

function byAddress(one: { readonly email: string }, other: { readonly email: string }): number {
  return one.email < other.email ? -1 : 1
}
