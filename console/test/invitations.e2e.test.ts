import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { createPerson } from './setup/people.ts'

const phone = { width: 390, height: 844 }

/** An organization whose administrator is signed in, at its invitations. */
async function openInvitations({ world: { gateway }, signInAs, open, page }: ConsoleTest, name: string) {
  const { id, slug } = await gateway.createOrganization({ usd: '5', name })
  const { userId } = await gateway.addMember(id, { role: 'org_admin' })
  await signInAs(userId)
  await open(`/o/${slug}/invitations`)
  await page.getByText('No invitations yet').waitFor()
  return { id, slug }
}

const linkIn = (text: string): string => /https?:\/\/\S+token=\S+/.exec(text)?.[0] ?? ''

/** What a link of an invitation answers. */
async function statusOf({ world }: ConsoleTest, link: string): Promise<number> {
  const token = new URL(link).searchParams.get('token') ?? ''
  return (await world.gateway.as().post('/api/invitations/open', { token })).status
}

async function expectApart(buttons: Locator, note: Locator): Promise<void> {
  const covered = await note.boundingBox()
  if (covered === null) throw new Error('no note is shown')
  for (const button of await buttons.all()) {
    const box = await button.boundingBox()
    if (box === null) continue
    const isApart = box.y >= covered.y + covered.height || box.y + box.height <= covered.y
    expect(isApart, `whether the note leaves ${await button.innerText()} free`).toBe(true)
  }
}

consoleTest('an administrator invites by email, resends and revokes, and only the newest link works', async (test) => {
  const { world, page, look } = test
  await openInvitations(test, 'Letter Mill')
  const person = await createPerson(world)
  await page.getByRole('button', { name: 'Invite', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await dialog.getByText('Enter at least one email address.').waitFor()
  await dialog.getByLabel('Email addresses').fill(`${person.email}, not an address`)
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await dialog.getByText('is not an email address.', { exact: false }).waitFor()
  await look('invite')
  await dialog.getByLabel('Email addresses').fill(person.email)
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByRole('dialog', { name: 'Invitations sent' }).getByText(person.email, { exact: true }).waitFor()
  const first = linkIn((await world.mail.nextTo(person.email)).text)
  expect(await statusOf(test, first)).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row').filter({ hasText: person.email })
  await row.getByText('Pending').waitFor()
  await row.getByRole('button', { name: 'Resend' }).click()
  const renewed = page.getByRole('dialog', { name: 'Copy the new link now' })
  await renewed.getByText('It was also sent by email.', { exact: false }).waitFor()
  const second = linkIn((await world.mail.nextTo(person.email)).text)
  expect(await renewed.innerText()).toContain(second)
  expect([await statusOf(test, first), await statusOf(test, second)]).toEqual([404, 200])
  await renewed.getByRole('button', { name: 'Done' }).click()
  await row.getByRole('button', { name: 'Revoke' }).click()
  const asked = page.getByRole('dialog', { name: 'Revoke invitation' })
  await asked.getByText(`${person.email} can no longer accept it.`, { exact: false }).waitFor()
  await asked.getByRole('button', { name: 'Revoke invitation' }).click()
  await row.getByText('Revoked').waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
  expect(await statusOf(test, second)).toBe(410)
})

consoleTest('an administrator shares an open link, with which a person joins', async (test) => {
  const { world, page, context, look, signInAs } = test
  const { slug } = await openInvitations(test, 'Open Mill')
  await page.getByRole('button', { name: 'Invite', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  await dialog.getByLabel('Invite', { exact: true }).selectOption('By shared link')
  await dialog.getByLabel('Maximum number of people').fill('0')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText('Enter a number from 1 to 1000.').waitFor()
  await dialog.getByLabel('Maximum number of people').fill('2')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy the links now' })
  await shown.getByText('Open link', { exact: true }).waitFor()
  await look('invite-link')
  await shown.getByRole('button', { name: 'Copy link for anyone' }).click()
  const link = await page.evaluate('navigator.clipboard.readText()')
  expect(link).toMatch(/token=/)
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row').filter({ hasText: '0 of 2' }).waitFor()
  await page.goto('about:blank')
  await context.clearCookies()
  const { rows } = await world.gateway.pool.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
    (await createPerson(world)).email,
  ])
  await signInAs(rows[0]?.id ?? '')
  await page.goto(String(link))
  await page.getByRole('button', { name: /Accept|Join/ }).click()
  await page.waitForURL(`**/console/o/${slug}**`)
})

consoleTest('on a phone, a note covers no button of a sheet or a dialog', async (test) => {
  const { world, page, open } = test
  const { id, slug } = await openInvitations(test, 'Pocket Letters')
  const { memberId } = await world.gateway.addMember(id, { role: 'member' })
  await page.setViewportSize(phone)
  // A modal dialog hides everything else from roles, so the note is found by its attribute.
  const note = page.locator('[role=status] > div')
  await open(`/o/${slug}/members/${memberId}`)
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Monthly budget (USD)').fill('25')
  await sheet.getByRole('button', { name: 'Save changes' }).click()
  const updated = note.filter({ hasText: 'updated' })
  await updated.waitFor()
  await expectApart(sheet.getByRole('button'), updated)
  await open(`/o/${slug}/invitations?invite=true`)
  const person = await createPerson(world)
  await page.getByLabel('Email addresses').fill(person.email)
  await page.getByRole('button', { name: 'Send invitations' }).click()
  const sent = note.filter({ hasText: 'sent' })
  await sent.waitFor()
  await expectApart(page.getByRole('dialog').getByRole('button'), sent)
})
