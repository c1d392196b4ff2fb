import type { Pool, PoolClient } from 'pg'
import type { FileOwner } from '#domain/files/file-owner.ts'
import { filePurposes, type FilePurpose, type StoredFile } from '#domain/files/stored-file.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { FileListQuery, NewFile } from '#ports/files.ts'
import { inTransaction } from '../with-client.ts'

interface FileRow {
  readonly id: Uuid
  readonly purpose: FilePurpose
  readonly name: string
  readonly byte_count: string
  readonly created_at: Date
  readonly expires_at: Date
}

const columns = 'id, purpose, name, byte_count, created_at, expires_at'

function fileOf(row: FileRow): StoredFile {
  return {
    id: row.id,
    purpose: row.purpose,
    name: row.name,
    byteCount: Number(row.byte_count),
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
  }
}

export interface WalletFilesMax {
  readonly countMax: number
  readonly bytesMax: number
}

/** Inserts the row of a file that is not complete. False if the wallet has no room for it. */
export function insertFile(pool: Pool, file: NewFile, sealedKey: object, max: WalletFilesMax): Promise<boolean> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    // Uploads of one wallet follow one another, so that together they do not exceed its limits.
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('files ' || $1::text, 0))`, [file.walletId])
    const text = `INSERT INTO files (id, wallet_id, owner_id, user_id, purpose, name, byte_count, sealed_key, created_at,
        expires_at)
      SELECT $1, $2, $3, $4, $5, $6, $7::bigint, $8, $9::timestamptz, $10
      WHERE $11::boolean OR (SELECT count(*) < $12::bigint AND coalesce(sum(byte_count), 0) + $7 <= $13::bigint
        FROM files WHERE wallet_id = $2 AND expires_at > $9)`
    const { rowCount } = await client.query(text, [
      file.id,
      file.walletId,
      file.ownerId,
      file.userId,
      file.purpose,
      file.name,
      file.byteCount ?? 0,
      sealedKey,
      new Date(file.createdAtMs),
      new Date(file.expiresAtMs),
      file.isExempt === true,
      max.countMax,
      max.bytesMax,
    ])
    return rowCount === 1
  })
}

export async function completeFile(pool: Pool, id: Uuid, byteCount: number): Promise<StoredFile | null> {
  const text = `UPDATE files SET is_complete = true, byte_count = $2 WHERE id = $1 RETURNING ${columns}`
  const { rows } = await pool.query<FileRow>({ name: 'complete-file', text, values: [id, byteCount] })
  const [row] = rows
  return row === undefined ? null : fileOf(row)
}

const ofOwner = 'wallet_id = $1 AND owner_id IS NOT DISTINCT FROM $2 AND is_complete'

export async function findFile(pool: Pool, owner: FileOwner, id: Uuid, nowMs: number): Promise<StoredFile | null> {
  const text = `SELECT ${columns} FROM files WHERE ${ofOwner} AND id = $3 AND expires_at > $4 AND purpose = ANY ($5)`
  const values = [owner.walletId, owner.ownerId, id, new Date(nowMs), filePurposes]
  const { rows } = await pool.query<FileRow>({ name: 'find-file', text, values })
  const [row] = rows
  return row === undefined ? null : fileOf(row)
}

/** Not a named statement: the planner must see which conditions are present. */
export async function listFiles(pool: Pool, owner: FileOwner, query: FileListQuery): Promise<StoredFile[]> {
  const { purpose, after, isAscending, limit, nowMs } = query
  const [beyond, order] = isAscending ? ['>', 'ASC'] : ['<', 'DESC']
  const text = `SELECT ${columns} FROM files WHERE ${ofOwner} AND expires_at > $3 AND purpose = ANY ($4)
      AND ($5::uuid IS NULL OR id ${beyond} $5)
    ORDER BY id ${order} LIMIT $6`
  const purposes = purpose === null ? filePurposes : [purpose]
  const values = [owner.walletId, owner.ownerId, new Date(nowMs), purposes, after, limit]
  const { rows } = await pool.query<FileRow>(text, values)
  return rows.map(fileOf)
}

export async function removeFile(pool: Pool, owner: FileOwner, id: Uuid, nowMs: number): Promise<boolean> {
  const text = `UPDATE files SET expires_at = $4 WHERE ${ofOwner} AND id = $3 AND expires_at > $4 AND purpose = ANY ($5)`
  const values = [owner.walletId, owner.ownerId, id, new Date(nowMs), filePurposes]
  const { rowCount } = await pool.query({ name: 'remove-file', text, values })
  return rowCount === 1
}

export interface FileKeyRow {
  readonly byte_count: string
  readonly sealed_key: JsonObject | null
}

export async function findFileKey(pool: Pool, id: Uuid): Promise<FileKeyRow | null> {
  const text = 'SELECT byte_count, sealed_key FROM files WHERE id = $1 AND is_complete'
  const { rows } = await pool.query<FileKeyRow>({ name: 'find-file-key', text, values: [id] })
  return rows[0] ?? null
}

const unfinishedMs = 86_400_000

/** Expired files that no running batch reads, and files whose gateway died while it wrote them. */
export async function findOverFiles(pool: Pool, atMost: number, nowMs: number): Promise<Uuid[]> {
  const text = `SELECT id FROM (
      (SELECT id FROM files f WHERE expires_at <= $1 AND NOT EXISTS (SELECT FROM batches b
          WHERE b.input_file_id = f.id AND b.status IN ('validating', 'in_progress', 'finalizing'))
        ORDER BY expires_at LIMIT $3)
      UNION
      (SELECT id FROM files WHERE NOT is_complete AND created_at <= $2 LIMIT $3)) AS over LIMIT $3`
  const values = [new Date(nowMs), new Date(nowMs - unfinishedMs), atMost]
  const { rows } = await pool.query<{ id: Uuid }>(text, values)
  return rows.map(({ id }) => id)
}

export async function forgetFiles(pool: Pool, ids: readonly Uuid[]): Promise<void> {
  await pool.query('DELETE FROM files WHERE id = ANY ($1::uuid[])', [ids])
}

/** Erases a person's files: their blobs cannot be decrypted without the key in the row. A worker deletes the blobs. */
export async function eraseFiles(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query(
    `UPDATE files f SET expires_at = '-infinity', name = '', sealed_key = NULL WHERE f.user_id = $1
       OR f.wallet_id IN (SELECT w.id FROM wallets w WHERE w.owner_kind = 'user' AND w.owner_id = $1)`,
    [userId],
  )
}
