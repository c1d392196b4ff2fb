import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { purgeImages } from '#jobs/purge-images.ts'
import { purgeVideos } from '#jobs/purge-videos.ts'
import { type Sweeper, startSweeper } from '#jobs/sweep.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { purgeInstitutions } from '#store/postgres/institutions/purge-institutions.sql.ts'
import { purgeWindows } from '#store/postgres/money/purge-windows.sql.ts'
import { purgeEvidence } from '#store/postgres/moderation/purge-evidence.sql.ts'
import { purgeExpired } from '#store/postgres/people/purge-expired.sql.ts'
import { createStoredVideoBook } from '#store/postgres/videos/stored-video-book.ts'

const purgeEveryMs = 600_000

const tables = [
  { what: 'old codes, code requests and sessions of institutions', purge: purgeInstitutions },
  { what: 'expired evidence of blocked prompts', purge: purgeEvidence },
  { what: 'expired sessions and links of people', purge: purgeExpired },
  { what: 'windows of spend breakers that are over', purge: purgeWindows },
]

/** Deletes what has had its time. */
export function startPurges(needs: { pool: Pool; blobs: BlobStore; config: Config; logger: Logger }): Sweeper[] {
  const { pool, blobs, config, logger } = needs
  const { imageRetentionMs: retentionMs } = config.blobs
  const videos = createStoredVideoBook(pool)
  const kinds = [
    ...tables.map(({ what, purge }) => ({ what, sweep: (atMost: number) => purge(pool, atMost) })),
    {
      what: 'images whose time is over',
      sweep: (atMost: number) => purgeImages(blobs, { nowMs: Date.now(), retentionMs, atMost }),
    },
    { what: 'videos whose time is over', sweep: (atMost: number) => purgeVideos(videos, blobs, atMost) },
  ]
  return kinds.map(({ what, sweep }) =>
    startSweeper({
      sweep,
      everyMs: purgeEveryMs,
      onSwept: (count) => logger.info({ count }, `deleted ${what}`),
      onError: (error) => logger.warn({ err: error }, `could not delete ${what}`),
    }),
  )
}
