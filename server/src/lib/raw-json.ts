declare global {
  interface JSON {
    /** Text that `JSON.stringify` writes as it is. In V8 since 11.4; not yet in TypeScript's library. */
    rawJSON(text: string): object
  }
}

/** A number with exactly these digits in JSON. It can only be serialised, never calculated with. */
export function rawJsonNumber(text: string): number {
  return JSON.rawJSON(text) as unknown as number
}
