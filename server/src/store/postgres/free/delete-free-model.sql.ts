import type { PoolClient } from 'pg'

const text = `WITH moved AS (
    UPDATE revisions SET revision = revision + 1 WHERE topic = 'free'
  )
  DELETE FROM free_models WHERE model_id = $1`

export async function deleteFreeModel(client: PoolClient, modelId: string): Promise<void> {
  await client.query(text, [modelId])
}
