import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import OpenAI, { ConflictError, NotFoundError, toFile } from 'openai'
import { reportCases } from './report-cases.mjs'
import { baseURL, failureOf, key, pricedModel } from './surroundings.mjs'

const weir = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })

await reportCases({
  'upload, list, read and delete a file': async () => {
    const content = linesOf(['one'])
    const file = await upload(content, { expires_after: { anchor: 'created_at', seconds: 7_200 } })
    assert.equal(file.purpose, 'batch')
    assert.equal(file.bytes, content.length)
    assert.equal(file.expires_at, file.created_at + 7_200)
    const listed = []
    for await (const each of weir.files.list({ limit: 1 })) listed.push(each.id)
    assert.ok(listed.includes(file.id))
    assert.deepEqual(await weir.files.retrieve(file.id), file)
    assert.equal(await (await weir.files.content(file.id)).text(), content)
    assert.equal((await weir.files.waitForProcessing(file.id)).status, 'processed')
    assert.deepEqual(await weir.files.delete(file.id), { id: file.id, object: 'file', deleted: true })
    assert.ok((await failureOf(() => weir.files.retrieve(file.id))) instanceof NotFoundError)
  },

  'run a batch, and read its results': async () => {
    const ids = ['one', 'two', 'three']
    const batch = await ended(await start(linesOf(ids), { metadata: { night: '7' } }))
    assert.equal(batch.status, 'completed')
    assert.deepEqual(batch.request_counts, { total: 3, completed: 3, failed: 0 })
    assert.deepEqual(batch.metadata, { night: '7' })
    const results = await resultsOf(batch.output_file_id)
    assert.deepEqual(
      results.map(({ custom_id: id, response }) => [id, response.status_code, response.body.choices.length]),
      ids.map((id) => [id, 200, 1]),
    )
    const listed = []
    for await (const each of weir.batches.list({ limit: 1 })) listed.push(each.id)
    assert.ok(listed.includes(batch.id))
    const failure = await failureOf(() => weir.batches.cancel(batch.id))
    assert.ok(failure instanceof ConflictError)
  },

  'see the lines of a batch that is not valid': async () => {
    const batch = await ended(await start(`${linesOf(['one'])}{"custom_id":\n`))
    assert.equal(batch.status, 'failed')
    assert.deepEqual(
      batch.errors.data.map(({ code, line }) => [code, line]),
      [['invalid_json_line', 2]],
    )
  },

  'see the lines of a batch that fail': async () => {
    const batch = await ended(await start(linesOf(['good']) + linesOf(['wrong'], { model: 'openai/nothing' })))
    assert.deepEqual(batch.request_counts, { total: 2, completed: 1, failed: 1 })
    const [error] = await resultsOf(batch.error_file_id)
    assert.deepEqual([error.custom_id, error.response.body.error.code], ['wrong', 'unknown_model'])
  },

  'cancel a batch': async () => {
    // More lines than end before the next request.
    const { id } = await start(linesOf(Array.from({ length: 300 }, (_, line) => `line-${line}`)))
    const { status } = await weir.batches.cancel(id)
    assert.equal(status, 'cancelling')
    assert.equal((await ended({ id })).status, 'cancelled')
  },
})

function linesOf(ids, changes = {}) {
  const body = { model: pricedModel, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20, ...changes }
  return ids
    .map((id) => `${JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body })}\n`)
    .join('')
}

async function upload(content, options = {}) {
  return weir.files.create({ file: await toFile(Buffer.from(content), 'lines.jsonl'), purpose: 'batch', ...options })
}

async function start(content, options = {}) {
  const { id } = await upload(content)
  const terms = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h', ...options }
  return weir.batches.create(terms)
}

async function ended({ id }) {
  for (;;) {
    const batch = await weir.batches.retrieve(id)
    if (['completed', 'failed', 'expired', 'cancelled'].includes(batch.status)) return batch
    await wait(50)
  }
}

async function resultsOf(fileId) {
  const text = await (await weir.files.content(fileId)).text()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
