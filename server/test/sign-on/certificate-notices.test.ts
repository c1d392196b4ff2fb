import { afterAll, beforeAll, expect, it } from 'vitest'
import { certificatePart } from '#jobs/sign-on/tell-certificates.ts'
import { createCertificateNotices } from '#store/postgres/sign-on/certificate-notices.ts'
import { newSamlHome, type SamlHome } from './saml-home.ts'
import { selfSigned } from './self-signed.ts'
import { type SignOnWorld, startSignOnWorld } from './sign-on-world.ts'

let world: SignOnWorld
beforeAll(async () => {
  world = await startSignOnWorld()
})
afterAll(() => world.close())

const dayMs = 86_400_000
const creditsUrl = 'https://weir.test/console/credits'

/** One round of the worker at a moment. */
async function roundAt(nowMs: number): Promise<void> {
  const deps = {
    notices: createCertificateNotices(world.pool),
    creditsUrl,
    log: { info: () => {} },
    nowMs: () => nowMs,
  }
  await certificatePart(deps).run(new AbortController().signal)
}

/** The emails to people of the organization, without those that an earlier call has returned. */
async function newMails(home: SamlHome) {
  const text = `WITH taken AS (DELETE FROM mail_outbox o USING members m
      WHERE m.user_id = o.user_id AND m.organization_id = $1 RETURNING o.user_id, o.class, o.subject, o.body)
    SELECT * FROM taken ORDER BY user_id`
  const { rows } = await world.pool.query<{ user_id: string; class: string; subject: string; body: string }>(text, [
    home.id,
  ])
  return rows
}

const subjectsAt = async (home: SamlHome, nowMs: number): Promise<string[]> => {
  await roundAt(nowMs)
  return (await newMails(home)).map(({ subject }) => subject)
}

it('tells administrators with access 30 days, 7 days and 1 day before the end, once each', async () => {
  const home = await newSamlHome(world)
  const second = await world.addMember(home.id, { role: 'org_admin' })
  const suspended = await world.addMember(home.id, { role: 'org_admin' })
  await world.pool.query('UPDATE members SET suspended_at = now() WHERE id = $1', [suspended.memberId])
  await world.addMember(home.id, { role: 'member' })
  const { endsAtMs } = home.key
  expect(await subjectsAt(home, endsAtMs - 30 * dayMs - 1)).toEqual([])
  // Two workers at the same moment send one email to each.
  await Promise.all([roundAt(endsAtMs - 30 * dayMs), roundAt(endsAtMs - 30 * dayMs)])
  const mails = await newMails(home)
  expect(mails.map(({ user_id }) => user_id)).toEqual([home.adminUserId, second.userId].sort())
  expect(mails[0]).toMatchObject({ class: 'notice', subject: 'SAML certificate expires in 30 days' })
  const slug = await world.pool.query<{ slug: string }>('SELECT slug FROM organizations WHERE id = $1', [home.id])
  expect(mails[0]?.body).toContain(`https://weir.test/console/o/${slug.rows[0]?.slug}/sign-on`)
  expect(mails[0]?.body).toContain(`the identity provider Staff expires at ${new Date(endsAtMs).toISOString()}`)
  expect(await subjectsAt(home, endsAtMs - 8 * dayMs)).toEqual([])
  expect(await subjectsAt(home, endsAtMs - 7 * dayMs)).toEqual(Array(2).fill('SAML certificate expires in 7 days'))
  expect(await subjectsAt(home, endsAtMs - 6 * dayMs)).toEqual([])
  expect(await subjectsAt(home, endsAtMs - dayMs)).toEqual(Array(2).fill('SAML certificate expires in 1 day'))
  expect(await subjectsAt(home, endsAtMs - 1)).toEqual([])
  expect(await subjectsAt(home, endsAtMs)).toEqual([])
})

it('sends no earlier notice after a later one', async () => {
  const home = await newSamlHome(world)
  const { endsAtMs } = home.key
  expect(await subjectsAt(home, endsAtMs - 5 * dayMs)).toEqual(['SAML certificate expires in 7 days'])
  expect(await subjectsAt(home, endsAtMs - 20 * dayMs)).toEqual([])
})

it.each<[string, (home: SamlHome) => Promise<unknown>]>([
  [
    'has a later certificate',
    (home) => {
      const certificates = [home.key.certificate, selfSigned({ days: 500 }).certificate]
      return home.admin.patch(`${home.path}/connections/${home.connectionId}`, { certificates })
    },
  ],
  ['is disabled', (home) => home.admin.patch(`${home.path}/connections/${home.connectionId}`, { enabled: false })],
  [
    'belongs to a suspended organization',
    (home) => world.pool.query('UPDATE organizations SET suspended_at = now() WHERE id = $1', [home.id]),
  ],
])('tells no one about a connection that %s', async (_what, prepare) => {
  const home = await newSamlHome(world)
  await prepare(home)
  expect(await subjectsAt(home, home.key.endsAtMs - dayMs)).toEqual([])
})

it('tells again about a new certificate', async () => {
  const home = await newSamlHome(world)
  expect(await subjectsAt(home, home.key.endsAtMs - dayMs)).toHaveLength(1)
  const next = selfSigned({ days: 300 })
  await home.admin.patch(`${home.path}/connections/${home.connectionId}`, { certificates: [next.certificate] })
  expect(await subjectsAt(home, next.endsAtMs - dayMs)).toEqual(['SAML certificate expires in 1 day'])
})
