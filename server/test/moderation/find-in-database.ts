import type { Pool } from 'pg'

/** Every table with a row that contains the text: plain, as bytes, or in base64. */
export async function findInDatabase(pool: Pool, text: string): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    // A row cast to text contains every column; bytes are hexadecimal.
    const { rowCount } = await pool.query(
      `SELECT FROM ${name} AS t WHERE strpos(lower(t::text), lower($1)) > 0 OR strpos(t::text, $2) > 0 OR strpos(t::text, $3) > 0`,
      [text, Buffer.from(text).toString('hex'), innerBase64(text)],
    )
    if (rowCount !== null && rowCount > 0) found.push(name)
  }
  return found
}

// The part of a text's base64 that does not depend on the following bytes, for the alignment of its start.
function innerBase64(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('=', '').slice(0, -2)
}
