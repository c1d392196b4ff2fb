import { expect } from 'vitest'
import { startDnsServer } from '../../server/test/egress/start-dns-server.ts'
import { type OidcProvider, startOidcProvider } from '../../server/test/sign-on/start-oidc-provider.ts'
import { type SamlProvider, startSamlProvider } from '../../server/test/sign-on/start-saml-provider.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { createPerson } from './setup/people.ts'
import { startWorld, type World } from './setup/world.ts'

const records = new Map<string, string>()
let opened: Promise<World> | undefined

/** A world whose gateway asks a DNS server of the test for TXT records. */
function openSignOnWorld(): Promise<World> {
  opened ??= startDnsServer((name, type) => {
    const data = type === 'TXT' ? records.get(name) : undefined
    return data === undefined ? 'missing' : [{ type: 'TXT', data }]
  }).then(({ address }) => startWorld({ dnsServers: address }))
  return opened
}

/** The way to the identity provider and back is the only request to another host. */
function expectProvider({ tolerate }: ConsoleTest, origin: string): void {
  tolerate(new RegExp(`^foreign request: ${origin.replaceAll('.', String.raw`\.`)}/`))
}

async function publish({ page }: ConsoleTest, domain: string): Promise<void> {
  const row = page.getByRole('listitem', { name: domain })
  const [name, value] = await row.locator('code').allInnerTexts()
  records.set(name ?? '', value ?? '')
}

/** The form of the OpenID Connect provider. */
async function logIn({ page }: ConsoleTest, { issuer }: OidcProvider, subject: string): Promise<void> {
  await page.waitForURL(`${issuer}/**`)
  await page.getByLabel('User').fill(subject)
  await page.getByRole('button', { name: 'Continue' }).click()
}

consoleTest(
  'an administrator sets up OpenID Connect and requires it, and a person joins a team by a group',
  async (test) => {
    const { world, page, open, look, context, signInAs } = test
    const { gateway } = world
    const { id, slug } = await gateway.createOrganization({ usd: '50', name: 'Lock Works' })
    const { userId } = await gateway.addMember(id, { role: 'org_admin' })
    const { teamId } = await gateway.addTeam(id, { name: 'Sluice' })
    const provider = await startOidcProvider([`${world.origin}/api/sign-on/${id}/callback`])
    expectProvider(test, provider.issuer)
    const domain = 'lock-works.example'
    const groups = ['engineers']
    provider.people.set('tess', { email: `tess@${domain}`, email_verified: true, name: 'Tess', groups })
    provider.people.set('ada', { email: `ada@${domain}`, email_verified: true, name: 'Ada', groups })
    await signInAs(userId)
    await open(`/o/${slug}/sign-on`)
    await page.getByLabel('Domain').fill(domain)
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('_weir-verification.lock-works.example').waitFor()
    await look('sign-on-domain')
    await publish(test, domain)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Verified', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add provider' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Staff directory')
    await dialog.getByLabel('Issuer').fill(provider.issuer)
    await dialog.getByLabel('Client ID').fill(provider.clientId)
    await dialog.getByLabel('Client secret').fill(provider.clientSecret)
    await look('sign-on-dialog')
    await dialog.getByRole('button', { name: 'Add identity provider' }).click()
    await page.getByText('Not tested with these settings yet.').waitFor()
    await page.getByRole('button', { name: 'Test connection' }).click()
    await logIn(test, provider, 'tess')
    await page.getByText('Test succeeded').waitFor()
    await page.getByRole('button', { name: 'Add mapping' }).click()
    await page.getByLabel('Group', { exact: true }).fill('engineers')
    await page.getByLabel('Team').selectOption('Sluice')
    await page.getByRole('button', { name: 'Save mappings' }).click()
    await page.getByText('Group mappings saved.').waitFor()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByText('Enabled', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Require…' }).click()
    await page.getByText('are signed out now', { exact: false }).waitFor()
    await look('sign-on-require')
    await page.getByRole('button', { name: 'Require single sign-on' }).click()
    await page.getByText('Required', { exact: true }).waitFor()
    await page.getByText('Claims received').click()
    await look('sign-on')
    await context.clearCookies()
    await open('/sign-in')
    await page.getByLabel('Email').fill(`ada@${domain}`)
    await page.getByText('Lock Works requires single sign-on.', { exact: false }).waitFor()
    await look('sign-on-offer')
    await page.getByRole('button', { name: 'Continue with Lock Works' }).click()
    await logIn(test, provider, 'ada')
    await page.waitForURL(`**/console/o/${slug}`)
    const { rows } = await gateway.pool.query<{ role: string; team_id: string }>(
      `SELECT m.role, m.team_id FROM members m JOIN users u ON u.id = m.user_id WHERE u.email = 'ada@${domain}'`,
    )
    expect(rows).toEqual([{ role: 'member', team_id: teamId }])
    // Leaves the page first, so that none of its requests lacks the cookie.
    await page.goto('about:blank')
    await context.clearCookies()
    const person = await createPerson(world)
    for (const table of ['users', 'auth_users']) {
      await gateway.pool.query(`UPDATE ${table} SET email = $2 WHERE email = $1`, [person.email, `bob@${domain}`])
    }
    test.tolerate(/status of 403/)
    await open('/sign-in')
    await page.getByLabel('Email').fill(`bob@${domain}`)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Your organization requires single sign-on.', { exact: false }).waitFor()
    await provider.close()
  },
  openSignOnWorld,
)

/** The form of SimpleSAMLphp. Its answer is a form that the page posts by itself. */
async function logInAt({ page }: ConsoleTest, provider: SamlProvider, name: string): Promise<void> {
  await page.waitForURL(`${provider.origin}/**`)
  await page.locator('#username').fill(name)
  await page.locator('#password').fill(provider.password)
  await page.locator('#password').press('Enter')
}

consoleTest(
  'an administrator sets up SAML from metadata, and a person of another site signs in',
  async (test) => {
    const { world, page, open, look, context, signInAs } = test
    const { gateway } = world
    const { id, slug } = await gateway.createOrganization({ usd: '50', name: 'Dry Dock' })
    const { userId } = await gateway.addMember(id, { role: 'org_admin' })
    const acs = `${world.origin}/api/sign-on/${id}/saml`
    const service = { entityId: `${acs}/metadata`, acs }
    // The console is at localhost, which is another site to a browser than 127.0.0.1: the answer is a cross-site POST.
    const provider = await startSamlProvider([service])
    expectProvider(test, provider.origin)
    const domain = 'dry-dock.example'
    await provider.setPeople({ tess: { mail: [`tess@${domain}`] }, ada: { mail: [`ada@${domain}`] } })
    await signInAs(userId)
    await open(`/o/${slug}/sign-on`)
    await page.getByLabel('Domain').fill(domain)
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText(`_weir-verification.${domain}`).waitFor()
    await publish(test, domain)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Verified', { exact: true }).waitFor()
    await page.getByText(service.entityId, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add provider' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Protocol').selectOption('SAML 2.0')
    await dialog.getByLabel('Name', { exact: true }).fill('Harbour directory')
    await dialog.getByLabel('Provider settings').selectOption('Manual entry')
    await look('sign-on-saml-manual')
    await dialog.getByLabel('Provider settings').selectOption('Metadata XML')
    const metadata = await (await fetch(provider.issuer)).text()
    const file = { name: 'metadata.xml', mimeType: 'text/xml', buffer: Buffer.from(metadata) }
    await dialog.getByLabel('Metadata file').setInputFiles(file)
    await look('sign-on-saml-dialog')
    await dialog.getByLabel('Provider settings').selectOption('Metadata URL')
    await dialog.getByLabel('Metadata URL').fill(provider.issuer)
    await dialog.getByLabel('Email attribute').fill('mail')
    await dialog.getByRole('button', { name: 'Add identity provider' }).click()
    await page.getByText('Not tested with these settings yet.').waitFor()
    await page.getByRole('button', { name: 'Test connection' }).click()
    await logInAt(test, provider, 'tess')
    await page.getByText('Test succeeded').waitFor()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByText('Enabled', { exact: true }).waitFor()
    await page.getByText('Claims received').click()
    await look('sign-on-saml')
    await page.goto('about:blank')
    await context.clearCookies()
    await open('/sign-in')
    await page.getByLabel('Email').fill(`ada@${domain}`)
    await page.getByRole('button', { name: 'Continue with Dry Dock' }).click()
    await logInAt(test, provider, 'ada')
    await page.waitForURL(`**/console/o/${slug}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const { rows } = await gateway.pool.query<{ role: string }>(
      `SELECT m.role FROM members m JOIN users u ON u.id = m.user_id WHERE u.email = 'ada@${domain}'`,
    )
    expect(rows).toEqual([{ role: 'member' }])
    await provider.close()
  },
  openSignOnWorld,
)
