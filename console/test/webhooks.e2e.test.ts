import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type ReceivedCall, startWebhookReceiver } from '../../server/test/videos/webhook-receiver.ts'
import { consoleTest } from './setup/console-test.ts'
import { addFilter } from './setup/filters.ts'
import { orderVideo } from './setup/videos.ts'

const run = promisify(execFile)

const programs = [
  {
    language: 'TypeScript',
    file: 'verify.ts',
    program: process.execPath,
    end: 'const [h = "", b = "", s = ""] = process.argv.slice(2)\nconsole.log(await isFromWeir(new Headers(JSON.parse(h)), b, s))',
  },
  {
    language: 'Python',
    file: 'verify.py',
    program: 'python3',
    end: 'import json, sys\nprint(str(is_from_weir(json.loads(sys.argv[1]), sys.argv[2].encode(), sys.argv[3])).lower())',
  },
]

/** Returns the result of each verification function on the page for a delivery. */
async function verify(page: Page, { headers, body }: ReceivedCall, secret: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-webhook-'))
  const verdicts: string[] = []
  for (const { language, file, program, end } of programs) {
    await page.getByRole('tab', { name: language }).click()
    const code = (await page.getByRole('tabpanel', { name: language }).locator('pre').textContent()) ?? ''
    await writeFile(join(folder, file), code + end)
    const { stdout } = await run(program, [join(folder, file), JSON.stringify(headers), body, secret])
    verdicts.push(stdout.trim())
  }
  return verdicts
}

consoleTest(
  'a secret is made and shown once, and the functions of the page verify a call with it',
  async ({ world, page, open, signInAs, look }) => {
    const receiver = await startWebhookReceiver()
    const caller = await world.gateway.createClient()
    await signInAs(caller.userId)
    await open('/webhooks')
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
    await look('webhooks-empty')
    await page.getByRole('button', { name: 'Create secret' }).click()
    const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    await look('webhooks-secret')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Webhooks are signed with a secret').waitFor()
    expect(await page.content()).not.toContain(secret)
    const id = await orderVideo(world, caller.key, { callback_url: receiver.url })
    await expect.poll(() => receiver.calls.length).toBe(1)
    const [call] = receiver.calls
    if (call === undefined) throw new Error('the address was called')
    expect(await verify(page, call, secret)).toEqual(['true', 'true'])
    await page.getByRole('button', { name: 'Replace…' }).click()
    await page.getByRole('button', { name: 'Replace secret' }).click()
    await page.getByRole('dialog', { name: 'Copy your secret now' }).waitFor()
    const next = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await verify(page, call, next)).toEqual(['false', 'false'])
    await page.reload()
    await page.getByRole('row').filter({ hasText: id }).getByRole('button', { name: 'Resend' }).click()
    await expect.poll(() => receiver.calls.length).toBe(2)
    expect(receiver.calls[1]?.headers['webhook-id']).toBe(call.headers['webhook-id'])
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete secret' }).click()
    await page.getByText("Webhooks aren't signed.", { exact: false }).waitFor()
    await receiver.close()
  },
)

consoleTest(
  'calls are listed by state with their answers, and a video shows its own',
  async ({ world, page, open, signInAs, look }) => {
    let status = 500
    const receiver = await startWebhookReceiver((_call, response) => void response.writeHead(status).end())
    const caller = await world.gateway.createClient()
    const id = await orderVideo(world, caller.key, { callback_url: receiver.url })
    await signInAs(caller.userId)
    await open('/webhooks?state=waiting')
    const row = page.getByRole('row').filter({ hasText: id })
    await row.getByText('HTTP 500', { exact: false }).waitFor()
    await look('webhooks')
    await row.getByRole('link').click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('HTTP 500', { exact: false }).waitFor()
    status = 204
    await sheet.getByRole('button', { name: 'Resend' }).click()
    await sheet.getByText('Delivered').waitFor()
    await sheet.getByText('HTTP 204 after 1 attempt', { exact: false }).waitFor()
    await look('video-webhook')
    await open('/webhooks')
    await row.getByText('Delivered').waitFor()
    await addFilter(page, 'Status', 'Failed')
    await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor()
    await receiver.close()
  },
)
