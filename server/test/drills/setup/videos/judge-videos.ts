import assert from 'node:assert/strict'
import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { publicJobId } from '#domain/video/job-id.ts'
import { type JsonObject, objectAt } from '#lib/json.ts'
import { createClient } from '#test/setup/client.ts'
import type { SeenOrder } from '#test/simulators/media/videos/video-upstream.ts'
import type { ReceivedCall } from '#test/videos/webhook-receiver.ts'
import type { JobOutcome } from './job-outcomes.ts'
import { type VideoModel, type VideoScene, videoModels } from './video-scene.ts'

/** The invariants of every ended job, whichever processes died. */
export async function judgeVideos(
  { hosts, receiver }: VideoScene,
  jobs: readonly JobOutcome[],
  poll: (job: JobOutcome) => Promise<JsonObject>,
): Promise<void> {
  for (const job of jobs) {
    judgeMoney(job)
    const polled = await poll(job)
    assert.equal(polled.status, job.state, `${job.id} is shown as it stands`)
    const shown = objectAt(polled, 'usage').cost
    assert.equal(
      shown,
      Number(formatUsd(nanoUsd(BigInt(job.cost_nano ?? 0)))),
      `${job.id}: the poll says what was charged`,
    )
    judgeCalls(job, polled, receiver.calls)
  }
  for (const model of videoModels) judgeOrders(model, jobs, await hosts[model].orders())
}

/** An ended job was charged once or refunded. */
export function judgeMoney(job: JobOutcome): void {
  const where = JSON.stringify(job)
  assert.equal(job.generations, 1, `exactly one generation: ${where}`)
  assert.equal(job.has_lapsed, false, `its hold was kept until its end: ${where}`)
  assert.equal(job.generation_cost_nano, job.cost_nano, `the record says what the job says: ${where}`)
  if (job.state === 'completed') {
    assert.equal(job.charges, 1, `completed, so charged once: ${where}`)
    assert.equal(job.charged_nano, job.cost_nano, `charged what it cost: ${where}`)
    assert.equal(job.refund_reason, null, `completed, so not refunded: ${where}`)
  } else {
    assert.equal(job.state, 'failed', `it is over: ${where}`)
    assert.deepEqual([job.charges, job.cost_nano], [0, '0'], `failed, so not charged: ${where}`)
    assert.notEqual(job.refund_reason, null, `failed, so refunded: ${where}`)
  }
}

function judgeCalls(job: JobOutcome, polled: JsonObject, all: readonly ReceivedCall[]): void {
  const id = publicJobId(job.id)
  const calls = all.filter(({ json }) => json.id === id)
  assert.ok(calls.length > 0, `${id}: its webhook was received`)
  assert.equal(new Set(calls.map(({ headers }) => headers['x-webhook-id'])).size, 1, `${id}: always the same id`)
  for (const { json } of calls) {
    assert.equal(json.event, `video.${job.state}`, `${id}: the webhook says how it ended`)
    assert.deepEqual(json.usage, polled.usage, `${id}: the webhook says what the poll says`)
    assert.equal(json.error, polled.error, `${id}: the webhook has the error of the poll`)
  }
}

/**
 * An order is only sent again if the outcome of the previous one was unknown; never to a provider that cannot be
 * queried.
 */
function judgeOrders(model: VideoModel, jobs: readonly JobOutcome[], orders: readonly SeenOrder[]): void {
  const own = new Map(jobs.filter((job) => job.model === model).map((job) => [job.prompt, job]))
  const counts = new Map<string, number>()
  for (const { prompt } of orders) counts.set(prompt, (counts.get(prompt) ?? 0) + 1)
  for (const [prompt, count] of counts) {
    const job = own.get(prompt)
    assert.ok(job !== undefined, `${model} was asked for ${prompt}, which is no job`)
    const most = model === 'acme/unfindable' ? 1 : 1 + job.lost
    assert.ok(count <= most, `${count} orders for ${JSON.stringify(job)}`)
  }
  for (const job of own.values()) {
    if (job.state === 'completed') assert.ok(counts.has(job.prompt), `nobody made ${JSON.stringify(job)}`)
  }
}

/** The job as its owner sees it. */
export async function pollVideo(url: string, key: string, jobId: string): Promise<JsonObject> {
  const options = { headers: { connection: 'close' } }
  const reply = await createClient(url, key).get(`/v1/videos/${publicJobId(jobId)}`, options)
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}
