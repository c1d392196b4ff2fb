import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { modelKindOf } from '../../api/inference-call.ts'
import { modelsQuery } from '../../api/models.ts'
import type { FilterField } from '../../ui/filter-field.ts'
import { videoStates } from './search.ts'
import { videoStateInWords } from './video-state.tsx'

const states = videoStates.map((status) => ({ value: status, label: videoStateInWords({ status }) }))

/** The filter chips of the list. A model that is no longer in the catalogue can be typed. */
export function useVideoFields(): readonly FilterField[] {
  const { data } = useQuery(modelsQuery)
  return useMemo(() => {
    const models = (data?.data ?? []).filter(
      ({ architecture }) => modelKindOf(architecture.output_modalities) === 'video',
    )
    const choices = models.map(({ id }) => ({ value: id, label: id }))
    return [
      { name: 'model', label: 'Model', type: 'choice', choices, isOpen: true },
      { name: 'status', label: 'Status', type: 'choice', choices: states },
    ]
  }, [data])
}
