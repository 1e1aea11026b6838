import Type, { type Static } from 'typebox';

export const FieldError = Type.Object({
  name: Type.String(),
  reason: Type.Union(
    ['required', 'unknown', 'type', 'format', 'range', 'enum', 'length', 'conflict'].map((r) => Type.Literal(r)) as [
      ReturnType<typeof Type.Literal>,
    ],
  ),
  message: Type.String(),
  allowed: Type.Optional(Type.Array(Type.String())),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
});

/** Error body: RFC 9457 problem+json with the members the specs name. */
export const Problem = Type.Object(
  {
    error: Type.String({ description: 'Stable code, `area.reason`' }),
    message: Type.String({ description: 'Fixed title of the code' }),
    detail: Type.String({ description: 'What was wrong here and what to do; safe to show' }),
    request_id: Type.String(),
    timestamp: Type.String({ format: 'date-time' }),
    fields: Type.Optional(Type.Array(FieldError)),
    retry_after_seconds: Type.Optional(Type.Integer()),
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
  },
  { $id: 'Problem', additionalProperties: true },
);
export type Problem = Static<typeof Problem>;
export interface FieldFault {
  name: string;
  reason: 'required' | 'unknown' | 'type' | 'format' | 'range' | 'enum' | 'length' | 'conflict';
  message: string;
  allowed?: string[];
  min?: number;
  max?: number;
}
