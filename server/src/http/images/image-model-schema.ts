import { type Static, Type } from 'typebox'
import { architectureSchema, pricingSchema } from '../models/model-schema.ts'

const { modality, input_modalities, output_modalities } = architectureSchema.properties

const imageModelSchema = Type.Object(
  {
    id: Type.String({ examples: ['openai/gpt-image-1'] }),
    name: Type.String(),
    created: Type.Integer({ description: 'Unix seconds of the release; 0 where it is not known.' }),
    description: Type.Union([Type.String(), Type.Null()]),
    architecture: Type.Object({ modality, input_modalities, output_modalities }),
    pricing: Type.Object({
      ...pricingSchema.properties,
      image: Type.String({
        description: 'USD for one image made; 0 where images are charged by something else that is listed beside it.',
      }),
    }),
    supported_parameters: Type.Object({
      size: Type.Object({
        type: Type.Literal('enum'),
        values: Type.Array(Type.String(), {
          description: 'What the model is known to make. Other sizes are taken too, and become the nearest of these.',
        }),
      }),
      n: Type.Object({ type: Type.Literal('range'), min: Type.Integer(), max: Type.Integer() }),
    }),
    supports_streaming: Type.Boolean(),
    endpoints: Type.String({ description: 'Where the providers of the model are listed.' }),
  },
  { title: 'ImageModel' },
)
export type ImageModelView = Static<typeof imageModelSchema>

export const imageModelListSchema = Type.Object({ data: Type.Array(imageModelSchema) }, { title: 'ImageModelList' })
