import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

/** All models. The list changes only when the operator imports a catalogue, so it is cached for minutes. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => dataOf(api.GET('/v1/models', { params: { query: { output_modalities: 'all' } } })),
  staleTime: 300_000,
})

type Models = NonNullable<Awaited<ReturnType<NonNullable<typeof modelsQuery.queryFn>>>>
export type Model = Models['data'][number]
export type Pricing = Model['pricing']

/** The route parameters of a model's page. */
export function modelPath(id: string): { readonly author: string; readonly name: string } {
  const [author = '', ...rest] = id.split('/')
  return { author, name: rest.join('/') }
}

/** Providers of a model, with price and recent speed. */
export function offersQuery(id: string) {
  const { author, name: slug } = modelPath(id)
  return queryOptions({
    queryKey: ['model-offers', id],
    queryFn: () =>
      dataOf(api.GET('/v1/models/{author}/{slug}/endpoints', { params: { path: { author, slug } } })).then(
        ({ data }) => data,
      ),
  })
}
