import { sizeOf, sizeOfText, type PromptSize } from '#domain/inference/prompt-matter.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import type { RerankTask } from './media-task.ts'

/** The documents of one search unit. */
const documentsPerUnit = 100
/** A longer document counts as several, and each of its parts is read together with the query. */
const partTokensMax = 500
/** Models cut a query after half of a part. */
const queryTokensMax = 250

/** Models read each document in a prompt of their own: with the query, a template and perhaps an instruction. */
const templateTokensMax = 128

/** The tokens of all documents, and of the query once. */
interface Measured {
  readonly query: PromptSize
  readonly documents: PromptSize
}

/** The search units of documents that are all short. */
export function searchUnitsOf(documentCount: number): number {
  return Math.max(1, Math.ceil(documentCount / documentsPerUnit))
}

/** The size of the prompts that a rerank model reads: one for each document. */
export function rerankPrompt(task: RerankTask): PromptSize {
  const { query, documents } = measure(task)
  const times = task.documents.length
  return {
    promptTokensEstimate: documents.promptTokensEstimate + times * query.promptTokensEstimate,
    promptTokensHeld: documents.promptTokensHeld + times * (query.promptTokensHeld + templateTokensMax),
  }
}

/** The maximum usage, in the units of every provider. */
export function worstRerank(task: RerankTask): { worst: Usage; most: Usage } {
  const { promptTokensHeld } = rerankPrompt(task)
  const queryBytes = Buffer.byteLength(task.query)
  const lengths = task.documents.map((document) => Buffer.byteLength(document))
  const bytes = lengths.reduce((sum, length) => sum + length, 0)
  const promptBytes = bytes + task.documents.length * (queryBytes + templateTokensMax)
  return {
    worst: usageOf(promptTokensHeld, unitsWithin(task, lengths, { queryBytes, bytesPerToken: 2 })),
    most: usageOf(
      Math.max(promptTokensHeld, promptBytes),
      unitsWithin(task, lengths, { queryBytes, bytesPerToken: 1 }),
    ),
  }
}

function usageOf(uncachedInput: number, searchUnits: number): Usage {
  return { ...noUsage, uncachedInput, media: { searchUnits } }
}

function measure({ query, documents }: RerankTask): Measured {
  const matter = { tokens: 0, tokensBeyond: 0, images: 0, mayExpand: false, isUncounted: false }
  return { query: sizeOfText(query), documents: sizeOf({ ...matter, texts: [...documents] }) }
}

function unitsWithin(
  { documentTokensMax }: RerankTask,
  lengths: readonly number[],
  { queryBytes, bytesPerToken }: { queryBytes: number; bytesPerToken: number },
): number {
  const tokensIn = (byteCount: number): number => Math.ceil(byteCount / bytesPerToken)
  const room = partTokensMax - Math.min(queryTokensMax, tokensIn(queryBytes))
  const partsOf = (byteCount: number): number => {
    const tokens = Math.min(tokensIn(byteCount), documentTokensMax ?? Number.MAX_SAFE_INTEGER)
    return Math.max(1, Math.ceil(tokens / room))
  }
  return searchUnitsOf(lengths.reduce((sum, length) => sum + partsOf(length), 0))
}
