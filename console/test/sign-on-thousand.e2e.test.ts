import { expect } from 'vitest'
import { type OidcProvider, startOidcProvider } from '../../server/test/sign-on/start-oidc-provider.ts'
import { callModel } from './setup/call-model.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { createTeam, foundOrganization, type Home, setDefaults } from './setup/founding.ts'
import { countHands, type Hands } from './setup/hands.ts'
import { createOwnKey, leave } from './setup/newcomer.ts'
import { inTurns, openThousandWorld, peopleCount, publishRecord } from './setup/thousand-world.ts'

const clicksMax = 60
const domain = 'sluice-works.example'
const teams = ['Sluice', 'Turbine', 'Lock'] as const
const addressOf = (at: number) => `p${at}@${domain}`
const teamOf = (at: number) => teams[at % teams.length] ?? teams[0]

consoleTest(
  'a directory brings a thousand people, who sign in and create their own keys, within 60 clicks',
  async (test) => {
    const { world, page, open } = test
    const { pool } = world.gateway
    const hands = countHands()
    const home = await foundOrganization(test, hands, 'Sluice Works')
    for (const name of teams) await createTeam(test, hands, name, '500')
    await setDefaults(test, hands, '5')
    const provider = await startOidcProvider([`${world.origin}/api/sign-on/${home.id}/callback`])
    test.tolerate(new RegExp(`^foreign request: ${provider.issuer.replaceAll('.', String.raw`\.`)}/`))
    for (let at = 0; at < peopleCount; at += 1) provider.people.set(`p${at}`, claimsOf(at))
    await connectProvider(test, hands, provider)
    const token = await createToken(test, hands)
    console.log(`${peopleCount} people from a directory: ${hands.clicks} clicks, ${hands.entries} entries`)
    expect(hands.clicks).toBeLessThanOrEqual(clicksMax)

    await provision(test, token)
    expect(await readMembers(test, home)).toEqual(
      teams.map((team) => ({ team, budget: '5000000000', people: sizeOf(team) })),
    )
    for (const at of [0, 1, 2]) {
      await leave(test)
      await open('/sign-in')
      await page.getByLabel('Email').fill(addressOf(at))
      await page.getByRole('button', { name: 'Continue with Sluice Works' }).click()
      await logIn(test, provider, `p${at}`)
      await page.waitForURL(`**/console/o/${home.slug}`)
      await callModel(world, await createOwnKey(test, 'laptop'))
    }
    const { rows } = await pool.query<{ email: string }>(
      `SELECT u.email FROM api_keys k JOIN members m ON m.id = k.member_id JOIN users u ON u.id = m.user_id
       WHERE k.organization_id = $1 AND k.user_id = m.user_id ORDER BY u.email`,
      [home.id],
    )
    expect(rows.map(({ email }) => email)).toEqual([0, 1, 2].map(addressOf))
    expect((await pool.query('SELECT 1 FROM api_keys WHERE organization_id = $1', [home.id])).rowCount).toBe(3)
    await leave(test)
    await open('/sign-in')
    await provider.close()
  },
  openThousandWorld,
)

function claimsOf(at: number) {
  return { email: addressOf(at), email_verified: true, name: `Person ${at}`, groups: [teamOf(at)] }
}

function sizeOf(team: string): number {
  return Array.from({ length: peopleCount }, (_, at) => teamOf(at)).filter((name) => name === team).length
}

/** Fills the form of the identity provider. */
async function logIn({ page }: ConsoleTest, { issuer }: OidcProvider, subject: string): Promise<void> {
  await page.waitForURL(`${issuer}/**`)
  await page.getByLabel('User').fill(subject)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Verifies the domain, adds and tests the provider, maps its groups to teams, and requires it. */
async function connectProvider(test: ConsoleTest, hands: Hands, provider: OidcProvider): Promise<void> {
  const { page } = test
  await hands.click(page.getByRole('link', { name: 'Single sign-on', exact: true }))
  await hands.type(page.getByLabel('Domain'), domain)
  await hands.click(page.getByRole('button', { name: 'Add domain' }))
  await page.getByText(`_weir-verification.${domain}`).first().waitFor()
  const [name, value] = await page.getByRole('listitem', { name: domain }).locator('code').allInnerTexts()
  publishRecord(name ?? '', value ?? '')
  await hands.click(page.getByRole('button', { name: 'Verify' }))
  await page.getByText('Verified', { exact: true }).waitFor()
  await hands.click(page.getByRole('button', { name: 'Add provider' }))
  const dialog = page.getByRole('dialog')
  await hands.type(dialog.getByLabel('Name'), 'Staff directory')
  await hands.type(dialog.getByLabel('Issuer'), provider.issuer)
  await hands.type(dialog.getByLabel('Client ID'), provider.clientId)
  await hands.type(dialog.getByLabel('Client secret'), provider.clientSecret)
  await hands.click(dialog.getByRole('button', { name: 'Add identity provider' }))
  await hands.click(page.getByRole('button', { name: 'Test connection' }))
  await logIn(test, provider, 'p0')
  await page.getByText('Test succeeded').waitFor()
  for (const [at, team] of teams.entries()) {
    await hands.click(page.getByRole('button', { name: 'Add mapping' }))
    await hands.type(page.getByLabel('Group', { exact: true }).nth(at), team)
    await hands.choose(page.getByLabel('Team', { exact: true }).nth(at), team)
  }
  await hands.click(page.getByRole('button', { name: 'Save mappings' }))
  await page.getByText('Group mappings saved.').waitFor()
  await hands.click(page.getByRole('button', { name: 'Enable', exact: true }))
  await page.getByText('Enabled', { exact: true }).waitFor()
  await hands.click(page.getByRole('button', { name: 'Require…' }))
  await hands.click(page.getByRole('button', { name: 'Require single sign-on' }))
  await page.getByText('Required', { exact: true }).waitFor()
}

async function createToken({ page }: ConsoleTest, hands: Hands): Promise<string> {
  await hands.click(page.getByRole('link', { name: 'Provisioning', exact: true }))
  await hands.click(page.getByRole('button', { name: 'Create token' }).first())
  const dialog = page.getByRole('dialog', { name: 'Create token' })
  await hands.type(dialog.getByLabel('Name'), 'Entra ID')
  await hands.click(dialog.getByRole('button', { name: 'Create token' }))
  const secret = page.getByRole('dialog', { name: 'Copy your token now' })
  const token = await secret.locator('pre').textContent()
  await hands.click(secret.getByRole('button', { name: /^Copy/ }))
  await hands.click(secret.getByRole('button', { name: 'Done' }))
  return token ?? ''
}

/** The directory creates everyone, and then a group for each team. */
async function provision({ world }: ConsoleTest, token: string): Promise<void> {
  const directory = world.gateway.as(token)
  const numbers = Array.from({ length: peopleCount }, (_, at) => at)
  const ids = await inTurns(numbers, async (at) => {
    const userName = addressOf(at)
    const body = { userName, externalId: `e-${at}`, emails: [{ value: userName, type: 'work', primary: true }] }
    const { status, json, text } = await directory.post('/scim/v2/Users', body)
    expect(status, text).toBe(201)
    return String(json['id'])
  })
  for (const team of teams) {
    const members = ids.flatMap((value, at) => (teamOf(at) === team ? [{ value }] : []))
    const { status, text } = await directory.post('/scim/v2/Groups', { displayName: team, members })
    expect(status, text).toBe(201)
  }
}

async function readMembers({ world }: ConsoleTest, { id, email }: Home) {
  const text = `SELECT t.name AS team, m.monthly_budget_nano AS budget, count(*)::integer AS people FROM members m
    JOIN users u ON u.id = m.user_id JOIN teams t ON t.id = m.team_id
    WHERE m.organization_id = $1 AND u.email <> $2 GROUP BY 1, 2 ORDER BY array_position($3, t.name::text)`
  return (await world.gateway.pool.query(text, [id, email, teams])).rows
}
