import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { openPage } from './setup/browser.ts'

/** A hostile page: once opened, it sends a write without a preflight, with the console's cookie. */
const hostilePage = (target: string): string => `<!doctype html><title>Win a prize</title>
<script>
  fetch('${target}', { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: '{"name":"stolen"}' })
    .finally(() => { document.title = 'done' })
</script>`

consoleTest('a page of another origin changes nothing, though the browser sends it the cookie', async (test) => {
  const { world, page, open, signInAs, tolerate } = test
  tolerate(/foreign request|status of 403/)
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/keys')
  await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
  const hostile = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(hostilePage(`${world.origin}/v1/keys`))
  })
  await new Promise<void>((resolve) => void hostile.listen(0, '127.0.0.1', resolve))
  const { port } = hostile.address() as AddressInfo
  const answered = page.waitForResponse(`${world.origin}/v1/keys`)
  // Another port of the same host is another origin of the same site, so the browser sends the cookie.
  await page.goto(`http://localhost:${port}/`)
  // Without a session the status would be 401 instead.
  expect((await answered).status()).toBe(403)
  await expect.poll(() => page.title()).toBe('done')
  hostile.close()
  hostile.closeAllConnections()
  await open('/keys')
  await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
  expect(await page.getByRole('cell', { name: 'stolen' }).count()).toBe(0)
})

consoleTest(
  'the policy refuses scripts, styles, images and calls of others, and a test would fail on each',
  async (test) => {
    const { world, page, open } = test
    await open('/sign-in')
    await page.getByLabel('Email').waitFor()
    // A second watcher on the same tab. From here on only this one receives the errors.
    const watched = await openPage(world.origin)
    test.tolerate(/Content Security Policy|Refused to connect|foreign request/)
    for (const attempt of [
      `document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' }))`,
      `document.head.append(Object.assign(document.createElement('style'), { textContent: 'body { display: none }' }))`,
      `document.body.append(Object.assign(new Image(), { src: 'https://example.com/pixel.png' }))`,
      `fetch('https://example.com/collect').catch(() => {})`,
    ]) {
      const before = watched.problems.length
      await page.evaluate(attempt)
      await expect.poll(() => watched.problems.length, { message: attempt }).toBeGreaterThan(before)
    }
    expect(await page.evaluate('window.ran')).toBeUndefined()
    await open('/sign-in')
  },
)

consoleTest('no page may put the console into a frame', async ({ world, page, open, tolerate }) => {
  tolerate(/frame|foreign request|Content Security Policy/i)
  const framing = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<iframe src="${world.origin}/console/"></iframe>`)
  })
  await new Promise<void>((resolve) => void framing.listen(0, '127.0.0.1', resolve))
  const { port } = framing.address() as AddressInfo
  await page.goto(`http://localhost:${port}/`)
  const [, frame] = page.frames()
  await expect.poll(() => frame?.url()).toMatch(/^chrome-error:/)
  framing.close()
  framing.closeAllConnections()
  await open('/sign-in')
})
