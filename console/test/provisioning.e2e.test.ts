import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'

const user = (name: string, domain: string) => ({
  userName: `${name}@${domain}`,
  emails: [{ value: `${name}@${domain}`, primary: true }],
})

consoleTest('an administrator connects a directory, sees its state and rotates its token', async (test) => {
  const { page, open, look, signInAs } = test
  const { gateway } = test.world
  const { id, slug } = await gateway.createOrganization({ name: 'Provisioned' })
  const admin = await gateway.addMember(id, { role: 'org_admin' })
  await signInAs(admin.userId)
  await open(`/o/${slug}/provisioning`)
  await page.getByText('no verified domain').waitFor()
  await page.getByText('No tokens yet').waitFor()
  await look('provisioning-empty')
  const domain = `${slug}.example`
  await gateway.pool.query(
    `INSERT INTO organization_domains (id, organization_id, domain, token, verified_at) VALUES ($1, $2, $3, 'weir-x', now())`,
    [randomUUID(), id, domain],
  )

  const copyToken = async (): Promise<string> => {
    const secret = page.getByRole('dialog', { name: 'Copy your token now' })
    const token = await secret.locator('pre').textContent()
    await secret.getByRole('button', { name: 'Done' }).click()
    return token ?? ''
  }
  await page.getByRole('button', { name: 'Create token' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create token' })
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('Entra ID')
  await look('provisioning-create')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const directory = gateway.as(await copyToken())
  for (const name of ['ada', 'grace']) {
    expect((await directory.post('/scim/v2/Users', user(name, domain))).status).toBe(201)
  }
  expect((await directory.post('/scim/v2/Users', user('mallory', 'else.example'))).status).toBe(400)
  expect((await directory.post('/scim/v2/Groups', { displayName: 'Engineers' })).status).toBe(201)

  await page.reload()
  await page.getByText('else.example is not a verified domain').first().waitFor()
  await page.getByText('Entra ID').first().waitFor()
  expect(await page.locator('dl').first().textContent()).toContain('Provisioned members2')
  await look('provisioning')

  await page.getByRole('button', { name: 'Actions for Entra ID' }).click()
  await page.getByRole('menuitem', { name: 'Rotate…' }).click()
  await page.getByRole('button', { name: 'Rotate token' }).click()
  const successor = gateway.as(await copyToken())
  expect((await successor.get('/scim/v2/Users?count=0')).json['totalResults']).toBe(3)
  expect((await directory.get('/scim/v2/Users?count=0')).status).toBe(200)
  await expect.poll(() => page.getByRole('button', { name: 'Actions for Entra ID' }).count()).toBe(2)
  await page.getByRole('button', { name: 'Actions for Entra ID' }).last().click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('Entra ID revoked.').waitFor()
  expect((await directory.get('/scim/v2/Users')).status).toBe(401)
  expect((await successor.get('/scim/v2/Users')).status).toBe(200)
})
