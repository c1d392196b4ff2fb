import type { Pool } from 'pg'
import type { StoredVideoBook } from '#ports/stored-videos.ts'
import { findOverVideos } from './find-over-videos.sql.ts'
import { forgetVideos } from './forget-videos.sql.ts'

export function createStoredVideoBook(pool: Pool): StoredVideoBook {
  return {
    findOver: (atMost) => findOverVideos(pool, atMost),
    forget: (ids) => forgetVideos(pool, ids),
  }
}
