import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'

consoleTest(
  'the lines of a tool hold the address, the key and the model',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createCaller()
    await signInAs(userId)
    await open('/start')
    await page.getByLabel('Key', { exact: true }).fill('sk-weir-mine')
    await page.getByRole('tab', { name: 'openai, Python' }).click()
    const code = page.getByRole('tabpanel').locator('pre')
    expect(await code.textContent()).toContain(`OpenAI(base_url="${world.origin}/v1", api_key="sk-weir-mine")`)
    expect(page.url()).toContain('tool=openai-python')
    const kept = await page.evaluate<string>(
      'JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }])',
    )
    expect(kept).not.toContain('sk-weir-mine')
    await look('start')
  },
)
