import type { Pool, PoolClient } from 'pg'

export interface RecordedStatement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly ms: number
}

/** A pool that records its statements, including those of its connections, with their durations. */
export function recordStatements(pool: Pool): { pool: Pool; statements: RecordedStatement[] } {
  const statements: RecordedStatement[] = []
  const queryOf =
    (asked: Pool | PoolClient) =>
    async (...words: unknown[]): Promise<unknown> => {
      const startedAtMs = performance.now()
      const result: unknown = await Reflect.apply(asked.query, asked, words)
      statements.push({ ...statementOf(words), ms: performance.now() - startedAtMs })
      return result
    }
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect()
    return recorded(client, { query: queryOf(client) })
  }
  return { pool: recorded(pool, { query: queryOf(pool), connect }), statements }
}

function recorded<Asked extends Pool | PoolClient>(asked: Asked, own: Readonly<Record<string, unknown>>): Asked {
  return new Proxy(asked, {
    get: (target, name, receiver): unknown =>
      typeof name === 'string' && name in own ? own[name] : Reflect.get(target, name, receiver),
  })
}

// Both signatures: the text and its values, or an object with the two.
function statementOf([first, second]: readonly unknown[]): { text: string; values: readonly unknown[] } {
  const asked = typeof first === 'object' && first !== null ? first : { text: first, values: second }
  const text = 'text' in asked && typeof asked.text === 'string' ? asked.text : ''
  return { text, values: 'values' in asked && Array.isArray(asked.values) ? asked.values : [] }
}
