import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Serves the language itself, for editors and validators: `GET /schemas/meta/<kind>.json` answers the JSON Schema of a kind of document,
 * whose `$id` is the address under which it is served. Open: it holds nothing of the company.
 */
export function serveMetaSchemas(
  app: FastifyInstance,
  { directory, origin }: { directory: string; origin: (request: FastifyRequest) => string },
): void {
  const folder = join(directory, 'meta')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const schema = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { $id: string }
    app.get(
      `/schemas/meta/${file}`,
      { schema: { summary: `The language: JSON Schema of a document (${file})`, tags: ['language'] }, config: { open: true } },
      (request, reply) =>
        reply
          .header('cache-control', 'no-cache')
          .type('application/schema+json; charset=utf-8')
          .send(JSON.stringify({ ...schema, $id: new URL(schema.$id, origin(request)).href })),
    )
  }
}
