import type { Pool } from 'pg'
import type { Config } from '#config/config-schema.ts'
import { purgeAnswerFiles } from '#jobs/purge-answer-files.ts'
import { purgeCachedFiles } from '#jobs/purge-cached-files.ts'
import { purgeFiles } from '#jobs/purge-files.ts'
import { purgeImages } from '#jobs/purge-images.ts'
import { purgeResponseFiles } from '#jobs/purge-response-files.ts'
import { purgeVideos } from '#jobs/purge-videos.ts'
import type { Purge } from '#jobs/worker-parts.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { purgeAnswers } from '#store/postgres/answers/answers.sql.ts'
import { purgeWriteAnswers } from '#store/postgres/answers/write-answers.ts'
import { purgeBatches } from '#store/postgres/batches/batches.sql.ts'
import { purgeCached } from '#store/postgres/cached-answers/cached-answers.sql.ts'
import { purgeToldCustomers } from '#store/postgres/announcements/purge-announcements.sql.ts'
import { purgeTokens } from '#store/postgres/end-customers/customer-tokens.sql.ts'
import { findOverFiles, forgetFiles } from '#store/postgres/files/files.sql.ts'
import { purgeEndUsers } from '#store/postgres/generations/end-users.sql.ts'
import { purgeInstitutions } from '#store/postgres/institutions/codes.sql.ts'
import { purgePersonMonths } from '#store/postgres/institutions/person-months.sql.ts'
import { purgeEvidence } from '#store/postgres/moderation/evidence-store.ts'
import { purgeWindows } from '#store/postgres/money/spend-windows.sql.ts'
import { purgeIdempotencyKeys } from '#store/postgres/idempotency/idempotency-keys.sql.ts'
import { purgeEvents } from '#store/postgres/payments/payment-events.sql.ts'
import { purgeMails } from '#store/postgres/mail/outbox.sql.ts'
import { purgeSupersededMails } from '#store/postgres/billing/superseded-mail-queues.ts'
import { purgeInvitations } from '#store/postgres/organizations/invitations.sql.ts'
import { purgeExpired } from '#store/postgres/people/people.sql.ts'
import { purgeSignOn } from '#store/postgres/sign-on/attempts.sql.ts'
import { purgeRuns } from '#store/postgres/runs/purge-runs.sql.ts'
import { purgeResponses } from '#store/postgres/stored-responses/stored-responses.sql.ts'
import { createStoredVideoStore } from '#store/postgres/videos/stored-video-store.ts'

interface PurgeDeps {
  readonly pool: Pool
  readonly blobs: BlobStore
  readonly config: Config
}

export function wirePurges({ pool, blobs, config }: PurgeDeps): Purge[] {
  return [
    {
      name: 'purge-institutions',
      what: 'expired institution codes, code requests and sessions',
      purge: (atMost) => purgeInstitutions(pool, atMost),
    },
    {
      name: 'purge-person-months',
      what: "past monthly spend of institutions' people",
      purge: (atMost) => purgePersonMonths(pool, atMost),
    },
    {
      name: 'purge-evidence',
      what: 'expired moderation evidence',
      purge: (atMost) => purgeEvidence(pool, atMost),
    },
    {
      name: 'purge-sign-in',
      what: 'expired user sessions and links',
      purge: (atMost) => purgeExpired(pool, atMost),
    },
    {
      name: 'purge-sign-on',
      what: 'expired single sign-on attempts and assertions',
      purge: (atMost) => purgeSignOn(pool, atMost),
    },
    {
      name: 'purge-windows',
      what: "past windows of spend breakers and of customers' limits",
      purge: (atMost) => purgeWindows(pool, atMost),
    },
    ...wireAttributionPurges(pool),
    {
      name: 'purge-payment-events',
      what: 'payment provider events past their retry window',
      purge: (atMost) => purgeEvents(pool, atMost),
    },
    {
      name: 'purge-idempotency-keys',
      what: 'expired idempotency keys',
      purge: (atMost) => purgeIdempotencyKeys(pool, atMost),
    },
    {
      name: 'purge-mails',
      what: 'old emails',
      purge: async (atMost) => (await purgeMails(pool, atMost)) + (await purgeSupersededMails(pool, atMost)),
    },
    {
      name: 'purge-announcements',
      what: 'old records of notified customers',
      purge: (atMost) => purgeToldCustomers(pool, atMost),
    },
    {
      name: 'purge-invitations',
      what: 'invitations that ended over 90 days ago',
      purge: (atMost) => purgeInvitations(pool, atMost),
    },
    {
      name: 'purge-answers',
      what: 'expired idempotency keys of inference and account requests',
      purge: async (atMost) => (await purgeAnswers(pool, atMost)) + (await purgeWriteAnswers(pool, atMost)),
    },
    ...wireBlobPurges({ pool, blobs, config }),
  ]
}

/** The customer tokens, users and runs of requests. */
function wireAttributionPurges(pool: Pool): Purge[] {
  return [
    {
      name: 'purge-customer-tokens',
      what: 'expired tokens of customers',
      purge: (atMost) => purgeTokens(pool, atMost),
    },
    {
      name: 'purge-end-users',
      what: 'users of the requests of deleted persons',
      purge: (atMost) => purgeEndUsers(pool, { nowMs: Date.now(), atMost }),
    },
    {
      name: 'purge-runs',
      what: 'or stopped runs whose requests have expired',
      purge: (atMost) => purgeRuns(pool, atMost),
    },
  ]
}

const dayMs = 86_400_000

function wireBlobPurges({ pool, blobs, config }: PurgeDeps): Purge[] {
  const { imageRetentionMs: retentionMs } = config.blobs
  const cachedMs = config.cache.ttlSecondsMax * 1_000
  const videos = createStoredVideoStore(pool)
  const files = {
    find: (atMost: number) => findOverFiles(pool, atMost, Date.now()),
    forget: (ids: readonly Uuid[]) => forgetFiles(pool, ids),
  }
  return [
    {
      name: 'purge-cached-answers',
      what: 'expired answers of the response cache',
      purge: (atMost) => purgeCached(pool, atMost),
    },
    {
      name: 'purge-images',
      what: 'expired images',
      purge: (atMost) => purgeImages(blobs, { nowMs: Date.now(), retentionMs, atMost }),
    },
    {
      name: 'purge-answer-files',
      what: 'files of answers whose idempotency keys have expired',
      purge: (atMost) => purgeAnswerFiles(blobs, { nowMs: Date.now(), atMost }),
    },
    {
      name: 'purge-cached-files',
      what: 'files of expired answers of the response cache',
      purge: (atMost) => purgeCachedFiles(blobs, { nowMs: Date.now(), retentionMs: cachedMs, atMost }),
    },
    {
      name: 'purge-responses',
      what: 'expired responses',
      purge: (atMost) => purgeResponses(pool, atMost),
    },
    {
      name: 'purge-response-files',
      what: 'files of expired responses',
      purge: (atMost) =>
        purgeResponseFiles(blobs, { nowMs: Date.now(), retentionMs: config.responses.retentionMs, atMost }),
    },
    {
      name: 'purge-batches',
      what: 'batches whose results have expired',
      purge: (atMost) => purgeBatches(pool, { endedBeforeMs: Date.now() - config.files.retentionDays * dayMs, atMost }),
    },
    {
      name: 'purge-files',
      what: 'expired files',
      purge: (atMost) => purgeFiles(files, blobs, atMost),
    },
    {
      name: 'purge-videos',
      what: 'expired videos',
      purge: (atMost) => purgeVideos(videos, blobs, atMost),
    },
  ]
}
