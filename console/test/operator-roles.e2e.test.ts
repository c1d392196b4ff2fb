import { expect } from 'vitest'
import { newUuid } from '../../server/src/lib/uuid.ts'
import { type OperatorRole, operatorRoles, readAccess } from '../../server/test/oracle/read-access.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'
import { objectButtons, operatorPages } from './setup/operator-pages.ts'
import { payOrder } from './setup/paid-order.ts'

const access = readAccess()
const operations = [...access.values()]
  .filter(({ path }) => path.startsWith('/api/admin/'))
  .map(({ method, path }) => ({
    operation: `${method} ${path}`,
    pattern: new RegExp(`^${method} ${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))

function mayCall(role: OperatorRole, operation: string): boolean {
  const found = access.get(operation)
  if (found === undefined) throw new Error(`the table of access lacks ${operation}`)
  return found.operators.has(role)
}

/** The operator's pages that the sidebar and the tabs of the page lead to, such as `/orders`. */
async function offeredOn({ page }: ConsoleTest): Promise<string[]> {
  const links = page.getByRole('navigation').getByRole('link')
  const addresses = await links.evaluateAll((found) => found.map((link) => String(Reflect.get(link, 'pathname'))))
  const home = '/console/operator'
  return addresses.filter((path) => path.startsWith(`${home}/`)).map((path) => path.slice(home.length))
}

interface VisitedPage {
  readonly reads: ReadonlySet<string>
  /** Whether the page has each button that `operatorPages` names. */
  readonly buttons: Readonly<Record<string, boolean>>
}

/** Opens every page that is offered, from the first one on. */
async function visitPages(test: ConsoleTest): Promise<Map<string, VisitedPage>> {
  const { page } = test
  const visited = new Map<string, VisitedPage>()
  let reads = new Set<string>()
  const note = (request: { method(): string; url(): string }): void => {
    const called = `${request.method()} ${new URL(request.url()).pathname}`
    const known = operations.find(({ pattern }) => pattern.test(called))
    if (called.includes('/api/admin/')) reads.add(known?.operation ?? `unknown ${called}`)
  }
  page.on('request', note)
  await page.getByRole('complementary', { name: 'Operator' }).waitFor()
  let waiting = await offeredOn(test)
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    reads = new Set()
    await page.goto(`/console/operator${path}`)
    await page.getByRole('complementary', { name: 'Operator' }).waitFor()
    await page.waitForLoadState('networkidle')
    visited.set(path, { reads, buttons: await findButtons(test, Object.keys(operatorPages[path]?.buttons ?? {})) })
    expect(await page.locator('#content').getByRole('alert').allInnerTexts(), path).toEqual([])
    const offered = [...waiting, ...(await offeredOn(test))]
    waiting = [...new Set(offered)].filter((one) => !visited.has(one))
  }
  page.off('request', note)
  return visited
}

/** Which of these buttons and links the page has. */
async function findButtons({ page }: ConsoleTest, names: readonly string[]): Promise<Record<string, boolean>> {
  const content = page.locator('#content')
  const found: Record<string, boolean> = {}
  for (const name of names) {
    const named = { name, exact: true }
    found[name] = (await content.getByRole('button', named).or(content.getByRole('link', named)).count()) > 0
  }
  return found
}

/** Which of these buttons and links the role may use. */
function allowedButtons(role: OperatorRole, buttons: Readonly<Record<string, string>>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(buttons).map(([name, operation]) => [name, mayCall(role, operation)]))
}

async function checkButtons(test: ConsoleTest, role: OperatorRole, buttons: Readonly<Record<string, string>>) {
  const found = await findButtons(test, Object.keys(buttons))
  expect(found, `${role} on ${test.page.url()}`).toEqual(allowedButtons(role, buttons))
}

/** What an owner may open, by page. */
let pagesOfOwner: Promise<ReadonlyMap<string, VisitedPage>> | undefined

async function visitAs(test: ConsoleTest, role: OperatorRole): Promise<ReadonlyMap<string, VisitedPage>> {
  await enterOperator(test, '/health', role)
  return visitPages(test)
}

for (const role of operatorRoles) {
  consoleTest(`${role}: the console offers what the table of access allows, and calls nothing else`, async (test) => {
    const known = await (pagesOfOwner ??= visitAs(test, 'owner'))
    expect(known.size).toBeGreaterThan(8)
    const visited = role === 'owner' ? known : await visitAs(test, role)
    const allowed = [...known].filter(([path, { reads }]) => {
      const { needs } = operatorPages[path] ?? {}
      return [...reads, ...(needs === undefined ? [] : [needs])].every((operation) => mayCall(role, operation))
    })
    expect([...visited.keys()].toSorted()).toEqual(allowed.map(([path]) => path).toSorted())
    for (const [path, { buttons }] of visited)
      expect(buttons, path).toEqual(allowedButtons(role, operatorPages[path]?.buttons ?? {}))
  })
}

consoleTest('a customer, an account, an order and a month offer what the role may do', async (test) => {
  const { world, page, open } = test
  const customer = await world.gateway.createClient({ usd: '0' })
  const orderId = await payOrder(world, customer, 20)
  const account = `groq-${newUuid(Date.now())}`
  await world.gateway.addProvider({ vendor: 'groq', name: account, url: 'http://127.0.0.1:9' })
  for (const role of operatorRoles) {
    await enterOperator(test, `/customers/${customer.userId}`, role)
    await page.getByRole('heading', { name: 'Notes' }).waitFor()
    await checkButtons(test, role, objectButtons.customer)
    await open(`/operator/providers/${account}`)
    await page.getByRole('heading', { name: 'Circuits' }).waitFor()
    await checkButtons(test, role, objectButtons.account)
    await open(`/operator/orders/${orderId}`)
    const sheet = page.getByRole('dialog', { name: 'Credit order' })
    await sheet.getByRole('link', { name: 'View customer orders' }).waitFor()
    const refunds = await sheet.getByRole('button', { name: 'Refund…' }).count()
    expect(refunds > 0, role).toBe(mayCall(role, objectButtons.order['Refund…']))
    await open('/operator/accounting?month=2025-01')
    await page.getByText('This month is open', { exact: false }).waitFor()
    await checkButtons(test, role, objectButtons.month)
  }
})
