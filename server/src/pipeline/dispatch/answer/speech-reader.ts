import { noUsage } from '#domain/inference/usage.ts'
import { speechTypeOf } from '#domain/media/speech.ts'
import { WholeBody } from '#lib/whole-body.ts'
import type { SpokenDocument } from '#providers/codecs/codec.ts'
import type { AnswerListener, AnswerReader } from '../../types.ts'
import { oversizeAnswer } from './oversize-answer.ts'

export interface ExpectedSpeech {
  /** The content type that the upstream sent. Empty if it sent none. */
  readonly sentType: string
  /** The actual media type, for upstreams that send a wrong content type. */
  readonly statedType: string | undefined
  /** The requested format. */
  readonly format: string | null
  readonly characters: number
  /** Finds the audio and its tokens, for upstreams that send a document. */
  readonly readDocument?: ((document: Buffer) => SpokenDocument | undefined) | undefined
  readonly answerBytesMax: number
}

/**
 * Passes speech on as it arrives. It is charged by the characters of its text, or by a document's token count, once it
 * is complete. So the last piece waits for the settle, and a client that disconnects before does not get the whole
 * audio.
 */
export class SpeechReader implements AnswerReader {
  readonly outputTokensEstimate = 0
  readonly finalAnswer = null
  readonly #contentType: string
  readonly #isAudio: boolean
  readonly #characters: number
  readonly #listener: AnswerListener
  readonly #document: WholeBody | null
  readonly #readDocument: ExpectedSpeech['readDocument']
  #last: Buffer | null = null

  constructor(speech: ExpectedSpeech, listener: AnswerListener) {
    this.#contentType = contentTypeOf(speech)
    this.#isAudio = audioTypes.test(speech.sentType) || unknownTypes.test(speech.sentType)
    this.#characters = speech.characters
    this.#readDocument = speech.readDocument
    this.#document = speech.readDocument === undefined ? null : new WholeBody(speech.answerBytesMax)
    this.#listener = listener
  }

  data(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.#document !== null) {
      if (!this.#document.add(bytes)) this.#listener.unusable(oversizeAnswer)
      return
    }
    // Some upstreams report a failure in a response with status 200.
    if (!this.#isAudio)
      return this.#listener.unusable({ kind: 'error', message: 'The upstream response is not audio.' })
    if (this.#last === null) this.#listener.opened(this.#contentType)
    else this.#listener.bytes(this.#last)
    this.#last = bytes
  }

  end(): void {
    const spoken = this.#document === null ? this.#spokenWhole() : this.#readDocument?.(this.#document.take())
    if (spoken === undefined || spoken.audio.length === 0) {
      return this.#listener.unusable({ kind: 'empty', message: 'The upstream returned no audio.' })
    }
    if (this.#document !== null) this.#listener.opened(this.#contentType)
    const { audio, usage = noUsage } = spoken
    const counted = usage === null ? null : { ...usage, media: { inputCharacters: this.#characters } }
    this.#listener.done({ usage: counted, finishReason: null, nativeFinishReason: null }, () => audio)
  }

  #spokenWhole(): SpokenDocument | undefined {
    return this.#last === null ? undefined : { audio: this.#last }
  }

  /** Audio cannot carry an error message. */
  fail(): null {
    return null
  }
}

// Other types are never passed on, because a browser would run or show them.
const audioTypes = /^(?:audio\/[\w.+-]+|application\/ogg|video\/(?:mp4|ogg|webm))(?:\s*;[\x20-\x7e]*)?$/i
const unknownTypes = /^(?:application|binary)\/octet-stream\b|^$/i

function contentTypeOf({ sentType, statedType, format }: ExpectedSpeech): string {
  return statedType ?? (unknownTypes.test(sentType) ? speechTypeOf(format) : sentType)
}
