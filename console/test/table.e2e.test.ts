import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { addFilter, chips } from './setup/filters.ts'
import { seededPerson } from './setup/seeded-person.ts'

const names = ['alder', 'birch', 'cedar', 'dogwood', 'elm']

function rowNames(page: Page): Promise<(string | null)[]> {
  return page.locator('#content tbody tr[data-row] td:first-child a').allTextContents()
}

consoleTest('a header sorts the list, says so to screen readers, and the URL keeps it', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId } = await world.gateway.createClient()
  for (const name of names.toReversed()) await world.gateway.addKey(userId, { name })
  await signInAs(userId)
  await open('/keys')
  const header = page.getByRole('columnheader', { name: 'Name' })
  expect(await page.getByRole('columnheader', { name: 'Created' }).getAttribute('aria-sort')).toBe('descending')
  await header.getByRole('button').click()
  await page.waitForURL('**/console/keys?sort=name')
  await expect.poll(() => rowNames(page)).toEqual([...names, 'test'])
  expect(await header.getAttribute('aria-sort')).toBe('ascending')
  await header.getByRole('button').click()
  await page.waitForURL('**/console/keys?sort=-name')
  await expect.poll(() => rowNames(page)).toEqual(['test', ...names.toReversed()])
  await page.reload()
  await expect.poll(() => rowNames(page)).toEqual(['test', ...names.toReversed()])
  await look('table-sorted')
})

consoleTest('a table is one tab stop, whose rows the arrow keys move through and Enter opens', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId } = await world.gateway.createClient()
  for (const name of names) await world.gateway.addKey(userId, { name })
  await signInAs(userId)
  await open('/keys?sort=name')
  await expect.poll(() => rowNames(page)).toEqual([...names, 'test'])
  const inTable = () => page.evaluate<boolean>(`document.activeElement?.closest('tbody') != null`)
  const focused = () =>
    page.evaluate<string>(`document.activeElement?.closest('tr')?.querySelector('a')?.textContent ?? ''`)
  await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').focus()
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('alder')
  for (const key of ['j', 'ArrowDown', 'k', 'End', 'k']) await page.keyboard.press(key)
  expect(await focused()).toBe('elm')
  // The row itself and its menu, whatever the number of rows.
  await page.keyboard.press('Tab')
  expect(await page.getByRole('button', { name: 'Actions for elm' }).evaluate((node) => node.matches(':focus'))).toBe(
    true,
  )
  await page.keyboard.press('Tab')
  expect(await inTable()).toBe(false)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('elm').first().waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL('**/console/keys?sort=name')
})

consoleTest('chips are added, changed and removed with the keyboard, and are never cut', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId } = await seededPerson(world)
  await signInAs(userId)
  await open('/requests?period=30d')
  await page.getByRole('button', { name: 'Filter', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Filter by' }).waitFor()
  await page.keyboard.type('res')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Result' }).waitFor()
  await look('table-filter')
  await page.keyboard.type('provider fail')
  await page.keyboard.press('Enter')
  await page.waitForURL(/status=upstream_failed/)
  await expect.poll(() => chips(page).allTextContents()).toEqual(['Result: Provider failed'])
  await page.getByRole('cell', { name: 'Provider failed' }).first().waitFor()
  await page.getByRole('button', { name: 'Result: Provider failed', exact: true }).click()
  await page.getByRole('option', { name: 'Stream interrupted' }).click()
  await page.waitForURL(/status=stream_interrupted/)
  await addFilter(page, 'Model', 'openai/gpt-5.2')
  const long = 'acme/a-model-with-a-name-that-is-longer-than-any-select-could-ever-show-on-a-telephone'
  await open(`/requests?model=${encodeURIComponent(long)}&status=not_billed`)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const chip = page.getByRole('button', { name: `Model: ${long}`, exact: true })
    const isCut = await chip.evaluate(
      (node) => node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight,
    )
    expect(isCut, `at ${width} px`).toBe(false)
    const box = await chip.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0), `at ${width} px`).toBeLessThanOrEqual(width)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('heading', { name: 'No matching requests' }).waitFor()
  await page.getByRole('button', { name: 'Result: Test model', exact: true }).focus()
  await page.keyboard.press('Backspace')
  await expect.poll(() => chips(page).count()).toBe(1)
  await page.getByRole('button', { name: `Remove filter Model: ${long}` }).click()
  await page.waitForURL((url) => url.search === '')
  expect(
    await page.getByRole('button', { name: 'Filter', exact: true }).evaluate((node) => node.matches(':focus')),
  ).toBe(true)
})

consoleTest('a list is narrowed to own days, whose requests the ledger counts', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId, walletId } = await seededPerson(world)
  await signInAs(userId)
  await open('/requests')
  const day = new Date(Date.now() - 9 * 86_400_000).toISOString().slice(0, 10)
  await page.getByRole('button', { name: 'Time range: Last 7 days' }).click()
  await page.getByLabel('From (UTC)').fill(day)
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText("Enter both days. The last day can't be before the first.").waitFor()
  await page.getByLabel('To (UTC)').fill(day)
  await look('table-days')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: `Time range: ${day}` }).waitFor()
  expect(new URL(page.url()).searchParams.get('period')).toBe(`${day}..${day}`)
  const { rows } = await world.gateway.pool.query<{ count: string; nano: string }>(
    `SELECT count(*), sum(cost_nano) AS nano FROM generations
      WHERE wallet_id = $1 AND started_at >= $2::date AND started_at < $2::date + 1`,
    [walletId, day],
  )
  await expect
    .poll(() => page.locator('[data-sum="span"]').textContent())
    .toContain(`${rows[0]?.count} finished request`)
  expect(await page.locator('[data-sum="span"] [data-nano]').getAttribute('data-nano')).toBe(rows[0]?.nano)
  await page.reload()
  await page.getByRole('button', { name: `Time range: ${day}` }).waitFor()
  await open(`/usage?period=${day}..${day}`)
  await page.getByRole('button', { name: `Time range: ${day}` }).waitFor()
  await expect.poll(() => page.locator('[data-sum="chart"] [data-nano]').getAttribute('data-nano')).toBe(rows[0]?.nano)
  await page.getByRole('region', { name: 'Usage by model' }).getByRole('link').first().click()
  await page.waitForURL(new RegExp(`requests\\?.*period=${day}`))
  await open('/ledger?month=all&kind=charge')
  await page.getByRole('button', { name: 'Time range: All time' }).click()
  await page.getByLabel('From (UTC)').fill(day)
  await page.getByLabel('To (UTC)').fill(day)
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: `Time range: ${day}` }).waitFor()
  const times = page.locator('#content tbody tr[data-row] time')
  const hovers = () => times.evaluateAll((found) => found.map((node) => node.title))
  await expect.poll(async () => (await hovers()).every((time) => time.startsWith(day))).toBe(true)
  expect(await times.count()).toBeGreaterThan(3)
})

consoleTest('requests and ledger tell how long ago, and the exact time on hover', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId } = await seededPerson(world)
  await signInAs(userId)
  for (const path of ['/requests?period=30d', '/ledger?month=all&kind=charge']) {
    await open(path)
    const times = page.locator('#content tbody tr[data-row] time')
    await times.first().waitFor()
    const shown = await times.evaluateAll((found) =>
      found.map((node) => ({ text: node.textContent ?? '', hover: node.title, at: node.dateTime })),
    )
    for (const { text, hover, at } of shown) {
      expect(text, path).toMatch(/ ago$|^yesterday$|^last month$|^just now$/)
      expect(hover, path).toBe(`${at.slice(0, 19).replace('T', ' ')} UTC`)
    }
  }
})

consoleTest('a view is saved by name, opened again, found in the palette, and deleted', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/requests?status=refunded&period=30d')
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByLabel('View name').fill('Free last month')
  await page.getByRole('button', { name: 'Save view' }).click()
  await open('/keys')
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('free last')
  await page.keyboard.press('Enter')
  await page.waitForURL(/requests\?.*status=refunded/)
  await open('/requests')
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByRole('button', { name: 'Free last month', exact: true }).click()
  await page.waitForURL(
    (url) => url.searchParams.get('status') === 'refunded' && url.searchParams.get('period') === '30d',
  )
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByRole('img', { name: 'Current view' }).waitFor()
  await look('table-views')
  await page.getByRole('button', { name: 'Delete view Free last month' }).click()
  await page.getByText('Save filters and sort order under a name.').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByText('Save filters and sort order under a name.').waitFor()
  await page.keyboard.press('Escape')
})

consoleTest('dense rows are 28 pixels high and stay dense', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId } = await world.gateway.createClient()
  for (const name of names) await world.gateway.addKey(userId, { name })
  await signInAs(userId)
  await open('/keys')
  const heights = () =>
    page
      .locator('#content tbody tr[data-row]')
      .evaluateAll((rows) => [...new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))])
  await expect.poll(heights).toEqual([40])
  await page.getByRole('button', { name: 'Dense rows' }).click()
  await expect.poll(heights).toEqual([28])
  await page.reload()
  await expect.poll(heights).toEqual([28])
  await look('table-dense')
})

consoleTest('the file has every row of the list, also those that are not loaded yet', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId } = await world.gateway.createClient()
  for (let made = 0; made < 3; made += 1) {
    await Promise.all(
      Array.from({ length: 40 }, (_, at) => world.gateway.addKey(userId, { name: `key ${made} ${at}` })),
    )
  }
  await signInAs(userId)
  await open('/keys')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export all rows as CSV (5,000 at most)' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n').slice(1)
  expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(121)
  await page.getByRole('button', { name: 'Export 121 rows as CSV' }).waitFor()
})

consoleTest('an empty list of an organization says what will be there, and offers no filter to clear', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { id, slug } = await world.gateway.createOrganization({ usd: '5', name: 'Quiet Mill' })
  const { userId } = await world.gateway.addMember(id, { role: 'org_admin' })
  await signInAs(userId)
  await open(`/o/${slug}/requests`)
  await page.getByRole('heading', { name: 'No requests in this period' }).waitFor()
  await page.getByText('Requests appear here', { exact: false }).waitFor()
  expect(await page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0)
  await look('organization-requests-empty')
  await addFilter(page, 'Result', 'Charged')
  await page.getByRole('heading', { name: 'No matching requests' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await page.getByRole('heading', { name: 'No requests in this period' }).waitFor()
})
