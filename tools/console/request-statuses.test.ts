import { expect, it } from 'vitest'
import { requestStatuses } from '../../console/src/pages/requests/search.ts'
import { statusInWords } from '../../console/src/pages/requests/words.ts'
import { refundReasons } from '../../server/src/domain/ledger/generation-record.ts'

it('the console filters requests by every reason why a request can be free, and has words for each', () => {
  expect(requestStatuses.toSorted()).toEqual(['charged', 'refunded', 'failed', 'refused', ...refundReasons].toSorted())
  expect(requestStatuses.filter((status) => statusInWords(status) === status)).toEqual([])
})
