import { callOf, type InferenceCall, type ModelKind } from '../../api/inference-call.ts'

export type MediaKind = Exclude<ModelKind, 'chat'>

/** The inputs of a panel; each kind reads the ones it needs. */
export interface MediaWish {
  readonly text: string
  readonly query: string
  readonly size: string
  readonly voice: string
  /** A data URI, and the file name extension. */
  readonly file: { readonly uri: string; readonly format: string } | null
}

export const noWish: MediaWish = { text: '', query: '', size: '1024x1024', voice: '', file: null }

/** The request, or undefined if an input is missing. */
export function mediaCall(kind: MediaKind, model: string, wish: MediaWish): InferenceCall | undefined {
  const text = wish.text.trim()
  if (kind === 'transcription') {
    if (wish.file === null) return undefined
    const data = wish.file.uri.slice(wish.file.uri.indexOf(',') + 1)
    const prompt = text === '' ? {} : { prompt: text }
    return callOf(kind, { model, input_audio: { data, format: wish.file.format }, ...prompt })
  }
  if (text === '') return undefined
  switch (kind) {
    case 'image':
      return callOf(kind, {
        model,
        prompt: text,
        size: wish.size,
        ...(wish.file === null ? {} : { image: wish.file.uri }),
      })
    case 'speech':
      return callOf(kind, {
        model,
        input: text,
        response_format: 'wav',
        ...(wish.voice === '' ? {} : { voice: wish.voice }),
      })
    case 'embeddings':
      return callOf(kind, { model, input: text.split(/\n+/) })
    case 'rerank': {
      const query = wish.query.trim()
      return query === ''
        ? undefined
        : callOf(kind, { model, query, documents: text.split(/\n+/), return_documents: true })
    }
    case 'video':
      return callOf(kind, { model, prompt: text })
  }
}
