import type { Pool } from 'pg'

export interface RecordedStatement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly ms: number
}

/** A pool that remembers what was asked of it, and how long that took. */
export function recordStatements(pool: Pool): { pool: Pool; statements: RecordedStatement[] } {
  const statements: RecordedStatement[] = []
  const query = async (...words: unknown[]): Promise<unknown> => {
    const startedAtMs = performance.now()
    const result: unknown = await Reflect.apply(pool.query, pool, words)
    statements.push({ ...statementOf(words), ms: performance.now() - startedAtMs })
    return result
  }
  const recording = new Proxy(pool, {
    get: (target, name, receiver): unknown => (name === 'query' ? query : Reflect.get(target, name, receiver)),
  })
  return { pool: recording, statements }
}

// Both ways of asking: the text and its values, or an object with the two.
function statementOf([first, second]: readonly unknown[]): { text: string; values: readonly unknown[] } {
  const asked = typeof first === 'object' && first !== null ? first : { text: first, values: second }
  const text = 'text' in asked && typeof asked.text === 'string' ? asked.text : ''
  return { text, values: 'values' in asked && Array.isArray(asked.values) ? asked.values : [] }
}
