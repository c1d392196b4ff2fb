import { attributedIds } from '#domain/ledger/attributed-ids.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { statePrice } from '#domain/money/state-price.ts'
import { statePurchase } from '#domain/money/state-purchase.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { videoJobJson } from '#domain/video/job-json.ts'
import { acceptedJob } from '#domain/video/video-job.ts'
import { assert } from '#lib/assert.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { JobCandidate, VideoJob, VideoJobs } from '#ports/videos.ts'
import type { Reply, Ticket } from '../../types.ts'

export interface AcceptDeps {
  readonly jobs: Pick<VideoJobs, 'accept'>
  /** From here on the hold belongs to the job. This process no longer renews it. */
  readonly release: (ticket: Ticket) => void
  /** Maximum duration of a job. */
  readonly deadlineMs: number
}

/**
 * Accepts a job that outlives its request: once it is stored, a worker handles the upstream, the charge and the end.
 * Nothing is sent to an upstream here, so a gateway that dies leaves nothing half done.
 */
export function createAcceptJob(deps: AcceptDeps): (ticket: Ticket) => Promise<Reply> {
  return async (ticket) => {
    const job = jobOf(ticket, deps.deadlineMs)
    const seen = { ...job, completedAtMs: null, cost: null, storedUntilMs: null }
    const body = JSON.stringify(videoJobJson(seen, ticket.arrival.basePath))
    const { recording } = ticket.arrival
    const { replyHeaders: headers } = ticket
    await recording?.complete({
      head: { status: 202, contentType: 'application/json; charset=utf-8', headers },
      bytes: body,
    })
    await deps.jobs.accept(job)
    if (failpointsArmed) await failpoint('after-accept')
    deps.release(ticket)
    recording?.settled(true)
    return { kind: 'document', status: 202, headers, body }
  }
}

function jobOf({ arrival, principal, plan, windows, heldAmount }: Ticket, deadlineMs: number): VideoJob {
  const [first] = plan.candidates
  assert(first !== undefined, 'a plan has a candidate')
  const task = plan.call.media?.fitTo?.(first.model).task
  assert(task?.kind === 'video', 'only videos are made by jobs')
  // Another model would create another video, so a job stays with the first model. Its providers may differ.
  const hosts = plan.candidates.filter(({ model }) => model.id === first.model.id)
  return {
    id: arrival.generationId,
    walletId: principal.walletId,
    model: first.model.id,
    task,
    candidates: hosts.map((host) => candidateOf(host, arrival.receivedAtMs)),
    asker: {
      keyId: principal.keyId,
      userId: principal.userId,
      organizationId: principal.organizationId,
      memberId: principal.memberId,
      teamId: principal.teamId,
      sessionId: principal.institutionSession?.id ?? null,
      ...attributedIds(principal),
      appName: arrival.appName,
      routing: plan.explanation,
    },
    held: plan.isBilled ? heldAmount : zeroUsd,
    windows,
    ownUrl: arrival.ownUrl,
    callbackUrl: typeof plan.call.body.callback_url === 'string' ? plan.call.body.callback_url : null,
    createdAtMs: arrival.receivedAtMs,
    deadlineAtMs: arrival.receivedAtMs + deadlineMs,
    progress: acceptedJob,
  }
}

function candidateOf(
  { account, upstreamModel, billing, price, purchase, model }: Candidate,
  atMs: number,
): JobCandidate {
  const { id: accountId, vendor } = account
  return {
    accountId,
    vendor,
    upstreamModel,
    billing,
    price: statePrice(price),
    ...(purchase === undefined ? {} : { purchase: statePurchase(purchase, atMs) }),
    details: model.details,
  }
}
