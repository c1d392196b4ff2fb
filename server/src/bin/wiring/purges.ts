import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { Part } from '#jobs/part.ts'
import { purgeImages } from '#jobs/purge-images.ts'
import { purgeVideos } from '#jobs/purge-videos.ts'
import { sweepPart } from '#jobs/sweep.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { purgeInstitutions } from '#store/postgres/institutions/codes.sql.ts'
import { purgeEvidence } from '#store/postgres/moderation/evidence-book.ts'
import { purgeWindows } from '#store/postgres/money/spend-windows.sql.ts'
import { purgeExpired } from '#store/postgres/people/people.sql.ts'
import { createStoredVideoBook } from '#store/postgres/videos/stored-video-book.ts'

const purgeEveryMs = 600_000

const tables = [
  {
    name: 'purge-institutions',
    what: 'old codes, code requests and sessions of institutions',
    purge: purgeInstitutions,
  },
  { name: 'purge-evidence', what: 'expired evidence of blocked prompts', purge: purgeEvidence },
  { name: 'purge-sign-in', what: 'expired sessions and links of people', purge: purgeExpired },
  { name: 'purge-windows', what: 'windows of spend breakers that are over', purge: purgeWindows },
]

/** Deletes what has had its time. */
export function purgeParts(needs: { pool: Pool; blobs: BlobStore; config: Config; logger: Logger }): Part[] {
  const { pool, blobs, config, logger } = needs
  const { imageRetentionMs: retentionMs } = config.blobs
  const videos = createStoredVideoBook(pool)
  const kinds = [
    ...tables.map(({ name, what, purge }) => ({ name, what, sweep: (atMost: number) => purge(pool, atMost) })),
    {
      name: 'purge-images',
      what: 'images whose time is over',
      sweep: (atMost: number) => purgeImages(blobs, { nowMs: Date.now(), retentionMs, atMost }),
    },
    {
      name: 'purge-videos',
      what: 'videos whose time is over',
      sweep: (atMost: number) => purgeVideos(videos, blobs, atMost),
    },
  ]
  return kinds.map(({ name, what, sweep }) =>
    sweepPart({ name, sweep, everyMs: purgeEveryMs, onSwept: (count) => logger.info({ count }, `deleted ${what}`) }),
  )
}
