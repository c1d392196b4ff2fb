import { Type } from 'typebox'

const report = Type.Object({
  checked_at: Type.String({ format: 'date-time' }),
  faults: Type.Integer(),
  warnings: Type.Integer(),
  unknown: Type.Integer({ description: 'Checks that could not run.' }),
  findings: Type.Array(
    Type.Object({
      what: Type.String({ description: 'What was checked, such as `circuits`' }),
      state: Type.Union(['ok', 'unknown', 'warning', 'fault'].map((state) => Type.Literal(state))),
      says: Type.String({ description: 'The result in one sentence.' }),
      advice: Type.Union([Type.String(), Type.Null()], { description: 'What to do about it.' }),
    }),
  ),
})

const failingProvider = Type.Object({
  account: Type.String(),
  vendor: Type.String(),
  since: Type.String({ format: 'date-time', description: 'When the first of its open circuits opened.' }),
  reason: Type.String({ description: 'The most recent failure.' }),
  models: Type.Array(Type.String()),
  gateways: Type.Integer({ description: 'Gateways that do not route these models to it.' }),
})

export const healthSchema = Type.Object(
  {
    data: Type.Object({
      status: report,
      doctor: report,
      failing_providers: Type.Array(failingProvider),
    }),
  },
  { $id: 'Health' },
)
