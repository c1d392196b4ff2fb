import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import Anthropic, { ConflictError, NotFoundError } from '@anthropic-ai/sdk'
import { reportCases } from './report-cases.mjs'
import { failureOf, key, pricedModel, url } from './surroundings.mjs'

const weir = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
const { batches } = weir.messages

await reportCases({
  'run a batch, and read its results': async () => {
    const batch = await ended(await batches.create({ requests: [requestOf('one'), requestOf('two')] }))
    assert.equal(batch.request_counts.succeeded, 2)
    const results = await resultsOf(batch)
    assert.deepEqual(
      results.map(({ custom_id: id, result }) => [id, result.type, result.message.role]),
      ['one', 'two'].map((id) => [id, 'succeeded', 'assistant']),
    )
    const listed = []
    for await (const each of batches.list({ limit: 1 })) listed.push(each.id)
    assert.ok(listed.includes(batch.id))
  },

  'see the requests of a batch that fail': async () => {
    const requests = [requestOf('good'), requestOf('wrong', { model: 'openai/nothing' })]
    const batch = await ended(await batches.create({ requests }))
    const [, wrong] = await resultsOf(batch)
    assert.deepEqual([wrong.custom_id, wrong.result.type], ['wrong', 'errored'])
    assert.equal(wrong.result.error.error.type, 'invalid_request_error')
  },

  'cancel and delete a batch': async () => {
    // More requests than end before the next call.
    const requests = Array.from({ length: 300 }, (_, position) => requestOf(`request-${position}`))
    const { id } = await batches.create({ requests })
    assert.ok((await failureOf(() => batches.delete(id))) instanceof ConflictError)
    assert.equal((await batches.cancel(id)).processing_status, 'canceling')
    await ended({ id })
    assert.deepEqual(await batches.delete(id), { id, type: 'message_batch_deleted' })
    assert.ok((await failureOf(() => batches.retrieve(id))) instanceof NotFoundError)
  },
})

function requestOf(id, changes = {}) {
  const params = { model: pricedModel, max_tokens: 20, messages: [{ role: 'user', content: 'Hi' }], ...changes }
  return { custom_id: id, params }
}

async function ended({ id }) {
  for (;;) {
    const batch = await batches.retrieve(id)
    if (batch.processing_status === 'ended') return batch
    await wait(50)
  }
}

async function resultsOf({ id }) {
  const results = []
  for await (const result of await batches.results(id)) results.push(result)
  return results
}
