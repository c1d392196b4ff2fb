import { isUuid } from '#lib/uuid.ts'
import { createEvidenceBook } from '#store/postgres/moderation/evidence-book.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { type Command, UsageError } from './command.ts'
import { describeEvidence } from './describe-evidence.ts'
import { formatTable } from './format-table.ts'
import { withSession } from './session.ts'

const limitMax = 10_000

export const evidenceList: Command = {
  words: 'evidence list',
  summary: 'List prompts that moderation has blocked, the newest first and without their text.',
  options: {
    key: { type: 'string', value: '<key-id>', description: 'Only those of this key.' },
    limit: { type: 'string', value: '<count>', description: 'Most to list. Default 100.' },
  },
  async run(input) {
    const keyId = input.text('key') ?? null
    if (keyId !== null && !isUuid(keyId)) throw new UsageError('--key is the id of a key.')
    const limitText = input.text('limit') ?? '100'
    const limit = /^\d{1,5}$/.test(limitText) ? Number(limitText) : 0
    if (limit < 1 || limit > limitMax) throw new UsageError(`--limit is a whole number from 1 to ${limitMax}.`)
    return withSession(async ({ pool, config }) => {
      const book = createEvidenceBook(pool, sealingKeyOf(config))
      const data = (await book.list({ keyId, limit })).map(describeEvidence)
      const rows = data.map((each) => [
        each.id,
        each.at,
        each.key,
        each.endpoint,
        each.model,
        each.categories.join(' '),
      ])
      return { lines: formatTable(['ID', 'AT', 'KEY', 'ENDPOINT', 'MODEL', 'CATEGORIES'], rows), data }
    })
  },
}
