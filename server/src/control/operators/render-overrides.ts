import type { ModelOverrides } from '#domain/routing/trait-overrides.ts'
import type { JsonObject } from '#lib/json.ts'

/** Overrides as JSON in a fixed order, so that equal ones compare equal. */
export function renderOverrides(rows: readonly ModelOverrides[]): JsonObject[] {
  return rows.map(
    ({ model, leaveOut, send, thinking, efforts, outputCap, thoughts, sampling, canRest, canBeForced, ...forms }) => ({
      ...(model === undefined ? {} : { model }),
      ...(leaveOut === undefined ? {} : { leaveOut: [...leaveOut] }),
      ...(send === undefined ? {} : { send: Object.fromEntries(Object.entries(send).toSorted()) }),
      ...(thinking === undefined ? {} : { thinking }),
      ...(efforts === undefined ? {} : { efforts: [...efforts] }),
      ...(outputCap === undefined ? {} : { outputCap }),
      ...(thoughts === undefined ? {} : { thoughts }),
      ...(sampling === undefined ? {} : { sampling }),
      ...(canRest === undefined ? {} : { canRest }),
      ...(canBeForced === undefined ? {} : { canBeForced }),
      ...(forms.aspectRatios === undefined ? {} : { aspectRatios: [...forms.aspectRatios] }),
      ...(forms.sizes === undefined ? {} : { sizes: [...forms.sizes] }),
      ...(forms.durations === undefined ? {} : { durations: [...forms.durations] }),
    }),
  )
}
