import type { FinishReason } from './finish-reason.ts'
import type { Part } from './parts.ts'
import type { CanonicalChoice, CanonicalReply } from './reply.ts'
import type { StreamPart } from './stream-part.ts'
import type { Usage } from './usage.ts'

/** Joins the parts of a stream to a complete response. */
export function joinStreamParts(parts: readonly StreamPart[]): CanonicalReply {
  const drafts = new Map<number, ChoiceDraft>()
  let usage: Usage | null = null
  for (const part of parts) {
    if (part.kind === 'usage-counted') usage = part.usage
    else if (part.kind !== 'ended' && part.kind !== 'failed') draftAt(drafts, part.choice).add(part)
  }
  const ordered = [...drafts].sort(([one], [other]) => one - other)
  return { choices: ordered.map(([, draft]) => draft.finish()), usage }
}

// A map by number, because the upstream chooses the number: an array with index 4,294,967,296 would fill the memory.
function draftAt(drafts: Map<number, ChoiceDraft>, choice: number): ChoiceDraft {
  const known = drafts.get(choice)
  if (known !== undefined) return known
  const draft = new ChoiceDraft()
  drafts.set(choice, draft)
  return draft
}

type Said = Exclude<StreamPart, { kind: 'usage-counted' | 'ended' | 'failed' }>

class ChoiceDraft {
  readonly #parts: Part[] = []
  readonly #calls = new Map<number, number>()
  #reason: FinishReason | null = null
  #native: string | null = null
  #stopSequence: string | undefined

  add(part: Said): void {
    switch (part.kind) {
      case 'text-added':
        return this.#append('text', part.text)
      case 'refusal-added':
        return this.#append('refusal', part.text)
      case 'reasoning-added':
        return this.#think(part)
      case 'reasoning-signed':
        return this.#sign(part)
      case 'reasoning-encrypted':
        return this.#encrypt(part)
      case 'tool-call-started': {
        const { id, name, signature } = part
        this.#calls.set(part.index, this.#parts.length)
        this.#parts.push({
          kind: 'tool-call',
          id,
          name,
          argumentsJson: '',
          ...(signature === undefined ? {} : { signature }),
        })
        return
      }
      case 'tool-call-added':
        return this.#addArguments(part.index, part.json)
      case 'image-added':
        this.#parts.push({ kind: 'image', source: part.source })
        return
      case 'opaque-added':
        this.#parts.push(part.part)
        return
      case 'finished':
        this.#reason = part.reason
        this.#native = part.native
        this.#stopSequence = part.stopSequence
        return
    }
  }

  finish(): CanonicalChoice {
    return {
      parts: this.#parts,
      finishReason: this.#reason,
      nativeFinishReason: this.#native,
      ...(this.#stopSequence === undefined ? {} : { stopSequence: this.#stopSequence }),
    }
  }

  #append(kind: 'text' | 'refusal', text: string): void {
    const last = this.#parts.at(-1)
    if (last?.kind === kind) this.#parts[this.#parts.length - 1] = { ...last, text: last.text + text }
    else this.#parts.push({ kind, text })
  }

  // A signature closes its block: reasoning after it is a new block.
  #think(part: Extract<Said, { kind: 'reasoning-added' }>): void {
    const { text, format, isSummary, id } = part
    const last = this.#parts.at(-1)
    const continues =
      last?.kind === 'reasoning' && last.signature === undefined && last.encrypted === undefined && last.id === id
    if (continues) {
      this.#parts[this.#parts.length - 1] = { ...last, text: last.text + text }
      return
    }
    this.#parts.push({
      kind: 'reasoning',
      text,
      format,
      ...(isSummary === undefined ? {} : { isSummary }),
      ...(id === undefined ? {} : { id }),
    })
  }

  #sign({ signature, format }: Extract<Said, { kind: 'reasoning-signed' }>): void {
    const last = this.#parts.at(-1)
    if (last?.kind === 'reasoning' && last.signature === undefined && last.encrypted === undefined) {
      this.#parts[this.#parts.length - 1] = { ...last, signature }
    } else {
      this.#parts.push({ kind: 'reasoning', text: '', signature, format })
    }
  }

  // Encrypted reasoning has the same id as its text, if the text has one.
  #encrypt({ data, format, id }: Extract<Said, { kind: 'reasoning-encrypted' }>): void {
    const last = this.#parts.at(-1)
    const isOpen = last?.kind === 'reasoning' && last.signature === undefined && last.encrypted === undefined
    if (isOpen && id !== undefined && last.id === id && last.format === format) {
      this.#parts[this.#parts.length - 1] = { ...last, encrypted: data }
    } else {
      this.#parts.push({ kind: 'reasoning', text: '', encrypted: data, format, ...(id === undefined ? {} : { id }) })
    }
  }

  #addArguments(index: number, json: string): void {
    const at = this.#calls.get(index)
    const call = at === undefined ? undefined : this.#parts[at]
    if (at === undefined || call?.kind !== 'tool-call') return
    this.#parts[at] = { ...call, argumentsJson: call.argumentsJson + json }
  }
}
