import { expect } from 'vitest'
import type { VideoUpstream } from '../../server/test/simulators/media/videos/video-upstream.ts'
import { openBooks } from './setup/books.ts'
import { consoleTest } from './setup/console-test.ts'
import { addFilter } from './setup/filters.ts'
import { orderVideo, sellFilms } from './setup/videos.ts'
import { startWorld } from './setup/world.ts'

consoleTest(
  'an empty list leads to the playground, whose film plays there and in the list',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createClient()
    await signInAs(userId)
    await open('/videos')
    await page.getByRole('heading', { name: 'No videos yet' }).waitFor()
    await look('videos-empty')
    await page.getByRole('link', { name: 'Generate video' }).last().click()
    await page.waitForURL('**/console/playground?kind=video')
    await page.getByRole('heading', { name: 'Playground' }).waitFor()
    await page.getByLabel('Model').selectOption('test/video')
    await page.getByLabel('Prompt').fill('A weir in the morning')
    await page.getByRole('button', { name: 'Generate video' }).click()
    const film = page.locator('video')
    const lengthS = () => film.evaluate((element) => (element as unknown as { duration: number }).duration)
    await expect.poll(async () => Math.round(await lengthS())).toBe(4)
    await look('playground-video')
    await page.getByRole('link', { name: /^vjob_/ }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('The request had no').waitFor()
    await expect.poll(async () => Math.round(await lengthS())).toBe(4)
    await look('video')
    await page.keyboard.press('Escape')
    await page.waitForURL('**/console/videos')
    await page.getByRole('row').filter({ hasText: 'test/video' }).getByText('Completed').waitFor()
  },
)

let upstream: VideoUpstream

consoleTest(
  'videos are listed by model and state with what the ledger charged, and a failed one says why',
  async ({ world, page, open, signInAs, look, tolerate }) => {
    const caller = await world.gateway.createClient()
    const made = await orderVideo(world, caller.key, { model: 'acme/film' })
    await upstream.playNext({ end: { kind: 'failed', message: 'the reel is torn' } })
    const failed = await orderVideo(world, caller.key, { model: 'acme/film' })
    await orderVideo(world, caller.key)
    await signInAs(caller.userId)
    await open('/videos')
    await addFilter(page, 'Model', 'acme/film')
    await page.waitForURL(/model=acme/)
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    const charged = await openBooks(world.gateway.pool, caller).sum('charge')
    expect(charged).toBe(-500_000_000n)
    const costs = page.locator('#content [data-nano]')
    expect(await costs.evaluateAll((found) => found.map((node) => node.dataset['nano']))).toEqual(['0', '500000000'])
    await look('videos')
    tolerate(/status of 410/)
    await page.locator(`a[href*="${made}"]`).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText("Your browser can't play this video.", { exact: false }).waitFor()
    expect(await sheet.locator('[data-nano]').first().getAttribute('data-nano')).toBe('500000000')
    await world.gateway.pool.query(`UPDATE video_jobs SET stored_until = now() WHERE wallet_id = $1`, [caller.walletId])
    await page.reload()
    await sheet.getByText('This video has expired.').waitFor()
    await sheet.getByRole('link', { name: 'View receipt' }).click()
    await page.getByText('Matches the ledger', { exact: true }).waitFor()
    await open(`/videos/${failed}?model=acme%2Ffilm`)
    await sheet.getByText('the reel is torn', { exact: false }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/videos\?model=acme/)
    await addFilter(page, 'Status', 'Queued')
    await page.getByRole('heading', { name: 'No matching videos' }).waitFor()
  },
  () =>
    startWorld({
      prepare: async (gateway) => {
        upstream = await sellFilms(gateway)
      },
    }),
)
