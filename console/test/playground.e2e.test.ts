import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { placesWith } from './setup/places-with.ts'

consoleTest(
  'two models answer side by side, one is charged what its receipt says, and the key is nowhere to be found',
  async ({ world, page, open, signInAs, look, tolerate }) => {
    tolerate(/status of 429/)
    const { userId } = await world.gateway.createClient()
    await signInAs(userId)
    await open('/playground?models=test%2Fpriced%2Ctest%2Ferror-429')
    await page.getByRole('button', { name: 'Remove test/priced' }).waitFor()
    await look('playground')
    const made = page.waitForResponse('**/api/playground-keys')
    await page.getByLabel('Message').fill('one two three')
    await page.getByRole('button', { name: 'Send' }).click()
    const { key } = (await (await made).json()) as { key: string }
    const paid = page.getByRole('article', { name: 'Response from test/priced' })
    await paid.getByRole('link', { name: 'View receipt' }).waitFor()
    expect(await paid.getByText('one two three').textContent()).toBe('one two three')
    // Four prompt tokens at $1 per million and three output tokens at $2.
    expect(await paid.locator('data').getAttribute('data-nano')).toBe('10000')
    const id = (await paid.getByRole('link', { name: 'View receipt' }).getAttribute('href'))?.split('/').pop() ?? ''
    const receipt = await page.evaluate(
      async (generation) => (await fetch(`/v1/generation?id=${generation}`)).text(),
      id,
    )
    expect(receipt).toContain('"total_cost":0.00001')
    const failed = page.getByRole('article', { name: 'Response from test/error-429' })
    await failed.getByRole('alert').waitFor()
    expect(await failed.getByRole('alert').textContent()).toMatch(/req_/)
    await look('playground-answers')
    expect(key).toMatch(/^sk-weir-/)
    expect(await placesWith(page, key)).toEqual([])
  },
)

consoleTest('an error names places of the console instead of paths of the API', async (test) => {
  const { world, page, open, signInAs, look, tolerate } = test
  tolerate(/status of 40[04]/)
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/playground?models=test%2Fembedding%2Ctest%2Fnothing')
  await page.getByRole('button', { name: 'Remove test/nothing' }).waitFor()
  await page.getByLabel('Message').fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  const wordsOf = (model: string) =>
    page
      .getByRole('article', { name: `Response from ${model}` })
      .getByRole('alert')
      .locator('p')
      .first()
      .textContent()
  expect(await wordsOf('test/embedding')).toBe('"test/embedding" is an embedding model. Use it under Embeddings.')
  expect(await wordsOf('test/nothing')).toMatch(/ The Models page lists all models\.$/)
  await look('playground-refusals')
})

consoleTest('an answer is stopped, and the next question goes on', async ({ world, page, open, signInAs }) => {
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/playground?models=test%2Fstall')
  await page.getByRole('button', { name: 'Remove test/stall' }).waitFor()
  await page.getByLabel('Message').fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByText('Waiting').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped').waitFor()
  await page.getByRole('button', { name: 'Remove test/stall' }).click()
  await page.getByLabel('Message').fill('Again')
  await page.keyboard.press('Enter')
  await page.getByText('Water finds its own level', { exact: false }).waitFor()
})

consoleTest('images, vectors and speech are made and shown', async ({ world, page, open, signInAs, look }) => {
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/playground?kind=image')
  await page.getByLabel('Prompt').fill('A fox in the snow')
  await page.getByRole('button', { name: 'Generate image' }).click()
  const image = page.getByAltText('Generated image')
  await image.waitFor()
  await expect
    .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(1024)
  await look('playground-image')
  await page.getByRole('tab', { name: 'Embeddings' }).click()
  await page.getByLabel('Texts (one per line)').fill('water\nwater\nmountain')
  await page.getByRole('button', { name: 'Create embeddings' }).click()
  await page.getByText('3 vectors, 256 dimensions each.', { exact: false }).waitFor()
  expect(await page.getByRole('row', { name: 'Text 1' }).last().getByRole('cell').nth(1).textContent()).toBe('1.000')
  await look('playground-embeddings')
  await page.getByRole('tab', { name: 'Speech' }).click()
  await page.getByLabel('Text to speak').fill('Good morning')
  await page.getByRole('button', { name: 'Generate speech' }).click()
  const sound = page.getByLabel('Generated speech')
  await sound.waitFor()
  await expect
    .poll(() => sound.evaluate((element) => (element as unknown as { duration: number }).duration > 0))
    .toBe(true)
})

consoleTest(
  'a model is found with its price, and its Markdown is formatted without HTML and images',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createClient()
    await signInAs(userId)
    await open('/playground?models=test%2Ftext')
    await page.getByRole('button', { name: 'Remove test/text' }).click()
    await page.getByRole('button', { name: 'Add a model' }).click()
    await page.getByRole('combobox', { name: 'Search models' }).fill('priced')
    await page.getByRole('option', { name: /^test\/priced\s*\$1\.00 in, \$2\.00 out/ }).waitFor()
    await look('playground-models')
    await page.getByRole('combobox', { name: 'Search models' }).fill('test/echo')
    await page.getByRole('option', { name: /^test\/echo/ }).click()
    await page
      .getByLabel('Message')
      .fill(
        'A **bold** word\n\n| one | two |\n| - | - |\n| 1 | 2 |\n\n```\ncode\n```\n\n<b>html</b> ![pixel](https://pixel.example/p.png)',
      )
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByRole('article', { name: 'Response from test/echo' })
    await answer.getByRole('strong').getByText('bold').waitFor()
    await answer.getByRole('cell', { name: '2' }).waitFor()
    await answer.getByRole('button', { name: 'Copy code' }).waitFor()
    await answer.getByText('<b>html</b>').waitFor()
    expect(await answer.getByRole('link', { name: 'pixel' }).getAttribute('href')).toBe('https://pixel.example/p.png')
    expect(await answer.getByRole('img').count()).toBe(0)
    await look('playground-markdown')
  },
)
