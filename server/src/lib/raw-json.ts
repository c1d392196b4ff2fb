declare global {
  interface JSON {
    /** Text that `JSON.stringify` writes unchanged. In V8 since 11.4; not yet in TypeScript's library. */
    rawJSON(text: string): object
  }
}

/** A number with exactly these digits in JSON. It can only be serialized, not used in calculations. */
export function rawJsonNumber(text: string): number {
  return JSON.rawJSON(text) as unknown as number
}
