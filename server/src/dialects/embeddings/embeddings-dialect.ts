import { errorBody } from '#errors/gateway-error.ts'
import type { DialectCall, MediaDialect } from '../dialect.ts'
import { embeddingsTexts } from './embeddings-texts.ts'
import { parseEmbeddings } from './parse-embeddings.ts'
import { refuseUnfitModel } from './refuse-unfit-model.ts'
import { renderEmbeddings } from './render-embeddings.ts'

/** OpenAI's Embeddings, and items of text and images beside its texts and token ids. */
export const embeddingsDialect: MediaDialect = {
  family: 'media',
  name: 'embeddings',
  parse: parseEmbeddings,
  refuseUnfit: refuseUnfitModel,
  ...embeddingsTexts,
  unreadableFor,
  render: renderEmbeddings,
  failFrames: () => null,
  keepAlive: null,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

/** Only a model's own hosts know which words token ids stand for. */
function unreadableFor({ media }: DialectCall): string | null {
  const isTokens = media?.task.kind === 'embedding' && media.task.inputs.some(({ kind }) => kind === 'tokens')
  return isTokens
    ? 'Send texts in place of token ids (LangChain for Python does with check_embedding_ctx_length=False).'
    : null
}
