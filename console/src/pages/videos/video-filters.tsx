import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { modelKindOf } from '../../api/inference-call.ts'
import { SelectField } from '../../ui/field.tsx'
import { modelsQuery } from '../../api/models.ts'
import { videoStates } from './search.ts'
import { videoStateInWords } from './video-state.tsx'

const route = getRouteApi('/app/videos')

const states = [
  { value: '', label: 'All statuses' },
  ...videoStates.map((status) => ({ value: status, label: videoStateInWords({ status }) })),
]

/** Model and state, kept in the URL. */
export function VideoFilters() {
  const { model = '', status = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useQuery(modelsQuery)
  const ids = (data?.data ?? [])
    .filter(({ architecture }) => modelKindOf(architecture.output_modalities) === 'video')
    .map(({ id }) => id)
  const known = model === '' || ids.includes(model) ? ids : [model, ...ids]
  return (
    <>
      <div className="w-56">
        <SelectField
          label="Model"
          isLabelHidden
          choices={[{ value: '', label: 'All models' }, ...known.map((id) => ({ value: id, label: id }))]}
          value={model}
          onChange={({ target }) =>
            void navigate({
              search: ({ model: _old, ...others }) =>
                target.value === '' ? others : { ...others, model: target.value },
              replace: true,
            })
          }
        />
      </div>
      <div className="w-40">
        <SelectField
          label="Status"
          isLabelHidden
          choices={states}
          value={status}
          onChange={({ target }) => {
            const chosen = videoStates.find((state) => state === target.value)
            void navigate({
              search: ({ status: _old, ...others }) => (chosen === undefined ? others : { ...others, status: chosen }),
              replace: true,
            })
          }}
        />
      </div>
    </>
  )
}
