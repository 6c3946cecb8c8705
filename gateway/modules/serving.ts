import type { FastifyInstance } from 'fastify'
import { contextOf, ok, type Answer, type RequestContext } from '../platform/http'

/** JSON Schema of an id. */
export const id = { type: 'string', minLength: 1, maxLength: 40 } as const

/** JSON Schema of an object with these members and no others; those that begin with `!` have to be there. */
export const shaped = (members: Readonly<Record<string, object>> = {}) => ({
  ...{
    type: 'object',
    additionalProperties: false,
    required: Object.keys(members).flatMap((name) => name.match(/^!(.+)/)?.[1] ?? []),
  },
  properties: Object.fromEntries(Object.entries(members).map(([name, shape]) => [name.replace('!', ''), shape])),
})

interface Call<Key extends string, Given> {
  /** Method and address below the base. */
  at: string
  /** Which of the keys it takes. */
  key: Key
  summary: string
  /** JSON Schema of its body or query; without it nothing is taken. */
  takes?: object
  answer(context: RequestContext, given: Given): unknown
}

/** Adds calls below one address to the gateway: the key and the shape of each are checked before it answers. */
export const serving = <Key extends string>(
  app: FastifyInstance,
  { base, tag, keys }: { base: string; tag: string; keys: Readonly<Record<Key, string>> },
) =>
  function serve<Given = Record<string, never>>({ at, key, summary, takes = shaped(), answer }: Call<Key, Given>): void {
    const [method = '', address = ''] = at.split(' ')
    app.route({
      ...{ method, url: `${base}/${address}`, config: { permission: keys[key] } },
      schema: { tags: [tag], summary, [method === 'GET' ? 'querystring' : 'body']: takes },
      handler: async (request): Promise<Answer> =>
        ok(await answer(contextOf(request), (method === 'GET' ? request.query : request.body) as Given)),
    })
  }
