import type { Span } from '../text/span.ts'

/**
 * Finds one kind of data in a text whose digits and hyphens are ASCII. Takes time that is linear in the text's length.
 */
export type Detector = (text: string) => Span[]
