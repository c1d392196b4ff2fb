import type { FastifyRequest } from 'fastify'
import type { FormFile } from '#domain/media/media-file.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { WholeBody } from '#lib/whole-body.ts'
import { parseJsonBody } from '../parse-json-body.ts'
import type { FormLimits } from './form-limits.ts'
import { type ReceivedForm, receiveForm } from './receive-form.ts'

const jsonBytesMax = 10 * 1_024 * 1_024

/** The body of a request that may hold files. Nothing of it is read before it is asked for. */
export class Upload {
  readonly #request: FastifyRequest
  readonly #limits: FormLimits
  #form: ReceivedForm | null = null
  #json: { fields: JsonObject; byteCount: number } | null = null

  constructor(request: FastifyRequest, limits: FormLimits) {
    this.#request = request
    this.#limits = limits
  }

  get fields(): JsonObject {
    return this.#form?.fields ?? this.#json?.fields ?? {}
  }

  get files(): readonly FormFile[] {
    return this.#form?.files ?? []
  }

  get byteCount(): number {
    return this.#form?.byteCount ?? this.#json?.byteCount ?? 0
  }

  /** Whether some of it is still on its way, so that the connection can not be used again. */
  get isUnread(): boolean {
    return !this.#request.raw.readableEnded
  }

  async receive(): Promise<void> {
    const { headers } = this.#request
    const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
    const length = Number(headers['content-length'] ?? 0)
    const isForm = type === 'multipart/form-data'
    if (length > (isForm ? this.#limits.bodyBytesMax : jsonBytesMax)) throw tooLarge()
    if (isForm) this.#form = await receiveForm(this.#request.raw, this.#limits)
    else if (this.#limits.orJson && type === 'application/json') this.#json = await this.#receiveJson()
    else throw new GatewayError('invalidContentType', { message: this.#expectation })
  }

  async discard(): Promise<void> {
    await this.#form?.discard()
  }

  async #receiveJson(): Promise<{ fields: JsonObject; byteCount: number }> {
    const body = new WholeBody(jsonBytesMax)
    let byteCount = 0
    for await (const bytes of this.#request.raw) {
      byteCount += bytes.length
      if (!body.add(bytes)) throw tooLarge()
    }
    return { fields: parseJsonBody(body.take()), byteCount }
  }

  get #expectation(): string {
    return `Send this as multipart/form-data${this.#limits.orJson ? ' or as application/json' : ''}.`
  }
}

function tooLarge(): GatewayError {
  return new GatewayError('bodyTooLarge', { message: 'The body is too large.' })
}
