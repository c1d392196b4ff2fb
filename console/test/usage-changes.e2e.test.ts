import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { seededPerson } from './setup/seeded-person.ts'

consoleTest('what changed links each figure to its requests', async ({ world, page, open, signInAs }) => {
  const { userId } = await seededPerson(world)
  await signInAs(userId)
  await open('/usage?period=7d')
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'What changed' }) })
  await card.getByText('Spend went from').waitFor()
  const links = await card.getByRole('link').evaluateAll((found) =>
    found.map((link) => ({
      text: link.textContent ?? '',
      search: new URL(link.getAttribute('href') ?? '', 'http://console').search,
    })),
  )
  const today = new Date().toISOString().slice(0, 10)
  const dayOf = (daysAgo: number) => new Date(Date.parse(today) - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const [now, before] = [`period=${dayOf(6)}..${today}`, `period=${dayOf(13)}..${dayOf(7)}`]
  const searches = links.map(({ search }) => decodeURIComponent(search))
  expect(searches.slice(0, 2)).toEqual([`?${before}`, `?${now}`])
  for (const search of searches) expect([now, before].filter((period) => search.includes(period))).toHaveLength(1)
  await card.getByRole('link', { name: /%$/ }).first().click()
  await page.waitForURL(/status=failed/)
  await page.getByRole('heading', { name: 'Requests' }).waitFor()
  await page.getByText(/^\d+ total$/).waitFor()
  const results = await page.getByRole('cell', { name: /Charged|Client disconnected|Rejected by provider/ }).count()
  expect(results).toBe(0)
  expect(await page.getByRole('cell', { name: /Provider failed|Stream interrupted/ }).count()).toBeGreaterThan(0)
})
