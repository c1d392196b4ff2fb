import type { JsonObject } from '#lib/json.ts'

const nameMax = 200
const charactersMax = 1_048_576

/** The texts of a form. One that is sent several times is a list. */
export class FormFields {
  readonly all: JsonObject = {}
  readonly #files = new Set<string>()
  #characters = 0

  /** What is wrong with it; null when it was taken. */
  add(name: string | undefined, value: string): string | null {
    if (name === undefined) return 'A part of the form has no name.'
    if (name.length > nameMax) return 'The name of a field is too long.'
    this.#characters += name.length + value.length
    if (this.#characters > charactersMax) return 'The fields of the form are too long.'
    if (this.#files.has(name)) return bothKinds(name)
    if (name === '__proto__') return null
    const before = Object.hasOwn(this.all, name) ? this.all[name] : undefined
    this.all[name] = before === undefined ? value : listWith(before, value)
    return null
  }

  addFile(name: string): string | null {
    this.#files.add(name)
    return Object.hasOwn(this.all, name) ? bothKinds(name) : null
  }
}

function listWith(before: JsonObject[string], value: string): string[] {
  return [...(Array.isArray(before) ? before.filter((each) => typeof each === 'string') : [String(before)]), value]
}

function bothKinds(name: string): string {
  return `\`${name}\` is sent both as a text and as a file.`
}
