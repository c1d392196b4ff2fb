import { expectCheckout } from './checkout.ts'
import type { ConsoleTest } from './console-test.ts'
import type { Hands } from './hands.ts'
import { createPerson } from './people.ts'

export interface Home {
  readonly id: string
  readonly slug: string
  /** Of the administrator. */
  readonly email: string
}

/** From the form of sign-in to an organization with $25 of credit. */
export async function foundOrganization(test: ConsoleTest, hands: Hands, name: string): Promise<Home> {
  const { world, page, open } = test
  expectCheckout(test)
  const { email, password } = await createPerson(world)
  await open('/')
  await hands.type(page.getByLabel('Email'), email)
  await hands.type(page.getByLabel('Password'), password)
  await hands.click(page.getByRole('button', { name: 'Sign in', exact: true }))
  await hands.click(page.getByRole('button', { name: /^Workspace:/ }))
  await hands.click(page.getByRole('menuitem', { name: 'New organization' }))
  await hands.type(page.getByLabel('Name'), name)
  await hands.click(page.getByRole('button', { name: 'Create organization' }))
  await page.getByRole('button', { name: `Workspace: ${name}` }).waitFor()
  await hands.click(page.getByRole('link', { name: 'Billing', exact: true }))
  await hands.click(page.getByRole('button', { name: '$25', exact: true }))
  await hands.click(page.getByRole('button', { name: 'Pay $27.50' }))
  await page.getByRole('heading', { name: 'Test checkout' }).waitFor()
  await hands.click(page.getByRole('button', { name: /^Pay 27.50 USD/ }))
  await page.getByRole('status').filter({ hasText: 'added to your balance' }).waitFor()
  const slug = /\/o\/([^/]+)/.exec(page.url())?.[1] ?? ''
  const { rows } = await world.gateway.pool.query<{ id: string }>('SELECT id FROM organizations WHERE slug = $1', [
    slug,
  ])
  return { id: rows[0]?.id ?? '', slug, email }
}

export async function createTeam({ page }: ConsoleTest, hands: Hands, name: string, budget: string): Promise<void> {
  await hands.click(page.getByRole('link', { name: 'Teams', exact: true }))
  await hands.click(page.getByRole('button', { name: 'Create team' }).first())
  const dialog = page.getByRole('dialog')
  await hands.type(dialog.getByLabel('Name'), name)
  await hands.type(dialog.getByLabel('Monthly budget (USD)'), budget)
  await hands.click(dialog.getByRole('button', { name: 'Create team' }))
  await page.getByRole('link', { name, exact: true }).waitFor()
}

/** Two keys for each member, and a budget for those who have no other. */
export async function setDefaults({ page }: ConsoleTest, hands: Hands, budget: string): Promise<void> {
  await hands.click(page.getByRole('link', { name: 'Organization settings', exact: true }))
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Defaults for new members' }) })
  await hands.type(card.getByLabel('Monthly budget (USD)'), budget)
  await hands.type(card.getByLabel('API keys per member'), '2')
  await hands.click(card.getByRole('button', { name: 'Save defaults' }))
  await page.getByText('Defaults saved.').waitFor()
}
