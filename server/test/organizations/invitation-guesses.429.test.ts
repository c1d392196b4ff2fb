import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '#test/setup/client.ts'
import { type OrganizationWorld, startOrganizationWorld } from './organization-world.ts'

let world: OrganizationWorld

beforeAll(async () => {
  world = await startOrganizationWorld({ WEIR_LIMITS_SIGN_IN_FAILURES: '1' })
})
afterAll(() => world.close())

it('makes a site pause after many unknown tokens, and counts no known ones', async () => {
  const home = await world.newOrganization()
  const { list } = await home.admin.post(`${home.path}/invitations`, { emails: ['ada@example.org'] })
  // Without a mail server no email is sent.
  expect(list[0]).toMatchObject({
    mailed: false,
    url: expect.stringMatching(/^https:\/\/weir\.test\/console\/invitation\?token=[\w-]{43}$/),
  })
  const known = String(list[0]?.['url']).split('=')[1]
  const open = async (token: string | undefined) =>
    (await createClient(world.url).post('/api/invitations/open', { token })).status
  for (let attempt = 0; attempt < 15; attempt += 1) expect(await open(known)).toBe(200)
  const answers: number[] = []
  for (let attempt = 0; attempt < 15; attempt += 1) answers.push(await open('unknown'))
  expect(answers).toEqual([...Array.from({ length: 10 }, () => 404), ...Array.from({ length: 5 }, () => 429)])
  expect(await open(known)).toBe(429)
})
