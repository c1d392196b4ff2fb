import { expect } from 'vitest'
import { callModel } from './setup/call-model.ts'
import { consoleTest } from './setup/console-test.ts'
import { addFilter, chips } from './setup/filters.ts'

consoleTest('an administrator gives keys to a member, a team and no one, and finds who spent', async (test) => {
  const { page, open, look, signInAs } = test
  const { gateway } = test.world
  const { id, slug } = await gateway.createOrganization({ usd: '50', name: 'Owners' })
  const { teamId } = await gateway.addTeam(id, { name: 'Research' })
  const ada = await gateway.addMember(id, { teamId })
  const admin = await gateway.addMember(id, { role: 'org_admin' })
  await signInAs(admin.userId)
  await open(`/o/${slug}/keys`)
  const create = async (name: string, place: string, choose: () => Promise<void>) => {
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Belongs to').selectOption({ label: place })
    await choose()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const secret = page.getByRole('dialog', { name: 'Copy your secret now' })
    await secret.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name, exact: true }).waitFor()
  }
  const choose = (label: string, text: string) => async () => {
    await page.getByRole('button', { name: new RegExp(`^${label}`) }).click()
    await page.getByRole('combobox', { name: label }).fill(text)
    await page.getByRole('option', { name: new RegExp(text) }).click()
  }
  await create('for-ada', 'A member', choose('Member', ada.email))
  await create('for-research', 'A team', choose('Team', 'Research'))
  await create('for-all', 'No one (shared)', async () => {})
  await look('organization-keys-owners')
  const listed = gateway.as({ cookie: await gateway.signIn(admin.userId) })
  const { json } = await listed.get(`/v1/orgs/${id}/keys`)
  expect(json['keys']).toEqual([
    expect.objectContaining({ name: 'for-all', shared: true }),
    expect.objectContaining({ name: 'for-research', teamId, shared: false }),
    expect.objectContaining({ name: 'for-ada', memberId: ada.memberId, shared: false }),
  ])
  await addFilter(page, 'Team', 'Research')
  await page.getByRole('link', { name: 'for-all', exact: true }).waitFor({ state: 'detached' })
  await expect.poll(() => chips(page).allTextContents()).toEqual(['Team: Research'])
  await page.reload()
  await page.getByText('Team: Research').waitFor()

  const { key } = await gateway.addOrganizationKey(id, { memberId: ada.memberId, terms: { name: 'laptop' } })
  const { generationId: request } = await callModel(test.world, key)
  await open(`/o/${slug}/requests?member=${ada.memberId}`)
  await page.locator(`a[href*="${request}"]`).waitFor()
  await page.getByRole('cell', { name: 'Research', exact: true }).waitFor()
  await look('organization-requests-owners')
  await page.locator(`a[href*="${request}"]`).click()
  const receipt = page.getByRole('dialog')
  await receipt.getByText('laptop', { exact: true }).waitFor()
  await receipt.getByText('Research', { exact: true }).waitFor()
  await look('organization-receipt-owner')
  await open(`/o/${slug}/usage?by=team`)
  const research = page.getByRole('row', { name: /Research/ })
  await research.waitFor()
  await page.getByRole('tab', { name: 'By member' }).click()
  await page.getByRole('link', { name: 'Test', exact: true }).first().waitFor()
  const causes = page.getByRole('region', { name: 'Changes: People' })
  await causes.getByRole('link', { name: 'Test', exact: true }).waitFor()
  await page.getByText('New models').waitFor()
  await look('organization-usage-by-member')
  await causes.getByRole('link', { name: 'Test', exact: true }).click()
  await page.waitForURL(/\/requests\?.*member=/)
  await page.locator(`a[href*="${request}"]`).waitFor()
})

consoleTest('an administrator suspends a member and restores the access', async (test) => {
  const { page, open, look, signInAs } = test
  const { gateway } = test.world
  const { id, slug } = await gateway.createOrganization({ usd: '5', name: 'Pause' })
  const ada = await gateway.addMember(id)
  const { key } = await gateway.addOrganizationKey(id, { memberId: ada.memberId })
  const admin = await gateway.addMember(id, { role: 'org_admin' })
  await signInAs(admin.userId)
  await open(`/o/${slug}/members/${ada.memberId}`)
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Suspend', exact: true }).click()
  await sheet.getByText('Suspended: neither this person', { exact: false }).waitFor()
  await look('member-suspended')
  const status = async () => (await gateway.as(key).get('/v1/key')).status
  await expect.poll(status).toBe(403)
  await sheet.getByRole('button', { name: 'Restore access' }).click()
  await page.getByText('has access again', { exact: false }).waitFor()
  await expect.poll(status).toBe(200)
})

consoleTest('a member creates an own key where the organization allows it', async (test) => {
  const { page, open, look, signInAs } = test
  const { gateway } = test.world
  const { id, slug } = await gateway.createOrganization({ usd: '50', name: 'Open house' })
  await gateway.pool.query('UPDATE organizations SET member_keys_max = 2 WHERE id = $1', [id])
  const member = await gateway.addMember(id)
  await gateway.addOrganizationKey(id, { memberId: member.memberId, terms: { name: 'given' } })
  await gateway.addOrganizationKey(id, { terms: { name: 'of-others' } })
  await signInAs(member.userId)
  await open(`/o/${slug}/keys`)
  await page.getByRole('link', { name: 'given', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'of-others', exact: true }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Actions for given' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create API key' })
  await dialog.getByLabel('Name').fill('own')
  expect(await dialog.getByLabel('Belongs to').count()).toBe(0)
  expect(await dialog.getByLabel('Type').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const secret = page.getByRole('dialog', { name: 'Copy your secret now' })
  await secret.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Actions for own' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByText('own disabled', { exact: false }).waitFor()
  await look('member-own-keys')
})
